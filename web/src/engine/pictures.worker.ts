// Opens scenes for their pictures, beside the worker that runs the scene of the page.

import init, { Lab } from '../wasm/linkwork_wasm.js';
import type { Look, Preview, Wanted } from './words';

const isThere = init();

const preview = ({ name, text }: Wanted): Preview => {
  const scene = Lab.open(text);
  try {
    return { name, look: JSON.parse(scene.describe()) as Look, poses: scene.poses() };
  } finally {
    scene.free();
  }
};

self.onmessage = async (event: MessageEvent<Wanted>): Promise<void> => {
  const { name } = event.data;
  try {
    await isThere;
    self.postMessage(preview(event.data));
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    self.postMessage({ name, fault } satisfies Preview);
  }
};
