// Opens scenes for their pictures, beside the worker that runs the scene of the page.

import { Lab, load } from './lab';
import type { Preview, Wanted } from './messages';

const isThere = load();

const say = (preview: Preview): void => self.postMessage(preview);

const preview = ({ name, text }: Wanted): Preview => {
  const scene = Lab.open(text);
  try {
    return { type: 'seen', name, look: scene.look(), poses: scene.poses() };
  } finally {
    scene.free();
  }
};

self.onmessage = async (event: MessageEvent<Wanted>): Promise<void> => {
  const { name } = event.data;
  try {
    await isThere;
    say(preview(event.data));
  } catch (error) {
    say({ type: 'refused', name, fault: error instanceof Error ? error.message : String(error) });
  }
};
