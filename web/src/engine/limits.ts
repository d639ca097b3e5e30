// Limits of joints: a limit is a joint of its own beside the one that it limits, and is known by its name.

import type { Driven, JointEntry, JointLook, Look } from './border';
import { typeOf, typesOf } from './catalogue';
import type { AnyJoint } from './messages';

/** What the limits of a joint are called. */
export const limitsOf = (joint: string): string => `${joint} limits`;

/** The type that limits a joint; none if nothing does. */
export const limitType = ({ type }: Pick<AnyJoint, 'type'>): string | null =>
  typeOf('joint', type)?.joint?.limited_by ?? null;

/** What no joint comes to, rad or m. */
const FAR = 1e6;

/** Limits of a joint that are far apart. */
export const limitEntry = ({ name, type, a, b, axis }: AnyJoint): JointEntry => {
  const kind = limitType({ type });
  if (kind === null) throw new Error(`"${name}" has no coordinate that could be limited`);
  const entry = { name: limitsOf(name), type: kind, a, b, axis, lower: -FAR, upper: FAR };
  return entry as JointEntry;
};

/** The limit that is shown with a joint: the joint itself, or its own. */
export const limitShown = ({ joints }: Look, joint: string): JointLook | null => {
  const isShown = ({ name, range }: JointLook): boolean =>
    range !== undefined && (name === joint || name === limitsOf(joint));
  return joints.find(isShown) ?? null;
};

/** What a type of limit limits: the coordinate of the joints that it is for. */
export const coordinateOf = (limit: string): Driven | null => {
  const limited = typesOf('joint').find(({ joint }) => joint?.limited_by === limit);
  return typeOf('joint', limited?.joint?.driven_by ?? null)?.joint?.drives ?? null;
};
