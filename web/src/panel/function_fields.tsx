// A drive's function of time: what it is, how fast, how far.

import { useState } from 'preact/hooks';
import { engine } from '../actions';
import type { FunctionEntry } from '../engine/border';
import type { FunctionKind, Retiming } from '../engine/messages';

import { FUNCTIONS } from '../engine/motion';
import { unreachable } from '../exhaustive';
import { wordsOf } from '../series';
import * as state from '../state';
import { type Field, numberAt } from './fields';
import { NumberField } from './number_field';

const WORDS: Record<FunctionKind, string> = {
  constant: 'held still',
  ramp: 'steady',
  sine: 'to and fro',
  keyframes: 'keyframes',
};

/** Fields of a function of an angle or of a length. */
const fieldsOf = (kind: FunctionKind, turns: boolean): Field[] => {
  const [unit, scale] = turns ? ['°', 180 / Math.PI] : ['m', 1];
  switch (kind) {
    case 'constant':
      return [{ path: ['value'], label: turns ? 'angle' : 'length', unit, scale }];
    case 'ramp':
      return [{ path: ['rate'], label: 'speed', unit: `${unit}/s`, scale }];
    case 'sine':
      return [
        { path: ['amplitude'], label: 'swing', unit: `± ${unit}`, scale },
        { path: ['frequency'], label: 'frequency', unit: 'Hz', limit: 'not negative' },
        { path: ['offset'], label: 'middle', unit, scale, absent: 0 },
      ];
    case 'keyframes':
      return [];
    default:
      return unreachable(kind);
  }
};

interface Props {
  /** The joint that drives. */
  joint: string;
  /** Its function of time: of an angle, or of a length. */
  law: FunctionEntry;
  turns: boolean;
}

export const FunctionFields = ({ joint, law, turns }: Props) => {
  const [words, setWords] = useState<string | null>(null);
  const kind = law.type;
  const size = turns ? Math.PI / 2 : 0.1 * (state.look.value?.extent ?? 1);
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
                {WORDS[own]}
              </option>
            ))}
            {FUNCTIONS.includes(kind) ? null : <option value={kind}>{WORDS[kind]}</option>}
          </select>
        </label>
      </div>
      {fieldsOf(kind, turns).map((field) => (
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
