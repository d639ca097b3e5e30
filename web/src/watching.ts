// What is recorded at every step. Panels wish for quantities; the engine is asked for all of them together.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Quantity } from './engine/border';
import { latest } from './latest';
import { quantityNow } from './renamed';

type Who = 'plots' | 'inspector';
/** Rows, time first, one after another; `stepTime` is that of the last step, ms. */
type Hears = (rows: Float64Array, columns: Quantity[], stepTime: number | null) => void;

const wishes = new Map<Who, string[]>();
const hearers: Hears[] = [];

/** The columns of rows, time first. */
export const columns = signal<Quantity[]>([]);

export const onRows = (hears: Hears): void => {
  hearers.push(hears);
};

const all = (): string[] => [...new Set([...wishes.values()].flat())];

/** Wishes that the scene cannot grant any more are dropped. */
const granted = async (): Promise<Quantity[]> => {
  try {
    return await actions.watch(all());
  } catch {
    const known = new Set((await actions.quantities()).map(({ name }) => name));
    for (const [who, names] of wishes)
      wishes.set(
        who,
        names.filter((name) => known.has(name)),
      );
    return actions.watch(all());
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

/** Wishes for these quantities, in place of what was wished for before. */
export const wish = (who: Who, names: string[]): void => {
  const before = wishes.get(who) ?? [];
  if (before.length === names.length && before.every((name, k) => name === names[k])) return;
  wishes.set(who, names);
  void ask();
};

actions.onRenamed((all) => {
  columns.value = columns.value.map((own) => ({ ...own, name: quantityNow(all, own.name) }));
  for (const [who, names] of wishes)
    wishes.set(
      who,
      names.map((name) => quantityNow(all, name)),
    );
  if (columns.value.length > 0) void ask();
});

actions.onTold((message) => {
  // A scene that is opened is watched by nobody.
  if (message.type === 'look' && message.opened) {
    columns.value = [];
    if (all().length > 0) void ask();
  }
  if (message.type === 'frame' && message.watched !== null && columns.value.length > 0) {
    for (const hears of hearers) hears(message.watched, columns.value, message.stepTime);
  }
});
