// Directions: what a window knows of the world's axes, and which of them a joint turns about or slides along.

import { Vector3 } from 'three';
import type { BodyLook } from '../engine/border';
import { typeOf } from '../engine/catalogue';
import type { Vec3 } from '../engine/messages';
import type { Stage } from '../view/stage';

export const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** The world axis that is nearest to a direction. */
export const nearestAxis = (direction: Vector3): Vec3 => {
  const size = direction.toArray().map(Math.abs);
  const most = size.indexOf(Math.max(...size));
  return [most === 0 ? 1 : 0, most === 1 ? 1 : 0, most === 2 ? 1 : 0];
};

/** A world axis across a direction: the one that is furthest from it. */
export const axisAcross = (direction: Vec3): Vec3 => {
  const size = direction.map(Math.abs);
  const least = size.indexOf(Math.min(...size));
  const axis = new Vector3().setComponent(least, 1);
  const along = new Vector3(...direction).normalize();
  return axis.addScaledVector(along, -axis.dot(along)).normalize().toArray();
};

/** Right and down in the window, and into it, at a point of the world. */
export const viewAxes = (stage: Stage, at: Vector3): { right: Vector3; down: Vector3; into: Vector3 } => {
  const { x, y } = stage.project(at);
  const place = (dx: number, dy: number): Vector3 => stage.onPlane(x + dx, y + dy, at, false) ?? at.clone();
  const middle = place(0, 0);
  const right = place(100, 0).sub(middle).normalize();
  const down = place(0, 100).sub(middle).normalize();
  return { right, down, into: new Vector3().crossVectors(right, down).normalize() };
};

/** A body with its x axis, which wheels turn about and bars lie along, in the world. */
export interface Turned {
  type: BodyLook['type'];
  x: Vector3;
}

/** What a joint turns about: the axle of a wheel, z in flat scenes, else the world axis one looks along. */
export const turningAxis = (bodies: Turned[], flat: boolean, into: Vector3): Vec3 => {
  if (flat) return [0, 0, 1];
  const wheel = bodies.find(({ type }) => typeOf('body', type)?.body?.x === 'wheel');
  return wheel === undefined ? nearestAxis(into) : wheel.x.toArray();
};

/** What a joint slides along: the bar, else the world's x. */
export const slidingAxis = (bodies: Turned[]): Vec3 => {
  const bar = bodies.find(({ type }) => typeOf('body', type)?.body?.x === 'bar');
  return bar === undefined ? [1, 0, 0] : bar.x.toArray();
};
