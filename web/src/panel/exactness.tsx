// How exact the motion is and what that costs: a dial first, every option below it.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { FieldInfo, WorldEntry } from '../engine/border';
import { type Choice, choicesOf, fieldLabel, worldField, worldOptions } from '../engine/catalogue';
import { numberAt } from '../engine/change';
import { FLOOR, isTaken, optionAs, wordOf } from '../engine/options';
import { pulse } from '../now';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { world } from '../world';
import { STOPS, stopOf } from './accuracy';
import { worldFields } from './fields';
import { short } from './format';
import { NumberField } from './number_field';
import { Radios } from './radios';

/** Options that have a place of their own: with the scene, and as a switch. */
const ELSEWHERE: readonly string[] = ['gravity', ...FLOOR, 'dynamics'];

interface OptionProps {
  /** The option, and the world that takes it. */
  info: FieldInfo;
  of: WorldEntry;
  /** Another word for it. */
  set: (word: string) => void;
}

/** An option of the world: a word to choose, numbers, or both. */
const Option = ({ info, of, set }: OptionProps) => {
  const choices = choicesOf(info);
  const [label, word] = [fieldLabel(info), wordOf(of, info)];
  return (
    <>
      {choices.length === 0 ? null : (
        <div class="field" title={info.help}>
          <label>
            <span>{label}</span>
            <select aria-label={label} value={word} onChange={(event) => set(event.currentTarget.value)}>
              {choices.map((own) => (
                <option key={own.word} value={own.word} title={own.help}>
                  {own.label}
                </option>
              ))}
            </select>
          </label>
          <p class="quiet">{helpOf(choices, word)}</p>
        </div>
      )}
      {worldFields(of, info.name).map((field) => (
        <NumberField
          key={field.path.join(' ')}
          {...field}
          // Frames are told in milliseconds.
          {...(info.name === 'dt' ? { unit: 'ms', scale: 1000 } : {})}
          value={numberAt(of, field.path)}
          edit={(value, again) =>
            actions.changeField({ kind: 'world', name: '' }, field.path, value ?? undefined, again)
          }
        />
      ))}
    </>
  );
};

const helpOf = (choices: Choice[], word: string): string => choices.find((own) => own.word === word)?.help ?? '';

/** What forces do: a switch. */
const Dynamics = ({ info, of, set }: OptionProps) => {
  const choices = choicesOf(info);
  const word = wordOf(of, info);
  return (
    <>
      <Radios
        label={info.help.replace(/\.$/, '')}
        class="switch"
        of={choices.map((own) => ({
          value: own.word,
          help: own.help,
          shown: own.label.charAt(0).toUpperCase() + own.label.slice(1),
        }))}
        value={word}
        choose={set}
      />
      <p class="quiet">{helpOf(choices, word)}</p>
    </>
  );
};

/** What the present choice costs and gives. */
const Effect = () => {
  // Calmly: the certificate changes with every frame.
  void pulse.value;
  const of = state.certificate.peek();
  const took = state.stepTime.peek();
  const facts: [string, string][] = [
    ['iterations', of === null ? '–' : String(of.iterations)],
    ['joints open by', of === null ? '–' : `${short(of.residual_m)} m`],
    ['a step takes', took === null ? '–' : `${took.toFixed(2)} ms`],
  ];
  return (
    <dl class="facts" aria-label="Effect">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-effect={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Steps by the clock: an option of the lab, not of the scene. */
const Clocked = () => (
  <div class="field" title="Between 8 ms and 100 ms, by the clock (Faure 1998). The log has the length of each step.">
    <label>
      <span>steps as long as the clock says</span>
      <input
        type="checkbox"
        checked={state.clocked.value}
        onChange={(event) => actions.setClocked(event.currentTarget.checked)}
      />
    </label>
  </div>
);

/** Weights by size on screen: an option of the lab, of use where iterations may be cut short. */
const Weighed = () => (
  <div
    class="field"
    title="Where iterations are cut short, joints of bodies that are large in the window are closed first (Faure 1998, 1999). The log has the weights; switching this off restores them."
  >
    <label>
      <span>importance by size on screen</span>
      <input
        type="checkbox"
        checked={state.weighed.value}
        onChange={(event) => {
          state.weighed.value = event.currentTarget.checked;
        }}
      />
    </label>
  </div>
);

export const Exactness = () => {
  const of = world.value;
  const [words, setWords] = useState<string | null>(null);
  const series = useRef<Series<WorldEntry> | null>(null);
  if (of === null)
    return (
      <section aria-label="Exactness">
        <p class="quiet">No scene is open.</p>
      </section>
    );
  const set = (info: FieldInfo) => (word: string) => {
    actions.changeField({ kind: 'world', name: '' }, [info.name], optionAs(info, word)).then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  const stop = stopOf(of);
  const turn = (to: number): void => {
    series.current ??= new Series(actions.changeSteps, setWords);
    series.current.put(STOPS[to]?.options ?? {});
  };
  const dynamics = worldField('dynamics');
  const options = worldOptions().filter(({ name }) => !ELSEWHERE.includes(name) && isTaken(of, name));
  return (
    <section aria-label="Exactness" class="exactness">
      <label class="dial">
        <span>
          Accuracy: <strong>{STOPS[stop]?.name ?? 'own settings'}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={STOPS.length - 1}
          step={1}
          aria-label="Accuracy"
          aria-valuetext={STOPS[stop]?.name ?? 'own settings'}
          // A world of its own is shown in the middle: any move of the dial is a choice.
          value={stop < 0 ? 2 : stop}
          onInput={(event) => turn(Number(event.currentTarget.value))}
          onChange={() => {
            series.current = null;
          }}
        />
        <span class="ends">
          <span>fast</span>
          <span>exact</span>
        </span>
      </label>
      <p class="quiet">{STOPS[stop]?.does ?? 'The options below were chosen one by one.'}</p>
      <Effect />
      {dynamics === null ? null : <Dynamics info={dynamics} of={of} set={set(dynamics)} />}
      <div class="buttons">
        <button type="button" onClick={actions.assemble} title="Closes all joints at once">
          Assemble now
        </button>
      </div>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
      <fieldset>
        <legend>How steps are taken</legend>
        {options.map((info) => (
          <Option key={info.name} info={info} of={of} set={set(info)} />
        ))}
        <Clocked />
        {isTaken(of, 'solve_tolerance') ? <Weighed /> : null}
      </fieldset>
    </section>
  );
};
