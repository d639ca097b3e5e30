// A number of a body that a hand can move: of a body of numbers, of a curve, or of the shape of a solid.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Command, NumberLook } from '../engine/border';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { short } from './format';

const HAND = 'slider';

/** A slider that pulls: a hand holds the number as long as it is moved. */
export const NumberRow = ({ of }: { of: NumberLook }) => {
  const [words, setWords] = useState<string | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  // Where it is when it is first seen: the track does not run away under the hand.
  const range = useRef(of.range);
  const series = useRef<Series<number> | null>(null);
  const [low, high] = range.current;
  const name = `${of.body}.${of.name}`;
  const pull = (goal: number): Promise<unknown> => {
    const move: Command[] = [{ drag: { hand: HAND, goal } }];
    // While time stands nothing else moves what is held.
    if (!state.running.value) move.push({ pose: {} });
    return actions.engine.apply(...move);
  };
  const grab = (): Promise<unknown> =>
    actions.engine.apply({
      grab: { name: HAND, held: { body: of.body, scalar: of.name }, drag: { type: 'follow' } },
    });
  const hold = useRef<Promise<unknown> | null>(null);
  return (
    <li data-number={name}>
      <label class="number">
        <span>{name}</span>
        <input
          type="range"
          aria-label={`pull ${name}`}
          min={Math.min(low, of.value)}
          max={Math.max(high, of.value)}
          step={(high - low) / 500}
          value={shown ?? of.value}
          aria-valuetext={short(shown ?? of.value)}
          onInput={(event) => {
            const goal = event.currentTarget.valueAsNumber;
            setShown(goal);
            hold.current ??= grab();
            const held = hold.current;
            series.current ??= new Series((to) => held.then(() => pull(to)), setWords);
            series.current.put(goal);
          }}
          onChange={() => {
            const goal = shown ?? of.value;
            const held = hold.current;
            hold.current = null;
            series.current = null;
            setShown(null);
            void held
              ?.then(() => pull(goal))
              .then(() => actions.engine.apply({ release: HAND }))
              .catch((error: unknown) => setWords(wordsOf(error)));
          }}
        />
        <output>{short(of.value)}</output>
      </label>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </li>
  );
};
