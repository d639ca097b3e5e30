// Reads robots: files are read when the importer asks for them.

import init, { robot } from '../wasm/linkwork_import_wasm.js';
import type { Outcome, Wish } from './robots';

/** Only workers have it, and the types of pages do not know it. */
declare const FileReaderSync: new () => { readAsArrayBuffer: (file: Blob) => ArrayBuffer };

const say = (outcome: Outcome): void => self.postMessage(outcome);

self.onmessage = async ({ data }: MessageEvent<Wish>): Promise<void> => {
  const files = new Map(data.files.map(({ path, file }) => [path, file]));
  const given = {
    paths: (): string[] => [...files.keys()],
    size: (path: string): number => files.get(path)?.size ?? 0,
    read: (path: string): Uint8Array => {
      const file = files.get(path);
      // A file that changed or went since it was given.
      if (file === undefined) throw 'it is not there';
      try {
        return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file));
      } catch (error) {
        throw error instanceof Error ? error.message : String(error);
      }
    },
  };
  try {
    await init();
    const { scene, missing, report } = robot(given, data.model);
    say({ type: 'read', scene, missing, report });
  } catch (error) {
    say({ type: 'refused', text: error instanceof Error ? error.message : String(error) });
  }
};
