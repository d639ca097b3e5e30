// Quantities that are recorded at every step.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Quantity } from './engine/border';
import { latest } from './latest';
import { quantityNow } from './renamed';

/** Rows, time first, one after another; `stepTime` is that of the last step, ms. */
type Hears = (rows: Float64Array, columns: Quantity[], stepTime: number | null) => void;

let watched: string[] = [];
const hearers: Hears[] = [];

/** The columns of rows, time first. */
export const columns = signal<Quantity[]>([]);

export const onRows = (hears: Hears): void => {
  hearers.push(hears);
};

/** Quantities that the scene no longer has are dropped. */
const granted = async (): Promise<Quantity[]> => {
  try {
    return await actions.watch(watched);
  } catch {
    const known = new Set((await actions.quantities()).map(({ name }) => name));
    watched = watched.filter((name) => known.has(name));
    return actions.watch(watched);
  }
};

const ask = latest(async () => {
  try {
    columns.value = await granted();
  } catch (error) {
    columns.value = [];
    actions.say(error);
  }
});

/** Records these quantities, in place of those before. */
export const watch = (names: readonly string[]): void => {
  if (watched.length === names.length && watched.every((name, k) => name === names[k])) return;
  watched = [...names];
  void ask();
};

actions.onRenamed((all) => {
  columns.value = columns.value.map((own) => ({ ...own, name: quantityNow(all, own.name) }));
  watched = watched.map((name) => quantityNow(all, name));
  if (columns.value.length > 0) void ask();
});

actions.onTold((message) => {
  // The engine forgets what was watched when it opens a scene.
  if (message.type === 'look' && message.opened) {
    columns.value = [];
    if (watched.length > 0) void ask();
  }
  if (message.type === 'frame' && message.watched !== null && columns.value.length > 0) {
    for (const hears of hearers) hears(message.watched, columns.value, message.stepTime);
  }
});
