// Steps every scene of the library in WebAssembly and prints its state hashes, a line for each scene:
// its name, the hash before the first step, the hash after each. `cargo xtask same-bits` compares them
// with those of native code (crates/linkwork-wasm/examples/same_bits.rs).
//
// Arguments: steps of a scene, and the work after which it is left (`Lab.work`).

import { readFileSync } from 'node:fs';
import { initSync, Lab } from '../src/wasm/linkwork_wasm.js';
import { openable } from './library.mjs';

const [steps, most] = process.argv.slice(2).map(Number);
initSync({ module: readFileSync(new URL('../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });

// A refusal must be the same too.
const oneWord = (error) => error.message.split(/\s+/).filter(Boolean).join('_');

const hashes = (name) => {
  let lab;
  try {
    lab = Lab.open(openable(name));
  } catch (error) {
    return [name, oneWord(error)];
  }
  const line = [name, lab.state_hash()];
  let work = 0;
  for (let step = 0; step < steps && work <= most; step += 1) {
    try {
      lab.step();
      line.push(lab.state_hash());
    } catch (error) {
      line.push(oneWord(error));
    }
    work += lab.work();
  }
  lab.free();
  return line;
};

for (const scene of JSON.parse(Lab.library())) {
  process.stdout.write(`${hashes(scene.small).join(' ')}\n`);
}
