// Steps scenes of the library in WebAssembly and prints their state hashes, a line for each scene: its name, the
// hash before the first step, the hash after each. `cargo xtask same-bits` compares them with those of native code
// (crates/linkwork-wasm/examples/same_bits.rs), and says on standard input which scene to step and how often, a line
// for each: `four-bar 1000`.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { initSync, Lab } from '../src/wasm/linkwork_wasm.js';
import { openable } from './library.mjs';

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

const left = new Set(JSON.parse(Lab.library()).map((scene) => scene.small));
for await (const line of createInterface({ input: process.stdin })) {
  const [name, steps] = line.split(' ');
  left.delete(name);
  process.stdout.write(`${hashes(name, Number(steps)).join(' ')}\n`);
}
// What native code has not.
for (const name of left) process.stdout.write(`${name}\n`);
