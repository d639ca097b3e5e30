// The accuracy dial: from fast to exact, as options of the world.

import type { FieldInfo, WorldEntry } from '../engine/border';
import { worldField, worldOptions } from '../engine/catalogue';

export interface Stop {
  name: string;
  /** What it does, for people. */
  does: string;
  options: WorldEntry;
}

export const STOPS: Stop[] = [
  {
    name: 'fast',
    does: 'Joints are closed to a millimeter, mostly by a single solve.',
    options: { tolerance: 1e-3 },
  },
  {
    name: 'closed',
    does: 'Joints are closed to a thousandth of a millimeter.',
    options: { tolerance: 1e-6 },
  },
  {
    name: 'exact',
    does: 'Joints are closed far below the visible. For dragging and display.',
    options: {},
  },
  {
    name: 'precise',
    does: 'The motion is exact too, with as many steps inside a frame as needed. For numerical results.',
    options: { preset: 'precise', tolerance: 1e-12 },
  },
];

/** Options that the dial leaves alone; all others say how steps are taken. */
const KEPT: readonly string[] = ['gravity', 'dynamics', 'dt'] satisfies (keyof WorldEntry)[];

const without = (world: WorldEntry, isLeftOut: (option: FieldInfo) => boolean): WorldEntry => {
  const rest = { ...world };
  for (const option of worldOptions().filter(isLeftOut)) delete rest[option.name as keyof WorldEntry];
  return rest;
};

/** What a world says of an option, or what it is when it is left out. */
const meantBy = (world: WorldEntry, { name, default: number, otherwise }: FieldInfo): unknown =>
  world[name as keyof WorldEntry] ?? number ?? otherwise ?? null;

/** The word of an option that is one of some words or types. */
export const wordOf = (world: WorldEntry, option: FieldInfo): string => {
  const value = meantBy(world, option);
  return String(typeof value === 'object' && value !== null ? (value as { type?: string }).type : value);
};

/** Whether a world takes an option: some belong to words of another. */
export const isTaken = (world: WorldEntry, name: string): boolean => {
  const option = worldField(name);
  if (option?.with === undefined) return option !== null;
  const other = worldField(option.after ?? '');
  return other !== null && option.with.includes(wordOf(world, other));
};

/** An option is another word, and what belongs to the old one goes. */
export const withWord = (world: WorldEntry, { name, sort }: FieldInfo, word: string): WorldEntry => {
  const next = { ...world, [name]: sort === undefined ? word : { type: word } } as WorldEntry;
  return without(next, (option) => !isTaken(next, option.name));
};

/** The world at a stop of the dial. */
export const atStop = (world: WorldEntry, stop: number): WorldEntry => ({
  ...without(world, ({ name }) => !KEPT.includes(name)),
  ...(STOPS[stop]?.options ?? {}),
});

/** How steps are taken: what is left out is the default, however it is written. */
const canonical = (world: WorldEntry): string =>
  JSON.stringify(
    worldOptions()
      .filter(({ name }) => !KEPT.includes(name) && isTaken(world, name))
      .map((option) => [option.name, meantBy(world, option)]),
  );

/** The stop a world is at; −1 when somebody has chosen otherwise. */
export const stopOf = (world: WorldEntry): number =>
  STOPS.findIndex(({ options }) => canonical(options) === canonical(world));
