// A drive's function of time: what it is, how fast, how far.

import { useState } from 'preact/hooks';
import { engine } from '../actions';
import { FUNCTIONS, type FunctionKind } from '../engine/motion';
import type { Command, Entry, Retiming } from '../engine/words';
import { wordsOf } from '../series';
import * as state from '../state';
import { type Field, numberAt } from './fields';
import { NumberField } from './number_field';

const WORDS: Record<FunctionKind, string> = {
  constant: 'held still',
  ramp: 'steady',
  sine: 'to and fro',
};

/** Fields of a function of an angle or of a length. */
const fieldsOf = (kind: string, turns: boolean): Field[] => {
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
    default:
      return [];
  }
};

/** `of` is the entry of the joint that drives. */
export const FunctionFields = ({ of }: { of: Entry }) => {
  const [words, setWords] = useState<string | null>(null);
  const law = of.function as Entry;
  const turns = of.type === 'angle-drive';
  const kind = String(law.type);
  const joint = String(of.name);
  const size = turns ? Math.PI / 2 : 0.1 * (state.look.value?.extent ?? 1);
  // The worker knows the time exactly; here it is a frame old.
  const retime = (to: Retiming, again: boolean): Promise<unknown> => engine.ask({ type: 'drive', joint, to, again });
  const apply = (...commands: Command[]): Promise<unknown> => retime(commands.at(-1) as Retiming, commands.length > 1);
  const choose = (next: string): void => {
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
          <select aria-label="motion of the drive" value={kind} onChange={(event) => choose(event.currentTarget.value)}>
            {FUNCTIONS.map((own) => (
              <option key={own} value={own}>
                {WORDS[own]}
              </option>
            ))}
            {kind === 'keyframes' ? <option value="keyframes">keyframes</option> : null}
          </select>
        </label>
      </div>
      {fieldsOf(kind, turns).map((field) => (
        <NumberField
          key={`${kind} ${field.label}`}
          {...field}
          value={numberAt(law, field.path)}
          edit={(value) => ({ key: String(field.path[0]), value: value ?? 0 })}
          apply={apply}
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
