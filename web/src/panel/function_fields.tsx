// A drive's function of time: what it is, how fast, how far.

import { useState } from 'preact/hooks';
import { engine } from '../actions';
import type { Driven, FunctionEntry } from '../engine/border';
import { labelOf } from '../engine/catalogue';
import type { FunctionKind, Retiming } from '../engine/messages';

import { FUNCTIONS } from '../engine/motion';
import { wordsOf } from '../series';
import * as state from '../state';
import { functionFields, numberAt } from './fields';
import { NumberField } from './number_field';

interface Props {
  /** The joint that drives. */
  joint: string;
  /** Its function of time, and what of. */
  law: FunctionEntry;
  driven: Driven;
}

export const FunctionFields = ({ joint, law, driven }: Props) => {
  const [words, setWords] = useState<string | null>(null);
  const kind = law.type;
  const size = driven === 'angle' ? Math.PI / 2 : 0.1 * (state.look.value?.extent ?? 1);
  // The worker knows the time exactly; here it is a frame old.
  const retime = (to: Retiming, again: boolean): Promise<unknown> => engine.ask({ type: 'drive', joint, to, again });
  const choose = (next: FunctionKind): void => {
    retime({ kind: next, size }, false).then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  return (
    <fieldset>
      <legend>Drive</legend>
      <div class="field">
        <label>
          <span>motion</span>
          <select
            aria-label="motion of the drive"
            value={kind}
            onChange={(event) => choose(event.currentTarget.value as FunctionKind)}
          >
            {FUNCTIONS.map((own) => (
              <option key={own} value={own}>
                {labelOf('function', own)}
              </option>
            ))}
            {FUNCTIONS.includes(kind) ? null : <option value={kind}>{labelOf('function', kind)}</option>}
          </select>
        </label>
      </div>
      {functionFields(law, driven).map((field) => (
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
