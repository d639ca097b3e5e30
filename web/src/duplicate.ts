// A second body like one that is there, beside it.

import * as actions from './actions';
import type { Entry } from './engine/words';
import * as state from './state';

const MOTION = ['velocity', 'angular_velocity', 'spin', 'v'];

/** The entry of the copy: `aside` further along x, at rest. */
export const copyOf = (entry: Entry, name: string, aside: number): Entry => {
  const copy = Object.fromEntries(Object.entries(entry).filter(([key]) => !MOTION.includes(key)));
  for (const place of ['position', 'q', 'from', 'to']) {
    const numbers = copy[place];
    if (Array.isArray(numbers)) copy[place] = (numbers as number[]).map((own, k) => (k === 0 ? own + aside : own));
  }
  return { ...copy, name };
};

export const duplicate = async (body: string): Promise<void> => {
  const name = actions.freeName(`${body} copy`);
  const entry = copyOf(await actions.entry('body', body), name, 0.2 * (state.look.value?.extent ?? 1));
  if (await actions.edit({ add_body: entry })) state.selection.value = { kind: 'body', name };
};
