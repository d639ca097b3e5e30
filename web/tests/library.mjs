// What the engine opens for a name of the library: the text of its file, where it has one.

import { existsSync, readFileSync } from 'node:fs';

export const openable = (name) => {
  const file = new URL(`../../crates/linkwork-scene/scenes/${name}.json`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : name;
};
