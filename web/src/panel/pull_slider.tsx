// A slider that pulls a number, and with it all that the number depends on.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Command, ConnectorRef } from '../engine/border';
import { Series } from '../series';
import * as state from '../state';
import { short } from './format';

const HAND = 'slider';
/** What is smaller than this part of a slider's way is nothing. */
const ROUND_OFF = 1e-9;

interface PullProps {
  name: string;
  value: number;
  held: ConnectorRef;
  /** From where to where it goes; guessed where nobody says. */
  range?: [number, number];
}

/** Where to; the last one lets go. */
interface Pull {
  goal: number;
  isLast: boolean;
}

/** A slider that pulls: a hand holds the number as long as it is moved, and with it all that it depends on. */
export const PullSlider = ({ name, value: now, held: what, range: given }: PullProps) => {
  const [words, setWords] = useState<string | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const range = useRef<[number, number] | null>(null);
  const series = useRef<Series<Pull> | null>(null);
  const size = Math.max(Math.abs(now), 0.5);
  // Where it is when it is first seen: the track does not run away under the hand.
  range.current ??= given ?? [now - 2 * size, now + 2 * size];
  const [low, high] = range.current;
  const pull = ({ goal, isLast }: Pull): Promise<unknown> => {
    const move: Command[] = [{ drag: { hand: HAND, goal } }];
    // While time stands nothing else moves what is held.
    if (!state.running.value) move.push({ pose: {} });
    const pulled = actions.engine.apply(...move);
    // Whatever came of it, the hand lets go; nothing of the series comes after it.
    return isLast ? pulled.finally(() => actions.engine.apply({ release: HAND })) : pulled;
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
            series.current.put({ goal, isLast: false });
          }}
          onChange={(event) => {
            series.current?.put({ goal: event.currentTarget.valueAsNumber, isLast: true });
            hold.current = null;
            series.current = null;
            setShown(null);
          }}
        />
        <output>{short(Math.abs(now) < ROUND_OFF * (high - low) ? 0 : now)}</output>
      </label>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </>
  );
};
