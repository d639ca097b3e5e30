// Where joints are at this moment: a look tells their ends as points of the world, and from then on they ride
// on their bodies.

import { moved, movedBack, turned, turnedBack } from './affine';
import type { Look } from './engine/border';
import type { Vec3 } from './engine/messages';

interface Ride {
  body: number | null;
  /** On the body; of the world for the ground. */
  point: Vec3;
  axis: Vec3 | null;
}

export class Anchors {
  /** Directions turn with a body that has frames. */
  private readonly turns: boolean[];
  private readonly joints: Ride[][];

  constructor(look: Look, poses: Float64Array) {
    this.turns = look.bodies.map(({ turns }) => turns);
    this.joints = look.joints.map(({ ends, axis }) =>
      ends.map(({ body, point }) => ({
        body,
        point: body === null ? point : movedBack(poses, body, point),
        axis: axis !== null && this.isTurning(body) ? turnedBack(poses, body, axis) : axis,
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

  inWorld(poses: Float64Array, body: number | null, point: Vec3): Vec3 {
    return body === null ? point : moved(poses, body, point);
  }

  turned(poses: Float64Array, body: number | null, direction: Vec3): Vec3 {
    return this.isTurning(body) ? turned(poses, body, direction) : direction;
  }

  private isTurning(body: number | null): body is number {
    return body !== null && this.turns[body] === true;
  }
}
