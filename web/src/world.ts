// The world's options as a file says them, as they are now.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Entry } from './engine/words';
import { latest } from './latest';

export const world = signal<Entry | null>(null);

const look = latest(async () => {
  try {
    world.value = await actions.entry('world');
  } catch {
    // No scene is open.
    world.value = null;
  }
});

actions.onTold((message) => {
  if (message.type === 'look') void look();
});
