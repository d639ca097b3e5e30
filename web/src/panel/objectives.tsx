// Objectives: what is to be made small, how it goes, and the way to where it is least.

import { useState } from 'preact/hooks';
import * as actions from '../actions';
import type { BoundLook, Minimum, RelationLook } from '../engine/border';
import { unreachable } from '../exhaustive';
import { trends } from '../formulas';
import { wordsOf } from '../series';
import * as state from '../state';
import { short } from './format';
import { changed, NewRelation, RelationText } from './relation_text';
import { RemoveButton } from './remove_button';

/** Whether something is made small, in place of held. */
export const isSought = ({ sense }: RelationLook): boolean => sense === 'wish' || sense === 'objective';

const WIDTH = 72;
const HEIGHT = 18;

/** The last values as a line, the newest at the right; it fills its box. */
const Trend = ({ values }: { values: readonly number[] }) => {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  if (values.length < 2 || !(span > 0)) return null;
  const points = values.map((value, k) => {
    const x = WIDTH * (k / (values.length - 1));
    const y = 1 + (HEIGHT - 2) * (1 - (value - low) / span);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg class="trend" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
};

const ObjectiveRow = ({ of }: { of: RelationLook }) => {
  const [words, setWords] = useState<string | null>(null);
  const toggle = async (enabled: boolean): Promise<void> => {
    try {
      await actions.engine.apply(await changed(of.joint, { enabled }));
      setWords(null);
    } catch (error) {
      setWords(wordsOf(error));
    }
  };
  const isOff = of.sense === 'wish';
  const now =
    of.table !== undefined ? `rms ${short(of.error)}` : isOff ? `off by ${short(of.error)}` : `now ${short(of.error)}`;
  return (
    <li data-relation={of.joint}>
      <div class="objective">
        <label>
          <input type="checkbox" checked={of.enabled} onChange={(event) => void toggle(event.currentTarget.checked)} />
          {of.joint}
        </label>
        <span class="quiet">{of.enabled ? now : 'off'}</span>
        <Trend values={trends.value.get(of.joint) ?? []} />
        <RemoveButton name={of.joint} command={{ detach: of.joint }} />
      </div>
      <RelationText of={of} />
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </li>
  );
};

/** How a search ended, and what to do. */
const told = ({ outcome, steps, slope, open_m }: Minimum): string => {
  const after = steps === 1 ? 'one step' : `${steps} steps`;
  switch (outcome) {
    case 'minimum':
      return `At a minimum after ${after} (slope ${short(slope)}).`;
    case 'stalled':
      return `Steps no longer help after ${after}; the remaining slope is ${short(slope)}. Look for corners: abs, min, max and norm have them.`;
    case 'spent':
      return `No minimum within ${after}; the remaining slope is ${short(slope)}. Minimize again to go on.`;
    case 'open':
      return `Joints and inequalities contradict each other: they are open by ${short(open_m)} m.`;
    default:
      return unreachable(outcome);
  }
};

const Search = () => {
  const [words, setWords] = useState<string | null>(null);
  const search = (): void => {
    actions.engine.ask({ type: 'minimize' }).then(
      (minimum) => setWords(told(minimum)),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  return (
    <>
      <div class="buttons">
        <button type="button" title="Time is paused; joints and limits hold" onClick={search}>
          Minimize
        </button>
      </div>
      {words === null ? null : (
        <p class="quiet" role="status">
          {words}
        </p>
      )}
    </>
  );
};

export const Objectives = ({ of, bounds }: { of: RelationLook[]; bounds: BoundLook[] }) => (
  <section aria-labelledby="formulas-objectives">
    <h2 id="formulas-objectives">Objectives</h2>
    {of.length === 0 ? (
      <p class="quiet">Quantities to minimize. A weight that is a parameter has a slider.</p>
    ) : (
      <ul>
        {of.map((own) => (
          <ObjectiveRow key={own.joint} of={own} />
        ))}
      </ul>
    )}
    {state.look.value === null ? null : <NewRelation label="new objective" placeholder="minimize E, left ~ right" />}
    {of.some(({ enabled }) => enabled) ? <Search /> : null}
    {of.length === 0
      ? null
      : bounds.map(({ joint, force }) => (
          <p key={joint} class="quiet">
            At its bound: {joint}, pushing with {short(force)}
          </p>
        ))}
  </section>
);
