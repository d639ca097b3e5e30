// What a step costs in WebAssembly, on node.
//
//     node tests/speed.mjs [SCENE] [STEPS]     mean and median step of a scene; ladder3:6,96 and 120 when left out
//     node tests/speed.mjs --all [STEPS]       the slowest step of every scene of the library

import { readFileSync } from 'node:fs';
import { initSync, Lab } from '../src/wasm/linkwork_wasm.js';
import { openable } from './library.mjs';

initSync({ module: readFileSync(new URL('../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });

/** Time of the processor so far, ms: what else the machine does is not in it. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** What each step takes, ms; a refused step ends the list. */
const times = (lab, steps, dt) => {
  const taken = [];
  for (let step = 0; step < steps; step += 1) {
    const start = now();
    try {
      lab.step(dt);
    } catch (error) {
      console.error(error.message);
      return taken;
    }
    taken.push(now() - start);
  }
  return taken;
};

/** The first run is not counted: node compiles beside it. */
const RUNS = 4;

/** The least each step takes over some runs, and the last report. */
const leastTimes = (name, steps, dt) => {
  let taken = [];
  let report;
  for (let run = 0; run < RUNS; run += 1) {
    const lab = Lab.open(openable(name));
    const own = times(lab, steps, dt);
    report = JSON.parse(lab.report());
    lab.free();
    taken = run < 2 ? own : taken.map((time, step) => Math.min(time, own[step]));
  }
  return { report, taken };
};

const median = (taken) => taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)] ?? Number.NaN;
const mean = (taken) => taken.reduce((sum, time) => sum + time, 0) / taken.length;
const ms = (value) => `${value.toFixed(2)} ms`.padStart(12);

const one = (name, steps) => {
  const { report, taken } = leastTimes(name, steps, 1 / 60);
  const { rows, loops, residual_m } = report;
  console.log(
    `${name}: ${rows} rows, ${loops} loops, ${steps} steps of 1/60 s, residual ${residual_m.toExponential(1)} m`,
  );
  console.log(`mean ${ms(mean(taken))}   median ${ms(median(taken))}   most ${ms(Math.max(...taken))}`);
};

const all = (steps) => {
  console.log(`${'scene'.padEnd(24)}${'first'.padStart(12)}${'median'.padStart(12)}${'most'.padStart(12)}`);
  for (const { small } of JSON.parse(Lab.library())) {
    const { taken } = leastTimes(small, steps);
    console.log(`${small.padEnd(24)}${[taken[0], median(taken), Math.max(...taken)].map(ms).join('')}`);
  }
};

const [what = 'ladder3:6,96', steps] = process.argv.slice(2);
if (what === '--all') all(Number(steps ?? 60));
else one(what, Number(steps ?? 120));
