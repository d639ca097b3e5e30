// Tables and pictures of the scene: what there is, and what is made of files that are given.

import { signal } from '@preact/signals';
import * as actions from './actions';
import { GRAVITY } from './build/parts';
import { refuseBytes } from './engine/admit';
import type { BodyEntry, Command, Data, JointEntry, PictureLook, TableLook } from './engine/border';
import type { Given } from './engine/robots';
import { latest } from './latest';
import { choose } from './recording';
import * as state from './state';

const NONE: Data = { tables: [], pictures: [] };

export const data = signal<Data>(NONE);

const look = latest(async () => {
  try {
    data.value = await actions.engine.ask({ type: 'data' });
  } catch {
    // No scene is open.
    data.value = NONE;
  }
});

/** Whether all pictures are those of a time; those of a film are for a while. */
export const isOf = ({ pictures }: Data, time_s: number): boolean =>
  pictures.every(
    ({ film: { from = time_s, until = Number.POSITIVE_INFINITY } = {} }) => from <= time_s && time_s < until,
  );

actions.onTold((message) => {
  if (message.type === 'look') void look();
  // A film goes on by itself.
  if (message.type === 'frame' && !isOf(data.peek(), message.shown ?? message.certificate.time_s)) void look();
});

/** A name that formulas can use as it is, and that nothing has. */
export const freeWord = (stem: string): string => {
  const { bodies = [], joints = [] } = state.look.value ?? {};
  const all = [...bodies, ...joints, ...data.value.tables, ...data.value.pictures];
  const taken = new Set(all.map(({ name }) => name));
  const word = stem.replace(/\W+/g, '_').replace(/^(?=\d|$)/, 'd');
  let free = word;
  for (let k = 2; taken.has(free); k += 1) free = `${word}${k}`;
  return free;
};

/** In an empty scene nothing shall fall, and everything shall stop where it is best. */
export const calm = async (): Promise<Command[]> => {
  if ((state.look.value?.bodies.length ?? 0) > 0) return [];
  const world = await actions.entry('world');
  return [{ set_world: { ...world, dynamics: 'first-order', gravity: [0, 0, 0] } }];
};

const stemOf = (file: File): string => file.name.replace(/\.[^.]*$/, '');

const addTable = async (file: File): Promise<void> => {
  refuseBytes(file.size, file.name);
  const bytes = await file.arrayBuffer();
  const name = freeWord(stemOf(file));
  const put = await actions.engine.ask({ type: 'table', name, file: file.name, bytes });
  await actions.engine.apply({ together: [...(await calm()), put] });
};

/** Pictures are made smaller than this, pixels: edges are felt over a dozen of them. */
const MOST_PIXELS = 400;
/** How wide a picture lies in an empty scene, m. */
const WIDTH = 2;

/** Any picture that the browser knows, as a PNG of moderate size. */
const asPng = async (file: File): Promise<string> => {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is not a picture that this browser can read. Give a PNG, JPEG or WebP.`);
  });
  const scale = Math.min(1, MOST_PIXELS / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(scale * bitmap.width));
  canvas.height = Math.max(1, Math.round(scale * bitmap.height));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL('image/png');
};

const addPicture = async (file: File): Promise<void> => {
  const png = await asPng(file);
  const isEmpty = (state.look.value?.bodies.length ?? 0) === 0;
  const width = isEmpty ? WIDTH : (state.look.value?.extent ?? WIDTH);
  const add_picture = { name: freeWord(stemOf(file)), png, position: [0, 0] as [number, number], width };
  await actions.engine.apply({ together: [...(await calm()), { add_picture }] });
};

const isTable = ({ path }: Given): boolean => /\.(csv|tsv|trc|ply|xyz)$/i.test(path);
const isPicture = ({ path }: Given): boolean => /\.(png|jpe?g|webp)$/i.test(path);

/** Whether a file is one of data, not a scene or a robot. */
export const isData = (given: Given): boolean => isTable(given) || isPicture(given);

/** Puts data of files into the scene that is open. */
export const addData = async (files: Given[]): Promise<void> => {
  for (const given of files) await (isTable(given) ? addTable : addPicture)(given.file);
  state.tab.value = 'formulas';
};

/**
 * What all points of a table together pull with, as a multiple of what carries the weight of the body within the scene:
 * such that they overcome the stiffness of parts of the palette.
 */
const STRONG = 1000;

/** How strongly each point pulls, N/m, to two digits. */
const stiffnessOf = ({ points, columns }: TableLook, body: string): number => {
  const { bodies = [], extent = 1 } = state.look.value ?? {};
  const mass = bodies.find(({ name }) => name === body)?.mass ?? 1;
  // Rows of markers are frames, with three numbers for each.
  const n = Math.max(points.length > 0 ? points.length : columns.length / 3, 1);
  return Number(((STRONG * mass * GRAVITY) / (extent * n)).toPrecision(2));
};

/** Points of a table pull a body from now on: one edit. What has momentum would swing about them for ever. */
export const pullBody = async (table: TableLook, body: string): Promise<null> => {
  const world = await actions.entry('world');
  const name = freeWord(`${table.name} of ${body}`);
  const join = { name, type: 'points', body, for: table.name, stiffness: stiffnessOf(table, body) } as JointEntry;
  const isCalm = world.dynamics === 'first-order';
  const set: Command[] = isCalm ? [] : [{ set_world: { ...world, dynamics: 'first-order', gravity: [0, 0, 0] } }];
  return actions.engine.apply({ together: [...set, { join }] });
};

/** Plots how far joints are turned. */
export const plotAngles = async (): Promise<void> => {
  const all = await actions.quantities();
  choose(all.flatMap(({ name }) => (/^joint\..*\.(angle|turn)$/.test(name) ? [name] : [])));
  state.tab.value = 'plots';
};

/** A body and what draws it to data: one edit. */
const fitted = (body: BodyEntry, ...rest: Command[]): Promise<null> =>
  actions.engine.apply({ together: [{ add_body: body }, ...rest] });

interface Spread {
  /** The middle of points. */
  x: number;
  y: number;
  /** How far they are from it along both axes, as points of an ellipse are from its middle. */
  a: number;
  b: number;
  /** Whether they lie all around it. */
  isRound: boolean;
}

const SECTORS = 12;

/** Where the points of a table are. */
export const spreadOf = ({ points }: TableLook): Spread => {
  const n = Math.max(points.length, 1);
  const mean = (of: (point: readonly number[]) => number): number => points.reduce((sum, own) => sum + of(own), 0) / n;
  const x = mean(([own = 0]) => own);
  const y = mean(([, own = 0]) => own);
  const a = Math.sqrt(2 * mean(([own = 0]) => (own - x) ** 2));
  const b = Math.sqrt(2 * mean(([, own = 0]) => (own - y) ** 2));
  const sector = ([px = 0, py = 0]: readonly number[]): number =>
    Math.floor((SECTORS * (Math.atan2((py - y) * a, (px - x) * b) + Math.PI)) / (2 * Math.PI)) % SECTORS;
  // Of a few points some sectors are empty.
  const sectors = new Set(points.map(sector));
  return { x, y, a, b, isRound: sectors.size >= Math.min(SECTORS, points.length / 2) * 0.8 };
};

const through = (name: string, table: string, curve: string): Command => ({
  join: { name, type: 'formula', is: `${curve}(u) ~ [x, y]`, for: table, free: ['u'] } as JointEntry,
});

/** An ellipse that goes through the points of a table as well as it can. */
export const fitEllipse = (table: TableLook): Promise<null> => {
  const { x, y, a, b } = spreadOf(table);
  const name = freeWord('ellipse');
  const body = {
    name,
    type: 'formula',
    names: ['cx', 'cy', 'a', 'b', 'phi'],
    values: [x, y, a, b, 0],
    curve: '[cx, cy] + turn([a*cos(u), b*sin(u)], phi)',
    u: ['0', 'tau'],
    closed: true,
    mass: 0.01,
  } as BodyEntry;
  return fitted(body, through(freeWord('fit'), table.name, name));
};

/** Points of a closed spline, and of an open one. */
const N_ROUND = 12;
const N_LONG = 8;

/** A spline that goes through the points of a table as well as it can: around their middle, or along them. */
export const fitSpline = (table: TableLook): Promise<null> => {
  const { x, y, a, b, isRound } = spreadOf(table);
  const name = freeWord('spline');
  const turn = (k: number): number => (2 * Math.PI * k) / N_ROUND;
  const along = (k: number): number => -1 + (2 * k) / (N_LONG - 1);
  const slant = table.points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0) < 0 ? -1 : 1;
  const points = isRound
    ? Array.from({ length: N_ROUND }, (_, k) => [x + a * Math.cos(turn(k)), y + b * Math.sin(turn(k))])
    : Array.from({ length: N_LONG }, (_, k) => [x + 1.2 * a * along(k), y + 1.2 * slant * b * along(k)]);
  const size = Math.hypot(a, b);
  const body = { name, type: 'spline', closed: isRound, points, mass: 0.01, plate: 1e-4 * size ** 3 } as BodyEntry;
  return fitted(body, through(freeWord('fit'), table.name, name));
};

const N_SNAKE = 16;
const N_PLACES = 64;
/** How far a snake feels edges at first, and at last, pixels. */
const WIDE = 12;
export const SHARP = 1.5;

/** A closed spline that is drawn to the edges of a picture. */
export const putSnake = async (picture: PictureLook): Promise<null> => {
  const { name: own, position, width, height } = picture;
  const [name, places] = [freeWord('snake'), freeWord('places')];
  const radius = 0.33 * Math.min(width, height);
  const turn = (k: number): number => (2 * Math.PI * k) / N_SNAKE;
  const points = Array.from({ length: N_SNAKE }, (_, k) => [
    position[0] + radius * Math.cos(turn(k)),
    position[1] + radius * Math.sin(turn(k)),
  ]);
  // Edges are numbers up to one: mass and stiffness are such that a snake of any size goes the same way.
  const body = { name, type: 'spline', closed: true, points, mass: 0.0065 / width ** 2, plate: 8e-4 * width };
  const rows = Array.from({ length: N_PLACES }, (_, k) => [k / N_PLACES]);
  const is = `${own}.edge(${name}(u)) ~ 1`;
  const join = { name: freeWord('edges'), type: 'formula', is, for: places } as JointEntry;
  return fitted(
    body as BodyEntry,
    { add_table: { name: places, columns: ['u'], rows } },
    { join },
    await blurred(own, WIDE),
  );
};

/** The command that blurs a picture. */
const blurred = async (name: string, blur: number): Promise<Command> => {
  const entry = await actions.engine.ask({ type: 'entry', kind: 'picture', name });
  return { set_picture: { ...entry, blur } };
};

/** Blurs a picture; `again` takes the last edit back. */
export const blur = async (name: string, to: number, again: boolean): Promise<unknown> =>
  actions.change(await blurred(name, to), again);
