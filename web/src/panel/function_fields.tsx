// A drive's function of time, or a motor's torque: what it is, how fast, how far, how strong.

import { useState } from 'preact/hooks';
import { changeField, engine } from '../actions';
import type { Driven, FunctionEntry } from '../engine/border';
import { labelOf } from '../engine/catalogue';
import { numberAt } from '../engine/change';
import type { AnyJoint, EntryOf, FunctionKind, Retiming } from '../engine/messages';

import { FUNCTIONS, functionOf } from '../engine/motion';
import { wordsOf } from '../series';
import * as state from '../state';
import { functionFields } from './fields';
import { NumberField } from './number_field';

interface Props {
  /** The joint that drives. */
  joint: string;
  /** Its function of time, and what of; none of a torque. */
  law: FunctionEntry | null;
  driven: Driven;
  legend?: string;
  /** Other things it can be, and what chooses them. */
  others?: [string, string][];
  onOther?: (word: string) => Promise<unknown>;
}

export const FunctionFields = ({ joint, law, driven, legend = 'Drive', others = [], onOther }: Props) => {
  const [words, setWords] = useState<string | null>(null);
  const kind = law?.type ?? others[0]?.[0] ?? '';
  const size = driven === 'angle' ? Math.PI / 2 : 0.1 * (state.look.value?.extent ?? 1);
  // The worker knows the time exactly; here it is a frame old.
  const retime = (to: Retiming, again: boolean): Promise<unknown> => engine.ask({ type: 'drive', joint, to, again });
  const choose = (next: string): void => {
    const isOther = others.some(([word]) => word === next);
    const asked =
      isOther && onOther !== undefined ? onOther(next) : retime({ kind: next as FunctionKind, size }, false);
    asked.then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  const kinds: [string, string][] = [
    ...FUNCTIONS.map((own): [string, string] => [own, labelOf('function', own)]),
    ...others,
  ];
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="field">
        <label>
          <span>motion</span>
          <select
            aria-label={`motion of the ${legend.toLowerCase()}`}
            value={kind}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {kinds.map(([own, label]) => (
              <option key={own} value={own}>
                {label}
              </option>
            ))}
            {kinds.some(([own]) => own === kind) ? null : <option value={kind}>{labelOf('function', kind)}</option>}
          </select>
        </label>
      </div>
      {law === null
        ? null
        : functionFields(law, driven).map((field) => (
            <NumberField
              key={`${kind} ${field.label}`}
              {...field}
              value={numberAt(law, field.path)}
              edit={(value, again) => retime({ key: String(field.path[0]), value: value ?? 0 }, again)}
            />
          ))}
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </fieldset>
  );
};

/** A new motor of constant torque or force begins with this, N·m or N. */
const CONSTANT = 1;

/** The motor of a joint: a function of time, or a torque, or a force where it slides. */
export const MotorFields = ({ of, driven }: { of: AnyJoint; driven: Driven }) => {
  const { torque, force } = of.motor ?? {};
  const [bound, constant, unit] =
    driven === 'angle' ? (['max_torque', 'torque', 'N·m'] as const) : (['max_force', 'force', 'N'] as const);
  const size = torque ?? force;
  const most = of.motor?.[bound];
  const whose: EntryOf = { kind: 'joint', name: of.name };
  const setMost = (value: number | null, again: boolean): Promise<unknown> =>
    changeField(whose, ['motor', bound], value ?? undefined, again);
  const set = (size: number, again: boolean): Promise<unknown> =>
    changeField(whose, ['motor'], { [constant]: size }, again);
  return (
    <>
      <FunctionFields
        joint={of.name}
        law={functionOf(of)}
        driven={driven}
        legend="Motor"
        others={[[constant, `constant ${constant}`]]}
        onOther={() => set(CONSTANT, false)}
      />
      {size !== undefined || of.motor === undefined ? null : (
        <NumberField
          label="at most"
          unit={unit}
          value={most ?? null}
          limit="not-negative"
          absent="without end"
          edit={setMost}
        />
      )}
      {size === undefined ? null : (
        <NumberField label={constant} unit={unit} value={size} edit={(value, again) => set(value ?? 0, again)} />
      )}
    </>
  );
};
