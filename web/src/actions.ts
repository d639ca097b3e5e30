// What people can do: everything that panels, keys and tests ask of the engine.

import { batch } from '@preact/signals';
import { inFile, refuseBytes, textOf } from './engine/admit';
import type { Command, KeyEdit, Linkage, Place, Quantity, Track, WorldEntry } from './engine/border';
import { keepCatalogue } from './engine/catalogue';
import type { Path } from './engine/change';
import { Engine, type Told } from './engine/client';
import { fetchText, openable } from './engine/library';
import { lookFor } from './engine/linkages';
import type { Entries, EntryKind, EntryOf } from './engine/messages';
import { findModels, type Given, isModel, type Robot, readRobot } from './engine/robots';
import { unreachable } from './exhaustive';
import { nameNow, type Renamed, renamedIn } from './renamed';
import * as state from './state';
import type { Work } from './work/keeper';

/** Those who want to know of every frame, and of every new look. */
type Hears = (message: Told) => void;
const hearers: Hears[] = [];

/** Calls `hears` with every message of the engine, after the signals have changed. */
export const onTold = (hears: Hears): void => {
  hearers.push(hears);
};

/** Those who want to know what is called otherwise now. */
const callers: ((all: Renamed[]) => void)[] = [];

/** Calls `hears` with everything that has another name, before the look that has it is told. */
export const onRenamed = (hears: (all: Renamed[]) => void): void => {
  // Who came last depends on those before: it is the first to know.
  callers.unshift(hears);
};

/** What the page knows by name follows a new one. */
const follow = (all: Renamed[]): void => {
  if (all.length === 0) return;
  const { value: target } = state.selection;
  if (target !== null) state.selection.value = { ...target, name: nameNow(all, target.kind, target.name) };
  const { value: followed } = state.followed;
  if (followed !== null) state.followed.value = nameNow(all, 'body', followed);
  const { value: curve } = state.drawnCurve;
  if (curve !== null) state.drawnCurve.value = { ...curve, name: nameNow(all, 'body', curve.name) };
  for (const hears of callers) hears(all);
};

const hear = (message: Told): void => {
  batch(() => {
    switch (message.type) {
      case 'ready':
        keepCatalogue(message.catalogue);
        state.library.value = message.library;
        break;
      case 'look':
        if (!message.opened && state.look.value !== null) follow(renamedIn(state.look.value, message.look));
        state.look.value = message.look;
        state.findings.value = null;
        if (message.opened) {
          state.selection.value = null;
          state.drawnCurve.value = null;
        }
        break;
      case 'frame':
        state.certificate.value = message.certificate;
        state.stepTime.value = message.stepTime;
        state.running.value = message.running;
        state.wiggling.value = message.wiggling;
        state.shown.value = message.shown;
        if (message.running) state.findings.value = null;
        if (message.certificate.events.length > 0) {
          state.news.value = message.certificate.events;
        }
        break;
      case 'clock':
        state.clockUpset.value = { upset: message.upset };
        break;
      case 'fault':
        say(message.text);
        break;
      case 'kept':
        break;
      case 'stuck':
        state.isStuck.value = message.isStuck;
        break;
      default:
        unreachable(message);
    }
  });
  for (const hears of hearers) hears(message);
};

export const engine = new Engine(hear);

/** The most of a message that is shown: a name may be as long as a file. */
const MOST_WORDS = 2000;

export const say = (error: unknown): void => {
  const text = error instanceof Error ? error.message : String(error);
  state.fault.value = text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)} …` : text;
};

/** Asks, and shows what goes wrong. */
const ask = (question: Promise<unknown>): void => {
  state.fault.value = null;
  question.catch(say);
};

/** Edits: one of them is undone at a time. Shows what goes wrong; tells whether all went well. */
export const edit = async (...commands: Command[]): Promise<boolean> => {
  state.fault.value = null;
  try {
    await engine.apply(...commands);
    return true;
  } catch (error) {
    say(error);
    return false;
  }
};

/** One of many edits that are one to people: `again` takes the last one back. Fails with words. */
export const change = (command: Command, again: boolean): Promise<null> =>
  again ? engine.apply('undo', command) : engine.apply(command);

/** Calls something otherwise. Fails with words. */
export const rename = ({ kind, name }: state.Target, to: string): Promise<null> =>
  engine.apply({ rename: { kind, name, to } });

/** The same for a field of an entry; `undefined` takes it away. */
export const changeField = (of: EntryOf, path: Path, value: unknown, again = false): Promise<null> =>
  engine.ask({ type: 'field', kind: of.kind, name: of.name, path, value, again });

/** How steps are taken: by these options and no others. */
export const changeSteps = (options: WorldEntry, again: boolean): Promise<null> =>
  engine.ask({ type: 'steps', options, again });

export const run = (running = !state.running.value): void => ask(engine.ask({ type: 'run', running }));
export const step = (): void => ask(engine.ask({ type: 'step' }));
export const undo = (): void => ask(engine.apply('undo'));
export const redo = (): void => ask(engine.apply('redo'));
/** Stops time and goes back to where it began; edits stay. */
export const reset = (): void => ask(Promise.all([engine.ask({ type: 'run', running: false }), engine.apply('reset')]));
export const assemble = (): void => ask(engine.apply({ assemble: {} }));

export const setSpeed = (speed: number): void => {
  state.speed.value = speed;
  ask(engine.ask({ type: 'speed', speed }));
};

/** Whether a step is as long as the clock says. */
export const setClocked = (on: boolean): void => {
  state.clocked.value = on;
  state.clockUpset.value = null;
  ask(engine.ask({ type: 'clock', on }));
};

/** Whoever keeps work from being lost: see `work/`. */
export interface Guard {
  /** Whether another scene may take the place of this one. */
  mayLeave: () => Promise<boolean>;
  /** Another scene is open: work from the shelf, or one that nobody has changed. */
  hasOpened: (work: Work | null) => Promise<void>;
  /** The scene was given to the person as a file. */
  isInFile: () => void;
}

let guard: Guard | null = null;
export const guardWork = (by: Guard): void => {
  guard = by;
};

let openings = 0;

/** Opens what `read` gives, with time standing if it is to. Of several openings at once the last one wins; tells
 * whether this one did. */
const openAs = async (
  title: string,
  read: () => Promise<string>,
  { work = null, stands = false, isFound = false }: { work?: Work | null; stands?: boolean; isFound?: boolean } = {},
): Promise<boolean> => {
  openings += 1;
  const own = openings;
  state.fault.value = null;
  state.imported.value = null;
  state.opening.value = title;
  try {
    const text = await read();
    if (own === openings && (await guard?.mayLeave()) === false) return false;
    if (own === openings) {
      // Before it is there: time would run on while it is shown.
      if (stands && state.running.value) await engine.ask({ type: 'run', running: false });
      await engine.ask({ type: 'open', text });
      // They are for what was drawn before.
      if (!isFound) dropLinkages();
      await guard?.hasOpened(work);
    }
  } catch (error) {
    if (own === openings) throw error;
  } finally {
    if (own === openings) state.opening.value = null;
  }
  return own === openings;
};

/** Opens a scene of the library by its name, or the text of a file. */
export const open = async (text: string): Promise<void> => {
  await openAs(text.includes('{') ? 'the scene' : text, () => openable(text));
};

/** Opens work from the shelf; time stands. */
export const openWork = async (work: Work): Promise<void> => {
  await openAs(work.name, async () => work.text, { work, stands: true });
};

/** Opens a scene of the library and remembers it in the address. */
export const choose = (name: string): void => {
  const address = new URL(location.href);
  address.searchParams.delete('file');
  address.searchParams.set('scene', name);
  openAs(name, () => openable(name))
    .then((won) => {
      if (won) history.replaceState(null, '', address);
    })
    .catch(say);
};

const readFile = async (file: File): Promise<string> => {
  refuseBytes(file.size, file.name);
  return textOf(await file.arrayBuffer(), file.name);
};

/** The model that is meant; none if the person says so. */
const chooseModel = async (models: string[]): Promise<string | null> => {
  if (models.length <= 1) return models[0] ?? null;
  // A question that waits is answered by the next one.
  state.choosing.value?.answer(null);
  const model = await new Promise<string | null>((answer) => {
    state.choosing.value = { models, answer };
  });
  state.choosing.value = null;
  return model;
};

const openRobot = async (files: Given[]): Promise<void> => {
  const model = await chooseModel(await findModels(files));
  if (model === null) return;
  const read: Promise<Robot> = readRobot({ model, files });
  // Nothing drives its joints yet: it would fall together.
  if (!(await openAs(model, async () => (await read).scene, { stands: true }))) return;
  const { missing, report } = await read;
  state.imported.value = { model, missing, report };
};

/** Opens files that were given at once: a robot with what it needs, or else a scene. */
export const openFiles = (files: Given[]): void => {
  const [first] = files;
  if (first === undefined) return;
  if (files.some(isModel)) {
    openRobot(files).catch(say);
    return;
  }
  const { file } = files.find(({ path }) => path.toLowerCase().endsWith('.json')) ?? first;
  openAs(file.name, () => readFile(file)).catch((error) => say(inFile(file.name, error)));
};

let search: { stop: () => void } | null = null;

/** Ends the search for linkages, or puts away what was found. */
export const dropLinkages = (): void => {
  search?.stop();
  search = null;
  state.linkages.value = null;
};

/** Looks for linkages that follow a drawn path, and offers them. */
export const findLinkages = (points: [number, number][]): void => {
  dropLinkages();
  const own = lookFor({ points, name: 'drawn linkage' });
  search = own;
  state.linkages.value = { found: null };
  own.found
    .then((found) => {
      if (search === own) state.linkages.value = { found };
    })
    .catch((error) => {
      if (search !== own) return;
      dropLinkages();
      say(error);
    });
};

/** Opens a linkage that was found; it runs. The others stay offered. */
export const openLinkage = ({ scene }: Linkage): void => {
  openAs('the linkage', async () => scene, { isFound: true })
    .then((won) => {
      if (won) run(true);
    })
    .catch(say);
};

/** Opens a file beside the page. */
export const openAddress = async (address: string): Promise<void> => {
  await openAs(address, () => fetchText(address));
};

export const restart = (): void => engine.restart();

/** Opens an empty scene with gravity, seen flat or in space. Time stands: the first parts would fall out of sight. */
export const openNew = (flat: boolean): void => {
  const camera = flat ? { eye: [0, 0, 4], target: [0, 0, 0] } : { eye: [1.4, 1.2, 3.4], target: [0, 0, 0] };
  const scene = {
    linkwork: 1,
    name: 'untitled',
    world: { gravity: [0, -9.81, 0] },
    bodies: [],
    view: { flat, camera },
  };
  openAs('a new scene', async () => JSON.stringify(scene), { stands: true }).catch(say);
};

/** Gives a text to the person as a file. */
export const download = (text: string, name: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** The scene's name as that of a file, without ending. */
export const fileName = (): string => (state.look.value?.name ?? 'scene').replace(/[^\w-]+/g, '-');

export const save = (): void =>
  ask(
    engine.ask({ type: 'save' }).then((text) => {
      download(text, `${fileName()}.json`, 'application/json');
      guard?.isInFile();
    }),
  );

export const entry = <K extends EntryKind>(kind: K, name = ''): Promise<Entries[K]> =>
  engine.ask({ type: 'entry', kind, name } as { type: 'entry'; kind: K; name: string });
export const places = (): Promise<Place[]> => engine.ask({ type: 'places' });
export const quantities = (): Promise<Quantity[]> => engine.ask({ type: 'quantities' });
export const values = (names: string[]): Promise<Float64Array> => engine.ask({ type: 'values', names });
export const watch = (names: string[]): Promise<Quantity[]> => engine.ask({ type: 'watch', names });

export const showForces = (shown: boolean): void => {
  state.forcesShown.value = shown;
  ask(engine.ask({ type: 'forces', shown }));
};

/** Points and arrows where bodies touch. */
export const showContacts = (shown: boolean): void => {
  state.contactsShown.value = shown;
  ask(engine.ask({ type: 'contacts', shown }));
};

/** Stops time and looks what can move and what is held twice. */
export const diagnose = async (): Promise<void> => {
  state.fault.value = null;
  try {
    state.findings.value = await engine.ask({ type: 'diagnose' });
  } catch (error) {
    say(error);
  }
};

/** Shows the film at a time; none: the present. Stops time. */
export const show = (time: number | null): void => ask(engine.ask({ type: 'show', time }));
export const tracks = (): Promise<Track[]> => engine.ask({ type: 'tracks' });
/** Does something to a key. Fails with words. */
export const editKey = (edit: KeyEdit, again: boolean): Promise<null> => engine.ask({ type: 'key', edit, again });
/** Lets the first of these takes act, and none of the others. */
export const take = (names: string[]): void => ask(engine.ask({ type: 'take', names }));

export const wiggle = (motion: number | null): void => ask(engine.ask({ type: 'wiggle', motion }));

/** A name that nothing of the scene has: `stem`, `stem 2`, … */
export const freeName = (stem: string): string => {
  const look = state.look.value;
  const taken = new Set([...(look?.bodies ?? []), ...(look?.joints ?? [])].map(({ name }) => name));
  let name = stem;
  for (let k = 2; taken.has(name); k += 1) name = `${stem} ${k}`;
  return name;
};
