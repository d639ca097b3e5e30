// Looks for linkages that follow a drawn path.

import { linkages, load } from './lab';
import type { Drawing, Outcome } from './linkages';

const say = (outcome: Outcome): void => self.postMessage(outcome);

self.onmessage = async ({ data }: MessageEvent<Drawing>): Promise<void> => {
  try {
    await load();
    say({ type: 'found', linkages: linkages(data.points, data.name) });
  } catch (error) {
    say({ type: 'refused', text: error instanceof Error ? error.message : String(error) });
  }
};
