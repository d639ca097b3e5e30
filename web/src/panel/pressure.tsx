// The pressure inside a shell: a slider blows it up, or lets the air out.

import { useEffect, useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { BehaviorEntry } from '../engine/border';
import { offersOf } from '../engine/catalogue';
import type { AnyBehavior } from '../engine/messages';
import { Series } from '../series';
import * as state from '../state';
import { short } from './format';

/** A force on a volume is a pressure. */
const pressesIn = (entry: BehaviorEntry, body: string): boolean => {
  const { type, on } = entry as AnyBehavior;
  return type === 'force' && typeof on === 'object' && on.body === body && on.scalar === 'volume';
};

/** What presses inside of a body: asked for anew after every edit. */
const usePressure = (body: string): BehaviorEntry | null => {
  const [known, setKnown] = useState<BehaviorEntry | null>(null);
  const look = state.look.value;
  useEffect(() => {
    let isCurrent = true;
    // What acts on a number is nowhere.
    const names = look?.behaviors.flatMap(({ name, type, ends }) =>
      type === 'force' && ends.length === 0 ? name : [],
    );
    Promise.all((names ?? []).map((name) => actions.entry('behavior', name).catch(() => null)))
      .then((all) => {
        if (isCurrent) setKnown(all.find((own) => own !== null && pressesIn(own, body)) ?? null);
      })
      .catch(actions.say);
    return () => {
      isCurrent = false;
    };
  }, [body, look]);
  return known !== null && pressesIn(known, body) ? known : null;
};

/** The most that shells of the palette are blown up with, Pa. */
const most = (): number => Math.max(1, ...offersOf('body').map(({ offer }) => offer.blown?.pressure[1] ?? 0));

export const Pressure = ({ body }: { body: string }) => {
  const entry = usePressure(body);
  const [words, setWords] = useState<string | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const series = useRef<Series<number> | null>(null);
  if (entry === null) return null;
  const force = (entry as AnyBehavior).force;
  const now = shown ?? (typeof force === 'number' ? force : 0);
  const put = (value: number, again: boolean): Promise<unknown> =>
    actions.changeField({ kind: 'behavior', name: entry.name }, ['force'], value, again);
  return (
    <section aria-labelledby="inspect-pressure">
      <h2 id="inspect-pressure">Pressure</h2>
      <label class="number">
        <span>inside</span>
        <input
          type="range"
          aria-label={`pressure in ${body}`}
          title="Inflates or deflates it"
          min={0}
          max={Math.max(most(), now)}
          step={1}
          value={now}
          aria-valuetext={`${short(now)} pascals`}
          onInput={(event) => {
            const to = event.currentTarget.valueAsNumber;
            setShown(to);
            series.current ??= new Series(put, setWords);
            series.current.put(to);
          }}
          onChange={() => {
            series.current = null;
            setShown(null);
          }}
        />
        <output>{short(now)} Pa</output>
      </label>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </section>
  );
};
