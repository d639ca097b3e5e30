// Robots of other programs (URDF, MJCF): which of the files that were given is the model, and the worker that reads it.

import { MOST_BYTES } from './admit';

/** A file with its path in the folder that was given, or its name. */
export interface Given {
  path: string;
  file: File;
}

/** To the worker that reads robots. */
export interface Wish {
  model: string;
  files: Given[];
}

/** A robot as the text of a scene. */
export interface Robot {
  scene: string;
  /** Mesh files that were not given. */
  missing: string[];
  /** What was read, approximated and refused. */
  report: string;
}

/** From the worker that reads robots. */
export type Outcome = ({ type: 'read' } & Robot) | { type: 'refused'; text: string };

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** Whether a file may be a model: its name says so. */
export const isModel = ({ path }: Given): boolean => /\.(urdf|mjcf|xml)$/i.test(path);

/** Whether a text is a whole model: parts that others include are not. */
const isWhole = (text: string): boolean => /<(?:[\w-]+:)?(?:robot|mujoco)[\s>/]/.test(text);

/** Names of the files that a text includes. */
const included = (text: string): string[] =>
  [...text.matchAll(/<include\s[^>]*?file\s*=\s*["']([^"']+)["']/g)].map(([, path]) => nameOf(path ?? ''));

/** The models among texts, by their paths: those that are whole, and no part of another. If there is none, all. */
export const modelsOf = (texts: Map<string, string>): string[] => {
  const whole = [...texts].filter(([, text]) => isWhole(text));
  const parts = new Set(whole.flatMap(([path, text]) => included(text).filter((name) => name !== nameOf(path))));
  const models = whole.map(([path]) => path).filter((path) => !parts.has(nameOf(path)));
  const found = models.length > 0 ? models : whole.map(([path]) => path);
  return (found.length > 0 ? found : [...texts.keys()]).sort();
};

/** The models among files. */
export const findModels = async (files: Given[]): Promise<string[]> => {
  const texts = new Map<string, string>();
  // What is too large the worker refuses, by its name.
  for (const { path, file } of files.filter(isModel)) texts.set(path, file.size > MOST_BYTES ? '' : await file.text());
  return modelsOf(texts);
};

/** Reads a robot, in a worker of its own: it is loaded when it is needed, and gone afterwards. */
export const readRobot = (wish: Wish): Promise<Robot> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./robots.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => {
      worker.terminate();
      if (data.type === 'read') resolve(data);
      else reject(new Error(data.text));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new Error(`${wish.model} cannot be read: ${event.message || 'its reader failed'}.`));
    };
    worker.postMessage(wish);
  });
