// Where things are at this moment, for panels: the poses of the last frame, and a pulse to look at them calmly.

import { signal } from '@preact/signals';
import { onTold } from './actions';
import { Anchors } from './anchors';
import type { Look } from './engine/border';
import type { Vec3 } from './engine/messages';

/** How often numbers in panels change, ms. */
const CALM = 200;

let look: Look | null = null;
let anchors: Anchors | null = null;
let poses = new Float64Array();
let isBeating = false;

/** Changes after frames, but not faster than people read. */
export const pulse = signal(0);

onTold((message) => {
  if (message.type !== 'look' && message.type !== 'frame') return;
  if (message.type === 'look') {
    look = message.look;
    poses = new Float64Array(message.poses).slice();
    anchors = new Anchors(look, poses);
  } else if (message.poses.byteLength === poses.byteLength) {
    // Before the buffer goes back to the engine.
    poses.set(new Float64Array(message.poses));
  }
  if (isBeating) return;
  isBeating = true;
  setTimeout(() => {
    isBeating = false;
    pulse.value += 1;
  }, CALM);
});

const jointOf = (name: string): number => look?.joints.findIndex((own) => own.name === name) ?? -1;

/** World position of a body's origin. */
export const positionOf = (name: string): Vec3 | null => {
  const body = look?.bodies.findIndex((own) => own.name === name) ?? -1;
  return body < 0 || anchors === null ? null : anchors.inWorld(poses, body, [0, 0, 0]);
};

/** Ends and axis of a joint, world. */
export const placeOf = (joint: string): { ends: Vec3[]; axis: Vec3 | null } | null => {
  const order = jointOf(joint);
  if (order < 0 || anchors === null) return null;
  return { ends: anchors.ends(order, poses), axis: anchors.axis(order, poses) };
};

/** A direction on a body, or on the ground, in the world. */
export const directionOf = (name: string, axis: Vec3): Vec3 => {
  const body = look?.bodies.findIndex((own) => own.name === name) ?? -1;
  return body < 0 || anchors === null ? axis : anchors.turned(poses, body, axis);
};

/** Forces of joints at their last ends; three numbers each, in the order of the look. */
export const arrowsOf = (forces: Float64Array): { point: Vec3; force: Vec3 }[] => {
  const arrows: { point: Vec3; force: Vec3 }[] = [];
  look?.joints.forEach(({ enabled }, joint) => {
    const point = anchors?.ends(joint, poses).at(-1);
    const [x = 0, y = 0, z = 0] = forces.subarray(3 * joint, 3 * joint + 3);
    if (enabled && point !== undefined && Number.isFinite(x + y + z)) arrows.push({ point, force: [x, y, z] });
  });
  return arrows;
};

/** Where bodies touch and with what force; six numbers each. */
export const contactsOf = (numbers: Float64Array): { point: Vec3; force: Vec3 }[] =>
  Array.from({ length: numbers.length / 6 }, (_, k) => {
    const [x = 0, y = 0, z = 0, fx = 0, fy = 0, fz = 0] = numbers.subarray(6 * k, 6 * k + 6);
    return { point: [x, y, z], force: [fx, fy, fz] };
  });
