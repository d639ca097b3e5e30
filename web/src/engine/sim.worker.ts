// The worker that owns the engine: time passes here, and nothing else touches the scene.

import init, { Lab } from '../wasm/linkwork_wasm.js';
import { Pace } from './pace';
import type { Ask, Certificate, Command, FromWorker, Listing, Look, ToWorker } from './words';

let lab: Lab | null = null;
let version = 0;
let running = false;
let stepTime: number | null = null;
let frame = 1 / 60;
const pace = new Pace();
/** Buffers that the page has sent back. */
let spare: ArrayBuffer[] = [];

const say = (message: FromWorker, transfer: Transferable[] = []): void => {
  self.postMessage(message, { transfer });
};

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const opened = (): Lab => {
  if (lab === null) throw new Error('no scene is open');
  return lab;
};

/** Poses in a buffer that was used before, if one fits. */
const poses = (from: Lab): ArrayBuffer => {
  const buffer = spare.pop();
  if (buffer !== undefined && from.poses_into(new Float64Array(buffer))) return buffer;
  return from.poses().buffer as ArrayBuffer;
};

const tellFrame = (): void => {
  const from = opened();
  const certificate = JSON.parse(from.report()) as Certificate;
  const buffer = poses(from);
  say({ type: 'frame', version, poses: buffer, certificate, stepTime, running }, [buffer]);
};

const tellLook = (isOpened: boolean): void => {
  const from = opened();
  const look = JSON.parse(from.describe()) as Look;
  frame = look.frame;
  version += 1;
  // What comes back from now on may have another length.
  spare = [];
  const buffer = from.poses().buffer as ArrayBuffer;
  say({ type: 'look', version, opened: isOpened, look, poses: buffer }, [buffer]);
};

/** What a frame may take while time runs, ms. Few ever do; the certificate says so, and the log keeps it. */
const DEADLINE = 200;

const step = (deadline?: number): void => {
  const start = performance.now();
  if (deadline === undefined) opened().step();
  else opened().step(undefined, () => performance.now() > start + deadline);
  stepTime = performance.now() - start;
};

/** Steps until the scene's time has caught up with the clock, or gives the difference up. */
const tick = (): void => {
  if (!running) return;
  try {
    const due = pace.due(performance.now() / 1000, frame);
    for (let k = 0; k < due; k += 1) {
      step(DEADLINE);
      pace.took((stepTime ?? 0) / 1000);
    }
    if (due > 0) tellFrame();
  } catch (error) {
    running = false;
    say({ type: 'fault', text: words(error) });
    tellFrame();
  }
  setTimeout(tick, 1);
};

const setRunning = (to: boolean): void => {
  if (to === running) return;
  running = to;
  if (running) {
    pace.start(performance.now() / 1000);
    tick();
  }
};

/** Commands that change what is drawn; hands and time do not. */
const changesLook = (command: Command): boolean => {
  const word = typeof command === 'string' ? command : (Object.keys(command)[0] ?? '');
  return !['grab', 'drag', 'hold', 'release', 'step', 'assemble'].includes(word);
};

const answer = (ask: Ask): string | null => {
  switch (ask.type) {
    case 'open': {
      // A scene that cannot be opened leaves the present one as it is.
      const next = Lab.open(ask.text);
      lab?.free();
      lab = next;
      stepTime = null;
      pace.start(performance.now() / 1000);
      tellLook(true);
      tellFrame();
      return null;
    }
    case 'apply': {
      try {
        for (const command of ask.commands) opened().apply(JSON.stringify(command));
      } finally {
        if (ask.commands.some(changesLook)) tellLook(false);
        if (!running) tellFrame();
      }
      return null;
    }
    case 'run':
      opened();
      setRunning(ask.running);
      tellFrame();
      return null;
    case 'step':
      setRunning(false);
      step();
      tellFrame();
      return null;
    case 'save':
      return opened().save();
    case 'log':
      return opened().log();
    case 'hash':
      return opened().state_hash();
  }
};

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  if ('recycle' in message) {
    if (spare.length < 3) spare.push(message.recycle);
    return;
  }
  const { id, ask } = message;
  try {
    say({ type: 'answer', id, value: answer(ask), fault: null });
  } catch (error) {
    say({ type: 'answer', id, value: null, fault: words(error) });
  }
};

await init();
say({ type: 'ready', library: JSON.parse(Lab.library()) as Listing[] });
