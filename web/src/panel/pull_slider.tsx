// A slider that pulls a number, and with it all that the number depends on.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Command, ConnectorRef } from '../engine/border';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { short } from './format';

const HAND = 'slider';

interface PullProps {
  name: string;
  value: number;
  held: ConnectorRef;
  /** From where to where it goes; guessed where nobody says. */
  range?: [number, number];
}

/** A slider that pulls: a hand holds the number as long as it is moved, and with it all that it depends on. */
export const PullSlider = ({ name, value: now, held: what, range: given }: PullProps) => {
  const [words, setWords] = useState<string | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const range = useRef<[number, number] | null>(null);
  const series = useRef<Series<number> | null>(null);
  const size = Math.max(Math.abs(now), 0.5);
  // Where it is when it is first seen: the track does not run away under the hand.
  range.current ??= given ?? [now - 2 * size, now + 2 * size];
  const [low, high] = range.current;
  const pull = (goal: number): Promise<unknown> => {
    const move: Command[] = [{ drag: { hand: HAND, goal } }];
    // While time stands nothing else moves what is held.
    if (!state.running.value) move.push({ pose: {} });
    return actions.engine.apply(...move);
  };
  const grab = (): Promise<unknown> =>
    actions.engine.apply({
      grab: { name: HAND, held: what, drag: { type: 'follow' } },
    });
  const hold = useRef<Promise<unknown> | null>(null);
  return (
    <>
      <label class="number">
        <span>{name}</span>
        <input
          type="range"
          aria-label={`pull ${name}`}
          min={Math.min(low, now)}
          max={Math.max(high, now)}
          step={(high - low) / 500}
          value={shown ?? now}
          aria-valuetext={short(shown ?? now)}
          onInput={(event) => {
            const goal = event.currentTarget.valueAsNumber;
            setShown(goal);
            hold.current ??= grab();
            const held = hold.current;
            series.current ??= new Series((to) => held.then(() => pull(to)), setWords);
            series.current.put(goal);
          }}
          onChange={() => {
            const goal = shown ?? now;
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
        <output>{short(now)}</output>
      </label>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </>
  );
};
