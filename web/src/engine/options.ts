// Options of the world: how steps are taken, and what belongs to what.

import type { FieldInfo, WorldEntry } from './border';
import { worldField, worldOptions } from './catalogue';

/** What a world says of its floor. */
export const FLOOR: readonly string[] = [
  'floor',
  'floor_friction',
  'floor_rolling_friction',
  'floor_spinning_friction',
  'floor_stiffness',
  'floor_damping',
  'floor_restitution',
] satisfies (keyof WorldEntry)[];

/** What says what the world is; all other options say how steps are taken. */
const isOfWorld = (name: string): boolean => ['gravity', 'dynamics', 'dt', ...FLOOR].includes(name);

/** All options that say how steps are taken. */
export const stepOptions = (): FieldInfo[] => worldOptions().filter(({ name }) => !isOfWorld(name));

const without = (world: WorldEntry, isLeftOut: (option: FieldInfo) => boolean): WorldEntry => {
  const rest = { ...world };
  for (const option of worldOptions().filter(isLeftOut)) delete rest[option.name as keyof WorldEntry];
  return rest;
};

/** What a world says of an option, or what it is when it is left out. */
export const meantBy = (world: WorldEntry, { name, default: number, otherwise }: FieldInfo): unknown =>
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

/** Without what belongs to words that are others now. */
export const withoutForeign = (world: WorldEntry): WorldEntry => without(world, ({ name }) => !isTaken(world, name));

/** The value of an option that is this word. */
export const optionAs = ({ sort }: FieldInfo, word: string): unknown => (sort === undefined ? word : { type: word });

/** The world with these options of how steps are taken, and no others. */
export const withSteps = (world: WorldEntry, options: WorldEntry): WorldEntry => ({
  ...without(world, ({ name }) => !isOfWorld(name)),
  ...options,
});
