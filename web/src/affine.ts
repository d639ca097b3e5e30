// The engine's poses: of each body the map x = A·X + t, as the rows of [A t].

import type { Vec3 } from './engine/messages';

/** Numbers of a map. */
export const MAP = 12;

const read = (from: Float64Array, at: number): number => from[at] ?? 0;

const row = (poses: Float64Array, at: number, [x, y, z]: Vec3): number =>
  read(poses, at) * x + read(poses, at + 1) * y + read(poses, at + 2) * z;

/** t: where the origin of a body is. */
export const originOf = (poses: Float64Array, body: number): Vec3 => {
  const at = MAP * body;
  return [read(poses, at + 3), read(poses, at + 7), read(poses, at + 11)];
};

/** A·v: a direction of a body in the world. */
export const turned = (poses: Float64Array, body: number, v: Vec3): Vec3 => {
  const at = MAP * body;
  return [row(poses, at, v), row(poses, at + 4, v), row(poses, at + 8, v)];
};

/** A·X + t: a point of a body in the world. */
export const moved = (poses: Float64Array, body: number, point: Vec3): Vec3 => {
  const [x, y, z] = turned(poses, body, point);
  const [tx, ty, tz] = originOf(poses, body);
  return [x + tx, y + ty, z + tz];
};

const cross = ([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Vec3 => [
  ay * bz - az * by,
  az * bx - ax * bz,
  ax * by - ay * bx,
];

/** A⁻¹·v by Cramer's rule, since A need not be a rotation. */
export const turnedBack = (poses: Float64Array, body: number, [x, y, z]: Vec3): Vec3 => {
  const at = MAP * body;
  const [a, b, c] = [0, 4, 8].map((own): Vec3 => {
    const k = at + own;
    return [read(poses, k), read(poses, k + 1), read(poses, k + 2)];
  }) as [Vec3, Vec3, Vec3];
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
  const det = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
  const column = (k: 0 | 1 | 2): number => (bc[k] * x + ca[k] * y + ab[k] * z) / det;
  return [column(0), column(1), column(2)];
};

/** A⁻¹·(x − t): a point of the world on a body. */
export const movedBack = (poses: Float64Array, body: number, [x, y, z]: Vec3): Vec3 => {
  const [tx, ty, tz] = originOf(poses, body);
  return turnedBack(poses, body, [x - tx, y - ty, z - tz]);
};
