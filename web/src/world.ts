// The world's options as a file says them, as they are now.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Entry } from './engine/words';

export const world = signal<Entry | null>(null);

let isAsking = false;
let isStale = false;

const look = async (): Promise<void> => {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (isStale) {
      isStale = false;
      world.value = await actions.entry('world');
    }
  } catch {
    // No scene is open.
    world.value = null;
  } finally {
    isAsking = false;
  }
};

actions.onTold((message) => {
  if (message.type === 'look') void look();
});
