// From the engine's seven numbers to matrices.

import { Matrix4, Quaternion, Vector3 } from 'three';
import { SLOT } from '../engine/words';

const position = new Vector3();
const rotation = new Quaternion();
const one = new Vector3(1, 1, 1);

/** Where a body is: a rigid motion, or for a troid the map x = t + A·X of its plane. */
export const matrixOf = (poses: Float64Array, body: number, isTroid: boolean, out: Matrix4): Matrix4 => {
  const at = body * SLOT;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = poses.subarray(at, at + SLOT);
  if (isTroid) {
    return out.set(c, d, 0, a, e, f, 0, b, 0, 0, 1, 0, 0, 0, 0, 1);
  }
  position.set(a, b, c);
  rotation.set(e, f, g, d);
  return out.compose(position, rotation, one);
};
