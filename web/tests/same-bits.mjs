// Steps every scene of the library in WebAssembly and prints its state hashes, a line for each scene:
// its name, the hash before the first step, the hash after each. `cargo xtask same-bits` compares them
// with those of native code (crates/linkwork-wasm/examples/same_bits.rs).
//
// Arguments: steps of a scene, then NAME=STEPS for those that take others.

import { readFileSync } from 'node:fs';
import { initSync, Lab } from '../src/wasm/linkwork_wasm.js';
import { openable } from './library.mjs';

const [all, ...dear] = process.argv.slice(2);
const own = new Map(dear.map((argument) => argument.split('=')));
initSync({ module: readFileSync(new URL('../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });

// A refusal must be the same too.
const oneWord = (error) => error.message.split(/\s+/).filter(Boolean).join('_');

const hashes = (name, steps) => {
  let lab;
  try {
    lab = Lab.open(openable(name));
  } catch (error) {
    return [name, oneWord(error)];
  }
  const line = [name, lab.state_hash()];
  for (let step = 0; step < steps; step += 1) {
    try {
      lab.step();
      line.push(lab.state_hash());
    } catch (error) {
      line.push(oneWord(error));
    }
  }
  lab.free();
  return line;
};

for (const scene of JSON.parse(Lab.library())) {
  const steps = Number(own.get(scene.name) ?? all);
  process.stdout.write(`${hashes(scene.small, steps).join(' ')}\n`);
}
