// The accuracy dial: from fast to exact, as options of the world.

import type { StabilizationEntry, WorldEntry } from '../engine/border';
import type { MethodKind, PresetKind, StabilizationKind } from '../engine/messages';

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
    does: 'Joints are closed to a millionth of a millimeter. For hands and eyes.',
    options: {},
  },
  {
    name: 'precise',
    does: 'The motion too is exact to 1e-9, by as many steps inside a frame as that takes. For numbers.',
    options: { preset: 'precise', step_tolerance: 1e-9, tolerance: 1e-12 },
  },
];

/** Options that say how steps are taken; the dial sets all of them. */
const SOLVING: readonly (keyof WorldEntry)[] = [
  'preset',
  'integrator',
  'stabilization',
  'step_tolerance',
  'max_depth',
  'method',
  'solve_iterations',
  'solve_tolerance',
  'warm_start',
  'iterations',
  'tolerance',
];

const without = (world: WorldEntry, keys: readonly (keyof WorldEntry)[]): WorldEntry => {
  const rest = { ...world };
  for (const key of keys) delete rest[key];
  return rest;
};

const canonical = (world: WorldEntry): string =>
  JSON.stringify(
    SOLVING.map((key) => {
      const value = world[key];
      return typeof value === 'object' && value !== null ? Object.entries(value).sort() : (value ?? null);
    }),
  );

/** The world at a stop of the dial. */
export const atStop = (world: WorldEntry, stop: number): WorldEntry => ({
  ...without(world, SOLVING),
  ...(STOPS[stop]?.options ?? {}),
});

/** The stop a world is at; −1 when somebody has chosen otherwise. */
export const stopOf = (world: WorldEntry): number => {
  // What is left out is the default, however it is written.
  const told = { ...world };
  if (told.preset === 'interactive') delete told.preset;
  if (told.method === 'direct') delete told.method;
  if (told.preset === 'precise') told.step_tolerance ??= 1e-9;
  return STOPS.findIndex(({ options }) => canonical(options) === canonical(told));
};

/** Methods that iterate, and may be cut short. */
export const isIterated = (method: MethodKind | undefined): boolean =>
  method === 'forest-krylov' || method === 'normal-cg';

/** Another preset, without what belongs to the old one. */
export const withPreset = (world: WorldEntry, preset: PresetKind): WorldEntry => {
  const next = { ...without(world, ['integrator', 'stabilization', 'step_tolerance', 'max_depth']), preset };
  if (preset !== 'parts') return next;
  return { ...next, integrator: 'rk4', stabilization: { type: 'post' } };
};

/** Another method, without what belongs to the old one. */
export const withMethod = (world: WorldEntry, method: MethodKind): WorldEntry => ({
  ...(isIterated(method) ? world : without(world, ['solve_iterations', 'solve_tolerance', 'warm_start'])),
  method,
});

/** Each stabilization with numbers that it needs. */
const STABILIZED: { [Type in StabilizationKind]: StabilizationEntry & { type: Type } } = {
  none: { type: 'none' },
  post: { type: 'post' },
  feedback: { type: 'feedback', stiffness: 1000, damping: 60 },
  baumgarte: { type: 'baumgarte', alpha: 20, beta: 20 },
  displacement: { type: 'displacement' },
};

export const withStabilization = (world: WorldEntry, type: StabilizationKind): WorldEntry => ({
  ...world,
  stabilization: STABILIZED[type],
});
