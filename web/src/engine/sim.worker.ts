// The worker that owns the engine: time passes here, and nothing else touches the scene.

import { MAP } from '../affine';
import { unreachable } from '../exhaustive';
import { refuseBodies, refuseTooLarge } from './admit';
import type { Certificate, Command, JointEntry, Look, Shade } from './border';
import { keepCatalogue } from './catalogue';
import { commandOf } from './change';
import { Keep } from './keep';
import { catalogue, Lab, library, load } from './lab';
import type { Answers, Ask, Frame, FromWorker, ToWorker } from './messages';
import { functionOf, rampFrom, retimed, withFunction } from './motion';
import { withSteps } from './options';
import { Clock, Pace } from './pace';
import { rehearse } from './rehearse';
import { Tracer } from './tracer';

let lab: Lab | null = null;
let version = 0;
let running = false;
let stepTime: number | null = null;
let frame = 1 / 60;
let speed = 1;
let forcesShown = false;
let contactsShown = false;
/** What corners are colored by, if the scene has that. */
let shade: Shade | null = null;
let shades: Look['shades'] = [];
/** Whether points pull bodies. */
let hasPoints = false;
let wiggling: { motion: number; since: number } | null = null;
/** The time of the film that is shown in place of the present, s. */
let shown: number | null = null;
/** Poses that are still due while time stands and a hand holds something. */
let posesDue = 0;
const pace = new Pace();
const clock = new Clock();
/** Whether steps are as long as the clock says. */
let isClocked = false;
const keep = new Keep();
const tracer = new Tracer();
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
  shown = null;
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
  if (buffer !== undefined && from.posesInto(new Float64Array(buffer))) return buffer;
  return from.poses().buffer as ArrayBuffer;
};

/** What is drawn beside poses, of what is shown of the film or of the present. */
const beside = (from: Lab, isShown: boolean): Pick<Frame, 'shades' | 'points'> => {
  const by = shades?.some((own) => own.by === shade) ? shade : null;
  return {
    shades: by === null ? null : from.shades(by, isShown),
    points: hasPoints || by === 'residual' ? from.points(isShown) : null,
  };
};

const tellFrame = (): void => {
  const from = opened();
  const certificate = from.report();
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
      traced: tracer.take(),
      forces: forcesShown ? from.forces() : null,
      contacts: contactsShown ? from.contacts() : null,
      ...beside(from, false),
      wiggling: null,
      shown: null,
    },
    [buffer],
  );
};

const tellLook = (isOpened: boolean): void => {
  const from = opened();
  const look = from.look();
  frame = look.frame;
  shades = look.shades ?? [];
  hasPoints = look.joints.some(({ type, enabled }) => type === 'points' && enabled);
  version += 1;
  // What comes back from now on may have another length.
  spare = [];
  const poses = from.poses();
  tracer.show(look, poses);
  const buffer = poses.buffer as ArrayBuffer;
  say({ type: 'look', version, opened: isOpened, look, poses: buffer }, [buffer]);
};

/** What a frame may take while time runs, ms. Few ever do; the certificate says so, and the log keeps it. */
const DEADLINE = 200;

/** One frame; in slow motion a shorter one, so that the picture stays smooth. The clock may say how long it is. */
const step = (deadline?: number, clocked?: number): void => {
  const start = performance.now();
  const dt = clocked ?? (speed < 1 ? frame * speed : undefined);
  const isLate = deadline === undefined ? undefined : () => performance.now() > start + deadline;
  tracer.during(opened(), () => opened().step(dt, isLate));
  stepTime = performance.now() - start;
  included = asked;
  keep.moved();
};

/** Steps until the scene's time has caught up with the clock, or gives the difference up. */
const tick = (): void => {
  if (!running) return;
  try {
    const now = performance.now() / 1000;
    if (isClocked) {
      const { dt, upset } = clock.since(now);
      if (upset !== null) say({ type: 'clock', upset });
      if (dt > 0) {
        step(DEADLINE, dt * speed);
        tellFrame();
      }
    } else {
      const due = pace.due(now, frame / Math.max(speed, 1));
      for (let k = 0; k < due; k += 1) {
        step(DEADLINE);
        pace.took((stepTime ?? 0) / 1000);
      }
      if (due > 0) tellFrame();
    }
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

/** The least that joints were open since the hand moved, meters. */
let leastGap = Infinity;
/** Whether the last pose was cut short and closed joints further than those before it: there is more to come. */
const isClosing = ({ ended, residual_m }: Certificate): boolean => {
  const isNearer = residual_m < 0.9 * leastGap;
  leastGap = Math.min(leastGap, residual_m);
  return isNearer && (ended === 'iterations' || ended === 'deadline');
};

/** Hands move what they hold while time stands. */
const pose = (): void => {
  if (running || posesDue <= 0) return;
  try {
    const last = opened().report();
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
    keep.edited();
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
    const certificate = lab.report();
    const nothing = { watched: null, traced: null, forces: null, contacts: null, shades: null, points: null };
    const quiet = { after: included, stepTime, running, ...nothing, wiggling: motion, shown: null };
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

/** Shows a frame of the film: what is asked for now is done there. */
const show = (time: number | null): void => {
  setRunning(false);
  stopWiggling();
  posesDue = 0;
  shown = time;
  if (time === null) {
    tellFrame();
    return;
  }
  const buffer = opened().show(time).buffer as ArrayBuffer;
  const nothing = { watched: null, traced: null, forces: null, contacts: null, wiggling: null };
  const more = { ...nothing, ...beside(opened(), true) };
  const certificate = opened().report();
  say({ type: 'frame', version, poses: buffer, certificate, after: included, stepTime, running, ...more, shown }, [
    buffer,
  ]);
};

/** What follows is done at the time that is shown. */
const goThere = (): void => {
  const time = shown;
  shown = null;
  if (time === null || time === opened().report().time_s) return;
  try {
    opened().apply({ rewind: { time } });
  } catch (error) {
    // What can be shown is refused only where it is the present.
    if (isDeath(error)) throw error;
    return;
  }
  keep.edited();
  tellLook(false);
};

const startClocks = (): void => {
  const now = performance.now() / 1000;
  pace.start(now);
  clock.start(now);
};

const setRunning = (to: boolean): void => {
  if (to === running) return;
  running = to;
  if (running) {
    startClocks();
    tick();
  }
};

/** The word of a command, such as `add_body`. */
type Word<C = Command> = C extends string ? C : keyof C;

const wordOf = (command: Command): Word => (typeof command === 'string' ? command : (Object.keys(command)[0] as Word));

/** Commands of weights, hands and time: all others change what is drawn. */
const QUIET: readonly Word[] = ['weigh', 'grab', 'drag', 'hold', 'release', 'step', 'pose', 'assemble'];
const HANDS: readonly Word[] = ['grab', 'drag', 'hold'];

const changesLook = (command: Command): boolean => !QUIET.includes(wordOf(command));

const isHand = (command: Command): boolean => HANDS.includes(wordOf(command));

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
  if (typeof command === 'object' && 'release' in command) hands.delete(command.release);
  opened().apply(command);
  if (typeof command === 'object' && 'grab' in command) hands.add(command.grab.name);
};

/** Gives the page a copy of the world now and then; not while somebody drags, who would feel it. */
const keepCopy = (): void => {
  const start = performance.now();
  if (lab === null || hands.size > 0 || !keep.isDue(start / 1000, running)) return;
  try {
    say({ type: 'kept', text: lab.save(), time: lab.report().time_s });
  } catch (error) {
    // A world that cannot be written down goes on, and is tried again later.
    if (!survives(error)) return;
  }
  const end = performance.now();
  keep.kept(end / 1000, (end - start) / 1000);
};

const open = (text: string): void => {
  // A scene that cannot be opened leaves the present one as it is.
  refuseTooLarge(text);
  const next = Lab.open(text);
  try {
    refuseBodies(next.poses().length / MAP);
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
  shown = null;
  startClocks();
  tellLook(true);
  tellFrame();
};

const applyAll = (commands: Command[], id: number): void => {
  stopWiggling();
  // Undo is about the present.
  if (commands.includes('undo') || commands.includes('redo') || commands.includes('reset')) shown = null;
  else goThere();
  try {
    for (const command of commands) apply(command);
    if (commands.some(isHand)) asked = id;
    // While time stands nothing else closes what an edit has opened.
    if (!running && commands.some(changesLook)) opened().settle();
  } catch (error) {
    // Commands before the one that failed have been done.
    if (!isDeath(error)) tellChange(commands);
    throw error;
  }
  tellChange(commands);
  if (running || !commands.some(isHand)) return;
  posesDue = SETTLE;
  leastGap = Infinity;
  // What is only grabbed stays where it is: the drag that follows would wait for that pose.
  poseIn(commands.every((command) => wordOf(command) === 'grab') ? FRAME : 0);
};

/** What is done for each question. */
const ANSWERS: { [T in Ask['type']]: (ask: Extract<Ask, { type: T }>, id: number) => Answers[T] } = {
  open: ({ text }) => {
    open(text);
    return null;
  },
  apply: ({ commands }, id) => {
    applyAll(commands, id);
    return null;
  },
  field: ({ kind, name, path, value, again }, id) => {
    const command = commandOf(kind, opened().entry(kind, name), path, value);
    applyAll(again ? ['undo', command] : [command], id);
    return null;
  },
  steps: ({ options, again }, id) => {
    const set_world = withSteps(opened().entry('world', ''), options);
    applyAll(again ? ['undo', { set_world }] : [{ set_world }], id);
    return null;
  },
  drive: ({ joint, to, again }, id) => {
    const { time_s } = opened().report();
    const entry = opened().entry('joint', joint);
    const law = functionOf(entry);
    // A speed starts where the joint is; what else is asked for goes on from there.
    if (law === null)
      applyAll(
        [...(again ? (['undo'] as const) : []), { set_joint: { ...entry, motor: { speed: 0 } } as JointEntry }],
        id,
      );
    const from = law === null ? opened().entry('joint', joint) : entry;
    const set_joint = withFunction(from, retimed(functionOf(from) ?? rampFrom(0, 0, 0), to, time_s));
    applyAll([...(again || law === null ? (['undo'] as const) : []), { set_joint }], id);
    return null;
  },
  speed: (ask) => {
    speed = Math.min(Math.max(ask.speed, 1e-3), 10);
    startClocks();
    return null;
  },
  clock: ({ on }) => {
    isClocked = on;
    startClocks();
    return null;
  },
  entry: ({ kind, name }) => opened().entry(kind, name),
  formulas: () => opened().formulas(),
  check: ({ typed }) => opened().check(typed),
  data: () => opened().data(shown !== null),
  picture: ({ name }) => opened().picture(name, shown !== null),
  table: ({ name, file, bytes }) => opened().giveTable(name, file, new Uint8Array(bytes)),
  minimize: () => {
    setRunning(false);
    stopWiggling();
    goThere();
    const minimum = opened().minimize();
    tellChange([{ minimize: {} }]);
    return minimum;
  },
  places: () => opened().places(),
  quantities: () => opened().quantities(),
  values: ({ names }) => opened().values(names, shown !== null),
  watch: ({ names }) => opened().watch(names),
  forces: ({ shown }) => {
    forcesShown = shown;
    if (!running) tellFrame();
    return null;
  },
  contacts: ({ shown }) => {
    contactsShown = shown;
    if (!running) tellFrame();
    return null;
  },
  shade: ({ by }) => {
    shade = by;
    if (!running) {
      if (shown === null) tellFrame();
      else show(shown);
    }
    return null;
  },
  limit: ({ wide, reach }, id) => {
    // The engine knows what its coordinate is: that is where the range is put.
    opened().apply({ join: wide });
    const now =
      opened()
        .look()
        .joints.find(({ name }) => name === wide.name)?.range?.now ?? 0;
    applyAll(['undo', { join: { ...wide, lower: now - reach, upper: now + reach } as JointEntry }], id);
    return null;
  },
  diagnose: () => {
    setRunning(false);
    stopWiggling();
    shown = null;
    tellFrame();
    return opened().diagnose();
  },
  show: ({ time }) => {
    show(time);
    return null;
  },
  tracks: () => opened().tracks(),
  key: ({ edit, again }, id) => {
    if (again) applyAll(['undo'], id);
    applyAll([opened().keyEdit(edit)], id);
    return null;
  },
  perform: ({ performance, again }, id) => {
    if (again) applyAll(['undo'], id);
    applyAll([opened().perform(performance)], id);
    return null;
  },
  take: ({ names }, id) => {
    applyAll([opened().chooseTake(names)], id);
    return null;
  },
  wiggle: ({ motion }) => {
    if (motion === null) {
      stopWiggling();
      return null;
    }
    const isOn = wiggling !== null;
    wiggling = { motion, since: performance.now() };
    if (!isOn) wiggle();
    return null;
  },
  run: (ask) => {
    opened();
    stopWiggling();
    posesDue = 0;
    if (ask.running) goThere();
    setRunning(ask.running);
    tellFrame();
    return null;
  },
  step: () => {
    setRunning(false);
    stopWiggling();
    posesDue = 0;
    goThere();
    step();
    tellFrame();
    return null;
  },
  save: () => opened().save(),
  log: () => opened().log(),
  hash: () => opened().stateHash(),
};

const answer = (ask: Ask, id: number): Answers[Ask['type']] => {
  // Each takes the question of its own name.
  const act = ANSWERS[ask.type] as (ask: Ask, id: number) => Answers[Ask['type']];
  return act(ask, id);
};

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  switch (message.type) {
    case 'recycle':
      if (spare.length < 3) spare.push(message.buffer);
      return;
    case 'ask': {
      const { id, ask } = message;
      try {
        say({ type: 'answer', id, value: answer(ask, id) });
      } catch (error) {
        if (survives(error)) say({ type: 'refusal', id, text: words(error) });
      }
      return;
    }
    default:
      unreachable(message);
  }
};

try {
  await load();
  const known = catalogue();
  keepCatalogue(known);
  say({ type: 'ready', library: library(), catalogue: known });
  setInterval(keepCopy, 250);
  rehearse();
} catch (error) {
  say({ type: 'died', text: words(error) });
}
