// How a pointer turns what it holds.

import { Quaternion, type Vector3 } from 'three';

/** How far the pointer goes for a turn by one radian, px. */
const RADIAN = 110;
/** A turn of the wheel by one notch, rad. */
const NOTCH = Math.PI / 12;

/**
 * The turn of a ball under the pointer that moves by so many pixels: about the line in the window across the
 * move. In flat scenes only z is left, and what counts is the move to the side.
 */
export const turnBy = (dx: number, dy: number, right: Vector3, down: Vector3, flat: boolean): Quaternion => {
  if (flat) return about([0, 0, 1], -dx / RADIAN);
  const angle = Math.hypot(dx, dy) / RADIAN;
  if (angle === 0) return new Quaternion();
  // What faces the viewer goes with the pointer: ω = (out of the window) × move.
  const { x, y, z } = down.clone().multiplyScalar(-dx).addScaledVector(right, dy).normalize();
  return about([x, y, z], angle);
};

/** Rolls about the line of sight; the wheel towards the viewer turns clockwise. */
export const rollBy = (wheel: number, into: Vector3, flat: boolean): Quaternion => {
  const angle = Math.sign(wheel) * NOTCH;
  return flat ? about([0, 0, 1], -angle) : about([into.x, into.y, into.z], angle);
};

const about = ([x, y, z]: [number, number, number], angle: number): Quaternion => {
  const s = Math.sin(0.5 * angle);
  return new Quaternion(s * x, s * y, s * z, Math.cos(0.5 * angle));
};
