// Scenes of the library that are files: they lie beside the page and come when they are asked for. The engine
// has only the scenes that it builds from numbers.

import { textOf } from './admit';

/** Addresses of the files, by their paths from their folder. */
const FILES = import.meta.glob<string>(['./*.json', '!./*.schema.json'], {
  base: '../../../crates/linkwork-scene/scenes',
  query: '?url',
  import: 'default',
  eager: true,
});

/** The text of a scene at an address below the page's; `title` is what people call it. */
export const fetchText = async (address: string, title = address): Promise<string> => {
  let bytes: ArrayBuffer;
  try {
    const answer = await fetch(new URL(address, document.baseURI));
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
    bytes = await answer.arrayBuffer();
  } catch (error) {
    throw new Error(`${title} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return textOf(bytes, title);
};

/** What the engine can open: the text of the file with this name, else what was given. */
export const openable = async (nameOrText: string): Promise<string> => {
  const address = FILES[`./${nameOrText}.json`];
  return address === undefined ? nameOrText : fetchText(address, `scenes/${nameOrText}.json`);
};
