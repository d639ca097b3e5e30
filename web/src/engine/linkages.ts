// Linkages that follow a drawn path: the worker that looks for them.

import type { Linkage } from './border';

/** To the worker: the points of the path, and what the scenes are called. */
export interface Drawing {
  points: [number, number][];
  name: string;
}

/** From the worker. */
export type Outcome = { type: 'found'; linkages: Linkage[] } | { type: 'refused'; text: string };

/** Looks for linkages in a worker of its own: it takes a second, and the simulation goes on. `stop` ends it. */
export const lookFor = (drawing: Drawing): { found: Promise<Linkage[]>; stop: () => void } => {
  const worker = new Worker(new URL('./linkages.worker.ts', import.meta.url), { type: 'module' });
  const found = new Promise<Linkage[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => {
      worker.terminate();
      if (data.type === 'found') resolve(data.linkages);
      else reject(new Error(data.text));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new Error(`No linkage was found: ${event.message || 'the search failed'}.`));
    };
  });
  worker.postMessage(drawing);
  return { found, stop: () => worker.terminate() };
};
