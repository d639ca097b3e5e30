// The world's options as a file says them, as they are now.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { WorldEntry } from './engine/border';
import { latest } from './latest';

export const world = signal<WorldEntry | null>(null);

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
