// The range of a limit in the world: an angle about an axis, or a position along it. Everything here is a pure
// function of where its bodies are.

import { Vector3 } from 'three';

export type End = 'lower' | 'upper';

/** A limit at this moment. */
export interface Dial {
  /** Where its angle turns about, or where its position is counted from; world. */
  center: Vector3;
  /** Of length 1: what it turns about, or slides along. */
  axis: Vector3;
  /** Of an angle: where it is zero, and where the second body is; of length 1, across the axis. */
  between: [Vector3, Vector3] | null;
  lower?: number;
  upper?: number;
  /** Where it is, rad or m; of an angle within a turn. */
  now: number;
}

const TURN = 2 * Math.PI;
/** What is drawn beyond an end that is not there, rad. */
const OPEN = 0.5;
/** More turns than these are not drawn. */
const MOST_TURNS = 3;
/** An arc grows by this part of its radius with every turn, so that turns are told apart. */
const SPIRAL = 0.12;

/** The angle of a direction about an axis, from where it is zero. */
export const angleOf = (axis: Vector3, zero: Vector3, direction: Vector3): number =>
  Math.atan2(new Vector3().crossVectors(zero, direction).dot(axis), zero.dot(direction));

/**
 * By how much a direction is turned about an axis until it lies as near as can be to another; not at all if that is
 * along the axis.
 */
export const turnTo = (axis: Vector3, direction: Vector3, to: Vector3): number => {
  const across = to.clone().projectOnPlane(axis);
  return across.length() < 1e-6 * to.length() || across.lengthSq() === 0 ? 0 : angleOf(axis, direction, across);
};

/** The same angle, as many turns on as brings it nearest to another. */
export const nearestTurn = (angle: number, near: number): number => angle + TURN * Math.round((near - angle) / TURN);

/** Where on an arc of some radius an angle is, or where along a line a position. */
export const pointOf = ({ center, axis, between }: Dial, value: number, radius: number): Vector3 => {
  if (between === null) return center.clone().addScaledVector(axis, value);
  const [zero] = between;
  const side = new Vector3().crossVectors(axis, zero);
  const far = radius * (1 + (SPIRAL * value) / TURN);
  return center
    .clone()
    .addScaledVector(zero, far * Math.cos(value))
    .addScaledVector(side, far * Math.sin(value));
};

/** From where to where it is drawn; a part of the way where it has no end. */
const drawnRange = ({ between, lower, upper, now }: Dial, reach: number): [number, number] => {
  const beyond = between === null ? reach : OPEN;
  const from = lower ?? Math.min(now, upper ?? now) - beyond;
  const to = upper ?? Math.max(now, from) + beyond;
  return between === null ? [from, to] : [Math.max(from, to - MOST_TURNS * TURN), to];
};

/** The line between its stops: an arc of some radius, or a straight one. */
export const arcOf = (dial: Dial, radius: number): Vector3[] => {
  const [from, to] = drawnRange(dial, radius);
  const n = dial.between === null ? 1 : Math.max(2, Math.ceil((to - from) / 0.1));
  return Array.from({ length: n + 1 }, (_, k) => pointOf(dial, from + ((to - from) * k) / n, radius));
};

/** The ends that it has. */
export const endsOf = ({ lower, upper }: Dial): [End, number][] => {
  const ends: [End, number | undefined][] = [
    ['lower', lower],
    ['upper', upper],
  ];
  return ends.filter((own): own is [End, number] => own[1] !== undefined);
};

/** What an end becomes that is dragged to a point of the world: a whole number of steps, and not past the other. */
export const draggedTo = (dial: Dial, end: End, point: Vector3, step: number): number => {
  const { center, axis, between } = dial;
  const away = point.clone().sub(center);
  const along = between === null ? away.dot(axis) : nearestTurn(angleOf(axis, between[0], away), dial[end] ?? 0);
  const value = Number((Math.round(along / step) * step).toPrecision(12));
  return end === 'lower' ? Math.min(value, dial.upper ?? Infinity) : Math.max(value, dial.lower ?? -Infinity);
};

/** Its value in few words. */
export const wordsOf = ({ between }: Dial, value: number): string => {
  const [shown, unit] = between === null ? [value, ' m'] : [(value * 180) / Math.PI, '°'];
  return `${Number(shown.toPrecision(4))}${unit}`.replace('-', '−');
};
