// How high the ground is drawn where a scene has no floor: below whatever the scene can do from its start, and from
// then on for good. What falls goes through it. A floor that is switched on is put there too.

import { Vector3 } from 'three';
import type { EndLook, Look } from '../engine/border';

/** A ball around a part of a body. */
export interface Ball {
  center: Vector3;
  radius: number;
}

interface Point {
  at: Vector3;
  /** No lower than this can it come, m. */
  least: number;
}

/** How low each body can come that is tied to the ground, m: no point of it is further from where it hangs than all
 * lengths in between. Bodies that nothing holds have no bound. `balls` are those of each body. */
export const lowestReach = (look: Look, up: Vector3, balls: readonly Ball[][]): number[] => {
  const points = new Map<number, Point[]>();
  const ties: Point[][] = [];
  const pointOf = ({ body, point }: EndLook): Point => {
    const at = new Vector3(...point);
    if (body === null) return { at, least: at.dot(up) };
    const own: Point = { at, least: -Infinity };
    push(points, body, own);
    return own;
  };
  const bodiesOf: (number | null)[][] = [];
  for (const { enabled, ends } of [...look.joints, ...look.behaviors]) {
    if (!enabled || ends.length < 2) continue;
    ties.push(ends.map(pointOf));
    bodiesOf.push(ends.map(({ body }) => body));
  }
  const tiesOf = new Map<number, number[]>();
  bodiesOf.forEach((bodies, tie) => {
    for (const body of bodies) if (body !== null) push(tiesOf, body, tie);
  });
  // What moves by itself is where it is.
  look.bodies.forEach(({ movable }, body) => {
    if (!movable) for (const own of points.get(body) ?? []) own.least = own.at.dot(up);
  });
  const due = new Set(ties.keys());
  for (const tie of due) {
    due.delete(tie);
    const ends = ties[tie] as Point[];
    const changed = new Set<number>();
    for (const [k, end] of ends.entries()) {
      for (const other of ends) raise(end, other.least - end.at.distanceTo(other.at));
      const body = bodiesOf[tie]?.[k] ?? null;
      if (body === null) continue;
      for (const own of points.get(body) ?? [])
        if (raise(own, end.least - own.at.distanceTo(end.at))) changed.add(body);
    }
    for (const body of changed) for (const next of tiesOf.get(body) ?? []) due.add(next);
  }
  return look.bodies.map((_, body) => {
    const far = ({ at }: Point): number =>
      (balls[body] ?? []).reduce((most, { center, radius }) => Math.max(most, at.distanceTo(center) + radius), 0);
    return (points.get(body) ?? []).reduce((least, own) => Math.max(least, own.least - far(own)), -Infinity);
  });
};

const push = <T>(lists: Map<number, T[]>, key: number, item: T): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};

/** Makes a bound tighter; tells whether it did, by more than round-off. */
const raise = (point: Point, least: number): boolean => {
  if (!(least > point.least + 1e-9 * (1 + Math.abs(least)))) return false;
  point.least = least;
  return true;
};
