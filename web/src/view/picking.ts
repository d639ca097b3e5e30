// What is nearest to the pointer: geometry without a scene.

import { Vector3 } from 'three';

const [between, unit] = [new Vector3(), new Vector3()];

/** The point of a line that is nearest to a ray; none where they are parallel. `direction` has length one. */
export const nearestOnLine = (origin: Vector3, direction: Vector3, through: Vector3, axis: Vector3): Vector3 | null => {
  unit.copy(axis).normalize();
  between.subVectors(through, origin);
  // |through + s·axis − origin − t·direction|² is least: two equations in s and t.
  const cos = unit.dot(direction);
  const det = 1 - cos * cos;
  if (det < 1e-6) return null;
  const s = (cos * between.dot(direction) - between.dot(unit)) / det;
  return through.clone().addScaledVector(unit, s);
};

/** What the pointer meets beside a ray: places around it, px. */
export const NEAR: readonly (readonly [number, number])[] = [
  [0, 0],
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => [5 * Math.cos((k * Math.PI) / 4), 5 * Math.sin((k * Math.PI) / 4)] as const),
];

/** How far from the pointer a press still takes hold of the nearest body (Faure 1999, §5), px: a finger's breadth. */
export const REACH = 24;

/** How far from a curve the pointer is still on it, px. */
export const ON_CURVE = 7;

const ring = (radius: number, count: number): (readonly [number, number])[] =>
  Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  });

/** Places around the pointer as far as it reaches, nearest first, a few pixels apart. */
export const AROUND: readonly (readonly [number, number])[] = [
  ...ring(8, 8),
  ...ring(12, 12),
  ...ring(16, 16),
  ...ring(20, 20),
  ...ring(REACH, 24),
];

/** A mark in the window, px. */
export interface Seen {
  x: number;
  y: number;
  radius: number;
  /** From the eye, m. */
  depth: number;
}

/** Whether a mark is met by the pointer: within its size, at least a few pixels, unless it is too small to be
 * told from its neighbors. */
export const meets = (mark: Seen, x: number, y: number): number | null => {
  if (mark.radius < 1) return null;
  const away = Math.hypot(mark.x - x, mark.y - y);
  return away <= Math.min(Math.max(1.2 * mark.radius, 5), 16) ? away : null;
};
