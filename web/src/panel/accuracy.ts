// The accuracy dial: from fast to exact, as options of the world.

import type { WorldEntry } from '../engine/border';
import { isTaken, meantBy, stepOptions } from '../engine/options';

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

/** How steps are taken: what is left out is the default, however it is written. */
const canonical = (world: WorldEntry): string =>
  JSON.stringify(
    stepOptions()
      .filter(({ name }) => isTaken(world, name))
      .map((option) => [option.name, meantBy(world, option)]),
  );

/** The stop a world is at; −1 when somebody has chosen otherwise. */
export const stopOf = (world: WorldEntry): number =>
  STOPS.findIndex(({ options }) => canonical(options) === canonical(world));
