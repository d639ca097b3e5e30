// Where joints are at this moment: a look tells their ends as points of the world, and from then on they ride
// on their bodies.

import type { Look } from './engine/border';
import { SLOT, type Vec3 } from './engine/messages';

const at = (numbers: Float64Array, k: number): number => numbers[k] ?? 0;

/** v + 2·w·(u × v) + 2·u × (u × v): a vector turned by the unit quaternion w, u. */
const rotated = (w: number, [ux, uy, uz]: Vec3, [x, y, z]: Vec3): Vec3 => {
  const [tx, ty, tz] = [2 * (uy * z - uz * y), 2 * (uz * x - ux * z), 2 * (ux * y - uy * x)];
  return [x + w * tx + uy * tz - uz * ty, y + w * ty + uz * tx - ux * tz, z + w * tz + ux * ty - uy * tx];
};

interface Ride {
  body: number | null;
  /** On the body; of the world for the ground. */
  point: Vec3;
  axis: Vec3 | null;
}

export class Anchors {
  private readonly isTroid: boolean[];
  private readonly joints: Ride[][];

  constructor(look: Look, poses: Float64Array) {
    this.isTroid = look.bodies.map(({ type }) => type === 'troid');
    this.joints = look.joints.map(({ ends, axis }) =>
      ends.map(({ body, point }) => ({
        body,
        point: this.onBody(poses, body, point),
        axis: axis === null ? null : this.turn(poses, body, axis, -1),
      })),
    );
  }

  /** Where the ends of a joint are, world. */
  ends(joint: number, poses: Float64Array): Vec3[] {
    return (this.joints[joint] ?? []).map(({ body, point }) => this.inWorld(poses, body, point));
  }

  /** The axis of a joint, world, as its last body carries it. */
  axis(joint: number, poses: Float64Array): Vec3 | null {
    const last = this.joints[joint]?.at(-1);
    return last === undefined || last.axis === null ? null : this.turned(poses, last.body, last.axis);
  }

  inWorld(poses: Float64Array, body: number | null, [x, y, z]: Vec3): Vec3 {
    if (body === null) return [x, y, z];
    const k = body * SLOT;
    // x = t + A·X
    if (this.isTroid[body] === true) {
      return [
        at(poses, k) + at(poses, k + 2) * x + at(poses, k + 3) * y,
        at(poses, k + 1) + at(poses, k + 4) * x + at(poses, k + 5) * y,
        z,
      ];
    }
    const [tx, ty, tz] = this.turned(poses, body, [x, y, z]);
    return [at(poses, k) + tx, at(poses, k + 1) + ty, at(poses, k + 2) + tz];
  }

  turned(poses: Float64Array, body: number | null, direction: Vec3): Vec3 {
    return this.turn(poses, body, direction, 1);
  }

  private onBody(poses: Float64Array, body: number | null, point: Vec3): Vec3 {
    if (body === null) return point;
    const k = body * SLOT;
    const [x, y] = [point[0] - at(poses, k), point[1] - at(poses, k + 1)];
    if (this.isTroid[body] === true) {
      const [a, b, c, d] = [at(poses, k + 2), at(poses, k + 3), at(poses, k + 4), at(poses, k + 5)];
      const area = a * d - b * c;
      return [(d * x - b * y) / area, (a * y - c * x) / area, point[2]];
    }
    return this.turn(poses, body, [x, y, point[2] - at(poses, k + 2)], -1);
  }

  /** Turns with the body, or back. Directions of sheets stay. */
  private turn(poses: Float64Array, body: number | null, of: Vec3, way: 1 | -1): Vec3 {
    if (body === null || this.isTroid[body] === true) return of;
    const k = body * SLOT + 3;
    const u: Vec3 = [way * at(poses, k + 1), way * at(poses, k + 2), way * at(poses, k + 3)];
    return rotated(at(poses, k), u, of);
  }
}
