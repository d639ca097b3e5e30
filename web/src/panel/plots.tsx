// Quantities against time: energy, errors, cost, and whatever else has a name in the scene.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Quantity } from '../engine/border';
import { pulse } from '../now';
import { choose, chosen, forget, MOST_CURVES, record, recording, remade, STEP_TIME } from '../recording';
import { quantityNow } from '../renamed';
import * as state from '../state';
import { short } from './format';
import { CURVES, UnitPlot } from './unit_plot';

const USUAL: [string, string][] = [
  ['energy.total', 'energy'],
  ['step.position_error', 'residual'],
  ['step.iterations', 'iterations'],
  [STEP_TIME, 'step time'],
];

/** How much of the past is shown, s. */
const SPANS = [2, 5, 10, 20, 60, 120, 600];
/** The most that a list shows; more words find the rest. */
const MOST_FOUND = 40;

const toggle = (name: string): void =>
  choose(chosen.value.includes(name) ? chosen.value.filter((own) => own !== name) : [...chosen.value, name]);

/** Quantities that have all the words; first those whose names end with the last one: `angle` before `angle_error`. */
export const found = (all: Quantity[], wanted: string): Quantity[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const have = all.filter(({ name, about }) => {
    const text = `${name} ${about}`.toLowerCase();
    return name !== 'time' && words.every((word) => text.includes(word));
  });
  const isMeant = ({ name }: Quantity): boolean => name.toLowerCase().endsWith(`.${words.at(-1) ?? ''}`);
  return [...have.filter(isMeant), ...have.filter((own) => !isMeant(own))];
};

/** What is searched for: words, or the name of a quantity. */
const sought = signal('');
actions.onRenamed((all) => {
  sought.value = quantityNow(all, sought.value);
});
actions.onTold((message) => {
  if (message.type === 'look' && message.opened) sought.value = '';
});

const Chooser = () => {
  const wanted = sought.value;
  const [all, setAll] = useState<Quantity[]>([]);
  const look = state.look.value;
  const isSearching = wanted.trim() !== '';
  useEffect(() => {
    if (isSearching) actions.quantities().then(setAll, () => setAll([]));
  }, [look, isSearching]);
  const list = isSearching ? found(all, wanted) : [];
  return (
    <div class="quantities">
      <input
        type="search"
        aria-label="Find a quantity"
        placeholder="Add: joint, body, force, position …"
        value={wanted}
        onInput={(event) => {
          sought.value = event.currentTarget.value;
        }}
      />
      {list.length === 0 ? null : (
        <ul aria-label="Quantities">
          {list.slice(0, MOST_FOUND).map(({ name, unit, about }) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={chosen.value.includes(name)}
                title={about}
                onClick={() => toggle(name)}
              >
                <span>{name}</span> <span class="unit">{unit}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isSearching && list.length === 0 ? <p class="quiet">Nothing matches.</p> : null}
      {list.length > MOST_FOUND ? <p class="quiet">{list.length - MOST_FOUND} more: add a word.</p> : null}
    </div>
  );
};

/** Names of curves by their unit, in the order they were chosen. */
const groups = (): [string, string[]][] => {
  const byUnit = new Map<string, string[]>();
  for (const [name, { unit }] of recording.curves) byUnit.set(unit, [...(byUnit.get(unit) ?? []), name]);
  return [...byUnit];
};

/** The chosen quantity a column belongs to. */
const ownerOf = (column: string): string =>
  chosen.value.find((name) => column === name || column.startsWith(`${name}.`)) ?? column;

const Values = ({ seconds }: { seconds: number }) => {
  void pulse.value;
  const from = recording.since(seconds);
  const told = (value: number | undefined): string =>
    value === undefined || !Number.isFinite(value) ? '–' : short(value);
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">curve</th>
          <th scope="col">now</th>
          <th scope="col">least</th>
          <th scope="col">most</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {[...recording.curves].map(([name, { unit, values }], order) => {
          const seen = values.slice(from).filter(Number.isFinite);
          const least = seen.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
          const most = seen.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
          return (
            <tr key={name}>
              <th scope="row" class={`curve-${(order % CURVES) + 1}`} title={unit}>
                {name}
              </th>
              <td>{told(values.at(-1))}</td>
              <td>{told(least)}</td>
              <td>{told(most)}</td>
              <td>
                <button type="button" class="link" aria-label={`Remove ${name}`} onClick={() => toggle(ownerOf(name))}>
                  ×
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const saveCsv = (): void => actions.download(recording.csv(), `${actions.fileName()}.csv`, 'text/csv');

export const Plots = () => {
  const [span, setSpan] = useState(2);
  useEffect(record, []);
  // Pictures follow what is recorded by themselves; all else is looked at calmly.
  void pulse.value;
  void remade.value;
  const seconds = SPANS[span] ?? 10;
  return (
    <section aria-label="Plots" class="plots">
      <div class="usual" role="group" aria-label="Usual curves">
        {USUAL.map(([name, title]) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.value.includes(name)} onChange={() => toggle(name)} /> {title}
          </label>
        ))}
      </div>
      <Chooser />
      {chosen.value.length >= MOST_CURVES ? <p class="quiet">At most {MOST_CURVES} quantities at a time.</p> : null}
      {groups().map(([unit, names]) => (
        <UnitPlot key={unit} unit={unit} names={names} seconds={seconds} />
      ))}
      {recording.curves.size === 0 ? <p class="quiet">Choose what to plot.</p> : <Values seconds={seconds} />}
      {recording.times.length === 0 ? <p class="quiet">Curves grow while time runs.</p> : null}
      <label class="field span">
        <span>last {seconds} s</span>
        <input
          type="range"
          aria-label="How much of the past is shown"
          aria-valuetext={`${seconds} seconds`}
          min={0}
          max={SPANS.length - 1}
          value={span}
          onInput={(event) => setSpan(Number(event.currentTarget.value))}
        />
      </label>
      <div class="buttons">
        <button type="button" disabled={recording.times.length === 0} onClick={saveCsv}>
          Download CSV
        </button>
        <button type="button" disabled={recording.times.length === 0} onClick={forget}>
          Clear
        </button>
      </div>
    </section>
  );
};
