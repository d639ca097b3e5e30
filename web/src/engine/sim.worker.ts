// The worker that owns the engine: time passes here, and nothing else touches the scene.

import init, { Lab } from '../wasm/linkwork_wasm.js';
import { refuseBodies, refuseTooLarge } from './admit';
import { Keep } from './keep';
import { retimed } from './motion';
import { Pace } from './pace';
import { rehearse } from './rehearse';
import {
  type Ask,
  type Certificate,
  type Command,
  type Entry,
  type FromWorker,
  type Kill,
  type Listing,
  type Look,
  SLOT,
  type ToWorker,
} from './words';

let lab: Lab | null = null;
let version = 0;
let running = false;
let stepTime: number | null = null;
let frame = 1 / 60;
let speed = 1;
let forcesShown = false;
let wiggling: { motion: number; since: number } | null = null;
/** Poses that are still due while time stands and a hand holds something. */
let posesDue = 0;
const pace = new Pace();
const keep = new Keep();
/** Hands that somebody drags, by name; those of a file stay where they are. */
const hands = new Set<string>();
/** The last question with commands for hands, and the last of those that a step or a pose has seen. */
let asked = -1;
let included = -1;
/** Buffers that the page has sent back. */
let spare: ArrayBuffer[] = [];

const say = (message: FromWorker, transfer: Transferable[] = []): void => {
  self.postMessage(message, { transfer });
};

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Refusals of the engine are plain errors. A trap, memory or stack that ran out, leave it half way. */
const isDeath = (error: unknown): boolean => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

/** Says what went wrong; true if the engine is still there. */
const survives = (error: unknown): boolean => {
  if (!isDeath(error)) return true;
  running = false;
  posesDue = 0;
  wiggling = null;
  lab = null;
  say({ type: 'died', text: words(error) });
  return false;
};

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
  // A joint that broke is drawn otherwise.
  if (certificate.events.length > 0) tellLook(false);
  const buffer = poses(from);
  const watched = from.watched();
  say(
    {
      type: 'frame',
      version,
      poses: buffer,
      certificate,
      after: included,
      stepTime,
      running,
      watched: watched.length === 0 ? null : watched,
      forces: forcesShown ? from.forces() : null,
      wiggling: null,
    },
    [buffer],
  );
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

/** One frame; in slow motion a shorter one, so that the picture stays smooth. */
const step = (deadline?: number): void => {
  const start = performance.now();
  const dt = speed < 1 ? frame * speed : undefined;
  if (deadline === undefined) opened().step(dt);
  else opened().step(dt, () => performance.now() > start + deadline);
  stepTime = performance.now() - start;
  included = asked;
  keep.moved();
};

/** Steps until the scene's time has caught up with the clock, or gives the difference up. */
const tick = (): void => {
  if (!running) return;
  try {
    const due = pace.due(performance.now() / 1000, frame / Math.max(speed, 1));
    for (let k = 0; k < due; k += 1) {
      step(DEADLINE);
      pace.took((stepTime ?? 0) / 1000);
    }
    if (due > 0) tellFrame();
  } catch (error) {
    if (!survives(error)) return;
    running = false;
    say({ type: 'fault', text: words(error) });
    tellFrame();
  }
  setTimeout(tick, 1);
};

/** What a pose may take, ms; those that follow go on with it. */
const POSE_DEADLINE = 50;
/** Between poses, ms. */
const FRAME = 16;
/** How long a hand goes on moving things after its last move, or after joints closed further: frames. */
const SETTLE = 60;

/** The least that joints were open since the hand moved, metres. */
let leastGap = Infinity;
/** Whether the last pose was cut short and closed joints further than those before it: there is more to come. */
const isClosing = ({ ended, residual }: Certificate): boolean => {
  const isNearer = residual < 0.9 * leastGap;
  leastGap = Math.min(leastGap, residual);
  return isNearer && (ended === 'iterations' || ended === 'deadline');
};

/** Hands move what they hold while time stands. */
const pose = (): void => {
  if (running || posesDue <= 0) return;
  try {
    const last = JSON.parse(opened().report()) as Certificate;
    // Nobody holds anything any more: a pose of nothing would be one more edit to undo.
    if (last.hands.length === 0) {
      posesDue = 0;
      return;
    }
    posesDue = isClosing(last) ? SETTLE : posesDue - 1;
    const start = performance.now();
    opened().pose(() => performance.now() > start + POSE_DEADLINE);
    stepTime = performance.now() - start;
    included = asked;
    keep.moved();
    tellFrame();
  } catch (error) {
    if (!survives(error)) return;
    posesDue = 0;
    say({ type: 'fault', text: words(error) });
  }
  if (posesDue > 0) poseIn(FRAME);
};

let poseTimer = 0;
/** Poses after so many ms. By a timer even at once: of moves that came meanwhile, only the last is posed. */
const poseIn = (wait: number): void => {
  clearTimeout(poseTimer);
  poseTimer = self.setTimeout(pose, wait);
};

/** Seconds a motion takes to and fro. */
const WIGGLE = 2.4;

const wiggle = (): void => {
  if (wiggling === null || lab === null) return;
  const { motion, since } = wiggling;
  const phase = (2 * Math.PI * (performance.now() - since)) / 1000 / WIGGLE;
  try {
    const buffer = lab.wiggle(motion, Math.sin(phase)).buffer as ArrayBuffer;
    const certificate = JSON.parse(lab.report()) as Certificate;
    const quiet = { after: included, stepTime, running, watched: null, forces: null, wiggling: motion };
    say({ type: 'frame', version, poses: buffer, certificate, ...quiet }, [buffer]);
  } catch (error) {
    if (!survives(error)) return;
    stopWiggling();
    say({ type: 'fault', text: words(error) });
    return;
  }
  setTimeout(wiggle, 25);
};

const stopWiggling = (): void => {
  if (wiggling === null) return;
  wiggling = null;
  tellFrame();
};

const setRunning = (to: boolean): void => {
  if (to === running) return;
  running = to;
  if (running) {
    pace.start(performance.now() / 1000);
    tick();
  }
};

const wordOf = (command: Command): string => (typeof command === 'string' ? command : (Object.keys(command)[0] ?? ''));

/** Commands that change what is drawn; hands and time do not. */
const changesLook = (command: Command): boolean =>
  !['grab', 'drag', 'hold', 'release', 'step', 'pose', 'assemble'].includes(wordOf(command));

const isHand = (command: Command): boolean => ['grab', 'drag', 'hold'].includes(wordOf(command));

/** While time stands nothing closes what an edit has opened: it is closed at once. */
const OPEN = 1e-6;
const closeNow = (): void => {
  const certificate = JSON.parse(opened().report()) as Certificate;
  if (certificate.residual > OPEN) opened().apply('{"assemble": {}}');
};

/** What commands have changed, where neither time nor a pose will tell. */
const tellChange = (commands: Command[]): void => {
  if (commands.some(changesLook)) {
    keep.edited();
    tellLook(false);
  }
  if (!running && !commands.every(isHand)) tellFrame();
};

const apply = (command: Command): void => {
  // Whether it can be let go or not, nobody drags it.
  if (typeof command === 'object' && 'release' in command) hands.delete(command.release as string);
  opened().apply(JSON.stringify(command));
  if (typeof command === 'object' && 'grab' in command) hands.add((command.grab as { name: string }).name);
};

/** Gives the page a copy of the world now and then; not while somebody drags, who would feel it. */
const keepCopy = (): void => {
  const start = performance.now();
  if (lab === null || hands.size > 0 || !keep.isDue(start / 1000)) return;
  try {
    const { time } = JSON.parse(lab.report()) as Certificate;
    say({ type: 'kept', text: lab.save(), time });
  } catch (error) {
    // A world that cannot be written down goes on, and is tried again later.
    if (!survives(error)) return;
  }
  const end = performance.now();
  keep.kept(end / 1000, (end - start) / 1000);
};

const answer = (ask: Ask, id: number): string | null => {
  switch (ask.type) {
    case 'open': {
      // A scene that cannot be opened leaves the present one as it is.
      refuseTooLarge(ask.text);
      const next = Lab.open(ask.text);
      try {
        refuseBodies(next.poses().length / SLOT);
      } catch (error) {
        next.free();
        throw error;
      }
      lab?.free();
      lab = next;
      hands.clear();
      keep.kept(performance.now() / 1000, 0);
      stepTime = null;
      posesDue = 0;
      wiggling = null;
      pace.start(performance.now() / 1000);
      tellLook(true);
      tellFrame();
      return null;
    }
    case 'apply': {
      stopWiggling();
      try {
        for (const command of ask.commands) apply(command);
        if (ask.commands.some(isHand)) asked = id;
        if (!running && ask.commands.some(changesLook)) closeNow();
      } catch (error) {
        // Commands before the one that failed have been done.
        if (!isDeath(error)) tellChange(ask.commands);
        throw error;
      }
      tellChange(ask.commands);
      if (!running && ask.commands.some(isHand)) {
        posesDue = SETTLE;
        leastGap = Infinity;
        // What is only grabbed stays where it is: the drag that follows would wait for that pose.
        poseIn(ask.commands.every((command) => wordOf(command) === 'grab') ? FRAME : 0);
      }
      return null;
    }
    case 'drive': {
      const { time } = JSON.parse(opened().report()) as Certificate;
      const entry = JSON.parse(opened().entry('joint', ask.joint)) as Entry;
      const set_joint = { ...entry, function: retimed(entry.function as Entry, ask.to, time) };
      return answer({ type: 'apply', commands: [...(ask.again ? ['undo'] : []), { set_joint }] }, id);
    }
    case 'speed':
      speed = Math.min(Math.max(ask.speed, 1e-3), 10);
      pace.start(performance.now() / 1000);
      return null;
    case 'entry':
      return opened().entry(ask.kind, ask.name);
    case 'places':
      return opened().places();
    case 'quantities':
      return opened().quantities();
    case 'watch':
      return opened().watch(JSON.stringify(ask.names));
    case 'forces':
      forcesShown = ask.shown;
      if (!running) tellFrame();
      return null;
    case 'diagnose':
      setRunning(false);
      stopWiggling();
      tellFrame();
      return opened().diagnose();
    case 'wiggle':
      if (ask.motion === null) {
        stopWiggling();
      } else {
        const isOn = wiggling !== null;
        wiggling = { motion: ask.motion, since: performance.now() };
        if (!isOn) wiggle();
      }
      return null;
    case 'run':
      opened();
      stopWiggling();
      posesDue = 0;
      setRunning(ask.running);
      tellFrame();
      return null;
    case 'step':
      setRunning(false);
      stopWiggling();
      posesDue = 0;
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

const fail = (how: Kill): void => {
  if (how === 'error') throw new Error('this error was asked for');
  if (how === 'trap') survives(new WebAssembly.RuntimeError('this trap was asked for'));
  else for (;;);
};

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  if ('recycle' in message) {
    if (spare.length < 3) spare.push(message.recycle);
    return;
  }
  if ('kill' in message) {
    fail(message.kill);
    return;
  }
  const { id, ask } = message;
  try {
    say({ type: 'answer', id, value: answer(ask, id), fault: null });
  } catch (error) {
    if (survives(error)) say({ type: 'answer', id, value: null, fault: words(error) });
  }
};

try {
  await init();
  say({ type: 'ready', library: JSON.parse(Lab.library()) as Listing[] });
  setInterval(keepCopy, 250);
  rehearse();
} catch (error) {
  say({ type: 'died', text: words(error) });
}
