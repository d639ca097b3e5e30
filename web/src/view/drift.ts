// Where a scene that nothing holds is going, so that the eye can go along.

import { Vector3 } from 'three';
import { originOf } from '../affine';
import type { Look } from '../engine/border';

/** Whether nothing of a scene holds on to the ground, or to what moves by itself, and no floor ends its fall. */
export const isFree = (look: Look): boolean =>
  look.bodies.length > 0 &&
  look.floor === undefined &&
  look.bodies.every(({ movable }) => movable) &&
  [...look.joints, ...look.behaviors].every(({ enabled, ends }) => !enabled || ends.every(({ body }) => body !== null));

/** The mean of where bodies are. */
export const middleOf = (bodies: readonly number[], poses: Float64Array, out: Vector3): Vector3 => {
  out.set(0, 0, 0);
  for (const body of bodies) out.add(spot.fromArray(originOf(poses, body)));
  return out.divideScalar(Math.max(bodies.length, 1));
};

const spot = new Vector3();

export class Drift {
  private bodies: readonly number[] = [];
  private readonly middle = new Vector3();
  private readonly by = new Vector3();
  private chosen: string | null = null;
  private wasOpened = false;

  /** Goes along with the body of this name, whatever else moves, until it is asked for another or for none. */
  choose(name: string | null, look: Look, poses: Float64Array): void {
    this.chosen = name;
    this.show(look, poses, this.wasOpened);
  }

  /** A scene that somebody builds is not run after: it is caught where the anchors are. */
  show(look: Look, poses: Float64Array, opened: boolean): void {
    this.wasOpened = opened;
    const body = look.bodies.findIndex(({ name }) => name === this.chosen);
    if (body >= 0) this.follow([body], poses);
    else this.follow(opened && isFree(look) ? [...look.bodies.keys()] : [], poses);
  }

  /** Goes along with these from now on, until the scene is edited. */
  follow(bodies: readonly number[], poses: Float64Array): void {
    this.bodies = bodies;
    middleOf(bodies, poses, this.middle);
  }

  /** How far a scene that is free has gone since it was last asked; nothing if it is not. */
  since(poses: Float64Array): Vector3 | null {
    if (this.bodies.length === 0) return null;
    this.by.copy(this.middle).negate();
    this.by.add(middleOf(this.bodies, poses, this.middle));
    return this.by.lengthSq() > 0 ? this.by : null;
  }
}
