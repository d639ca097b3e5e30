// What plots show: chosen quantities at every step, as far back as there is room for.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Quantity } from './engine/border';
import { quantityNow } from './renamed';
import { columns, onRows, watch } from './watching';

export const STEP_TIME = 'step time';

/** Rows that are kept: ten minutes of sixty a second. */
const MOST_ROWS = 36_000;
/** The most quantities at a time. */
export const MOST_CURVES = 12;

/** Numbers against time, one list for each name; all are as long as the times. */
export class Recording {
  times: number[] = [];
  readonly curves = new Map<string, { unit: string; values: number[] }>();

  constructor(private readonly most = MOST_ROWS) {}

  /** The curves stay, without their past. */
  forget(): void {
    this.times = [];
    for (const curve of this.curves.values()) curve.values = [];
  }

  /** Keeps these curves and no others; a new one has no past. */
  keep(quantities: readonly Quantity[]): void {
    const names = new Set(quantities.map(({ name }) => name));
    for (const name of this.curves.keys()) if (!names.has(name)) this.curves.delete(name);
    for (const { name, unit } of quantities) {
      if (this.curves.has(name)) continue;
      this.curves.set(name, { unit, values: this.times.map(() => Number.NaN) });
    }
  }

  /** The curves have other names. */
  rename(to: (name: string) => string): void {
    const curves = [...this.curves];
    this.curves.clear();
    for (const [name, curve] of curves) this.curves.set(to(name), curve);
  }

  /** A value for each curve, in their order. */
  add(time: number, values: readonly number[]): void {
    // A curve has one value at a time: after a reset it begins anew.
    if (time < (this.times.at(-1) ?? time)) this.forget();
    this.times.push(time);
    let k = 0;
    for (const curve of this.curves.values()) {
      curve.values.push(values[k] ?? Number.NaN);
      k += 1;
    }
    // Dropped by and by, a part at a time: moving all of them at every step would be slow.
    if (this.times.length <= 1.25 * this.most) return;
    const gone = this.times.length - this.most;
    this.times.splice(0, gone);
    for (const { values: own } of this.curves.values()) own.splice(0, gone);
  }

  /** From this row on, what is not older than so many seconds. */
  since(seconds: number): number {
    const from = (this.times.at(-1) ?? 0) - seconds;
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A table with time first and units in its header. */
  csv(): string {
    const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const titled = (name: string, unit: string): string => cell(unit === '' ? name : `${name} [${unit}]`);
    const curves = [...this.curves];
    const header = [titled('time', 's'), ...curves.map(([name, { unit }]) => titled(name, unit))];
    const lines = this.times.map((time, k) =>
      [time, ...curves.map(([, { values }]) => values[k] ?? Number.NaN)]
        .map((value) => (Number.isFinite(value) ? String(value) : ''))
        .join(','),
    );
    return `${[header.join(','), ...lines].join('\n')}\n`;
  }
}

export const recording = new Recording();
/** Changes whenever something was recorded. */
export const recorded = signal(0);
/** Changes whenever there are other curves, or their past is gone. */
export const remade = signal(0);
/** Names of the quantities that are plotted; vectors are one. */
export const chosen = signal<string[]>(['energy.total']);

/** What belongs to any scene. */
const isGeneral = (name: string): boolean => !/^(body|joint|trace|connector|behavior)\./.test(name);

/** Nothing is recorded before somebody wants to see it: it costs a little in every step. */
let isOn = false;

/** Records what is chosen, from now on. */
export const record = (): void => choose(chosen.value);

export const choose = (names: string[]): void => {
  isOn = true;
  chosen.value = [...new Set(names)].slice(0, MOST_CURVES);
  const watched = chosen.value.filter((name) => name !== STEP_TIME);
  // Steps are counted by rows, and rows come only when something is watched.
  watch(watched.length === 0 && chosen.value.length > 0 ? ['energy.total'] : watched);
  sort(columns.value);
};

/** Whether a column belongs to a chosen quantity: `joint.A.force.x` to `joint.A.force`. */
const isChosen = (column: string): boolean =>
  chosen.value.some((name) => column === name || (column.startsWith(`${name}.`) && !column.endsWith('.magnitude')));

const mine = (all: readonly Quantity[]): number[] => all.flatMap(({ name }, k) => (k > 0 && isChosen(name) ? [k] : []));

const sort = (all: readonly Quantity[]): void => {
  const own = mine(all).flatMap((k) => all[k] ?? []);
  const timed = chosen.value.includes(STEP_TIME) ? [{ name: STEP_TIME, unit: 'ms', about: '' }] : [];
  recording.keep([...own, ...timed]);
  remade.value += 1;
};
columns.subscribe(sort);

onRows((rows, all, stepTime) => {
  const own = mine(all);
  const n = all.length;
  // The order of the recording is that in which curves were chosen.
  const order = [...recording.curves.keys()];
  for (let row = 0; row + n <= rows.length; row += n) {
    const byName = new Map(own.map((k) => [all[k]?.name, rows[row + k] ?? Number.NaN]));
    byName.set(STEP_TIME, stepTime ?? Number.NaN);
    recording.add(
      rows[row] ?? Number.NaN,
      order.map((name) => byName.get(name) ?? Number.NaN),
    );
  }
  recorded.value += 1;
});

/** Begins anew with the same curves. */
export const forget = (): void => {
  recording.forget();
  recorded.value += 1;
  remade.value += 1;
};

// Before the columns are others: their past stays.
actions.onRenamed((all) => {
  recording.rename((name) => quantityNow(all, name));
  chosen.value = chosen.value.map((name) => quantityNow(all, name));
  remade.value += 1;
});

actions.onTold((message) => {
  if (message.type !== 'look' || !message.opened) return;
  forget();
  const names = chosen.value.filter(isGeneral);
  if (isOn) choose(names);
});
