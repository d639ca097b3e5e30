// The floor, and what collides with it and with each other.

import * as actions from './actions';
import type { Look, WorldEntry } from './engine/border';
import { FLOOR } from './engine/options';

/** How many bodies have a shape that can collide, and how many of them do. */
export const counted = (look: Look | null): { can: number; do: number } => {
  const able = (look?.bodies ?? []).filter(({ collides }) => collides !== undefined);
  return { can: able.length, do: able.filter(({ collides }) => collides === true).length };
};

/** Whether every body collides that can. */
export const everythingCollides = (look: Look | null): boolean => {
  const { can, do: does } = counted(look);
  return can > 0 && does === can;
};

/** Whether what is new collides: there is a floor, or everything else does. */
export const newCollides = (look: Look | null): boolean => look?.floor !== undefined || everythingCollides(look);

/** What becomes of bodies where there is a floor, in words; none if all is well. */
export const fallThrough = (look: Look | null): string | null => {
  const { can, do: does } = counted(look);
  if (look?.floor === undefined || can === does) return null;
  if (does === 0) return 'No body collides yet: all pass through the floor.';
  const not = can - does;
  return `${not} of ${can} bodies ${not === 1 ? 'does not collide: it passes' : 'do not collide: they pass'} through the floor.`;
};

/** A height in few digits, no more than a hundredth of the scene's size lower. */
export const roundedDown = (height: number, extent: number): number => {
  const step = 10 ** Math.floor(Math.log10(Math.max(extent, 1e-9)) - 1.5);
  return Number((Math.floor(height / step + 1e-6) * step).toPrecision(12));
};

/** Where a floor would be below everything. The picture knows. */
let findHeight = (): number => 0;
export const findHeightBy = (find: () => number): void => {
  findHeight = find;
};

/** The world with a floor at this height, or without one. */
export const withFloor = (world: WorldEntry, height: number | null): WorldEntry => {
  if (height !== null) return { ...world, floor: height };
  return Object.fromEntries(Object.entries(world).filter(([name]) => !FLOOR.includes(name)));
};

/** Puts a floor below everything, or takes it away. */
export const setFloor = async (on: boolean): Promise<void> => {
  try {
    await actions.edit({ set_world: withFloor(await actions.entry('world'), on ? findHeight() : null) });
  } catch (error) {
    actions.say(error);
  }
};

/** Lets everything collide that has a shape, or nothing: one edit. */
export const collideAll = (on: boolean): Promise<boolean> => actions.edit({ collide: { on } });
