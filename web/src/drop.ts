// Files and folders that are dropped onto the window are opened, or put into the scene.

import { openFiles, say } from './actions';
import { addData, isData } from './data';
import type { Given } from './engine/robots';

/** More files than this are no robot's. */
const MOST_FILES = 20_000;

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const someOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

/** All files in folders and below, by their paths. */
export const filesIn = async (entries: FileSystemEntry[]): Promise<Given[]> => {
  const files: Given[] = [];
  const open = [...entries];
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const path = entry.fullPath.replace(/^\//, '');
    if (entry.isFile) files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    if (entry.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      // A folder tells a part of what it has at a time.
      for (let some = await someOf(reader); some.length > 0; some = await someOf(reader)) open.push(...some);
    }
    if (files.length + open.length > MOST_FILES)
      throw new Error(`These are more than ${MOST_FILES.toLocaleString('en')} files. Drop the folder of one robot.`);
  }
  return files;
};

/** Takes files that were given at once: data for the scene that is open, or else something to open. */
export const take = (files: Given[]): void => {
  if (files.length > 0 && files.every(isData)) addData(files).catch(say);
  else openFiles(files);
};

export const listenToDrops = (): void => {
  // Without this the browser would leave the page for the file.
  window.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { items, files } = event.dataTransfer ?? {};
    // Only now: the browser forgets what was dropped when this function is left.
    const entries = [...(items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
    const known = entries.filter((entry) => entry !== null);
    if (known.some(({ isDirectory }) => isDirectory)) filesIn(known).then(take).catch(say);
    else take([...(files ?? [])].map((file) => ({ path: file.name, file })));
  });
};
