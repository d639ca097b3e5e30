// Motion paths drawn by hand (Witkin 1990, §5.4): from what the pointer did to keyframes.

import type { Vector3 } from 'three';
import type { PathEntry } from '../engine/border';

/** A place the pointer was at. */
export interface Sample {
  /** s */
  time: number;
  point: Vector3;
}

/** Keyframes of a way. */
const COUNT = 30;
/** A path lasts at least so long, s. */
const LEAST_TIME = 2;
/** A curve that ends as near to its start as this fraction of its length is closed. */
const CLOSED = 0.12;

/** Points at equal distances along a polyline, its ends included. */
export const resample = (points: Vector3[], count: number): Vector3[] => {
  const first = points[0];
  if (first === undefined) return [];
  const along = [0];
  for (let k = 1; k < points.length; k += 1) {
    along.push((along[k - 1] ?? 0) + (points[k] as Vector3).distanceTo(points[k - 1] as Vector3));
  }
  const length = along[along.length - 1] ?? 0;
  const found: Vector3[] = [];
  let k = 0;
  for (let n = 0; n < count; n += 1) {
    const wanted = (length * n) / (count - 1);
    while (k < points.length - 2 && (along[k + 1] ?? 0) < wanted) k += 1;
    const from = points[k] as Vector3;
    const to = points[k + 1] ?? from;
    const step = (along[k + 1] ?? 0) - (along[k] ?? 0);
    const share = step > 0 ? (wanted - (along[k] ?? 0)) / step : 0;
    found.push(from.clone().lerp(to, Math.min(Math.max(share, 0), 1)));
  }
  return found;
};

const lengthOf = (points: Vector3[]): number =>
  points.reduce((sum, point, k) => sum + (k === 0 ? 0 : point.distanceTo(points[k - 1] as Vector3)), 0);

export const isClosed = (points: Vector3[]): boolean => {
  const [first, last] = [points[0], points[points.length - 1]];
  if (first === undefined || last === undefined) return false;
  return points.length > 3 && first.distanceTo(last) < CLOSED * lengthOf(points);
};

/**
 * The path of a drawing, from `start` at `now` on and for ever: a closed curve goes round, an open one to and
 * fro. It takes as long as the drawing did. On an open curve the point sets off from rest and comes to rest at
 * both ends, s = L·(1 − cos(π·t/T))/2; on a closed one it keeps its speed.
 */
export const pathEntry = (drawn: Sample[], start: Vector3, now: number, planar: boolean): PathEntry => {
  const points = drawn.map(({ point }) => point);
  const shift = start.clone().sub(points[0] ?? start);
  const took = (drawn[drawn.length - 1]?.time ?? 0) - (drawn[0]?.time ?? 0);
  const lasts = Math.max(took, LEAST_TIME);
  const closed = isClosed(points);
  const first = points[0] ?? start;
  const way = resample(closed ? [...points.slice(0, -1), first] : points, COUNT).map((point) => point.add(shift));
  const last = way.length - 1;
  const knots: [number, Vector3][] = way.map((point, k) => {
    const share = k / last;
    return [closed ? lasts * share : (lasts * Math.acos(1 - 2 * share)) / Math.PI, point];
  });
  if (!closed) for (let k = last - 1; k >= 0; k -= 1) knots.push([2 * lasts - (knots[k]?.[0] ?? 0), way[k] as Vector3]);
  const keyframes = knots.map(([time, { x, y, z }]) => (planar ? [now + time, x, y] : [now + time, x, y, z]));
  // It ends where it begins, to the last bit.
  const [begin, end] = [keyframes[0], keyframes[keyframes.length - 1]];
  if (begin !== undefined && end !== undefined) end.splice(1, end.length - 1, ...begin.slice(1));
  return { type: 'keyframes', repeat: true, keyframes };
};
