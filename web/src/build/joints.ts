// Joints between two places: which there are, and their entries.

import type { Vector3 } from 'three';
import type { BodyLook, ConnectorRef, JointEntry } from '../engine/border';
import type { JointKind, Vec3 } from '../engine/messages';

import { unreachable } from '../exhaustive';
import { axisAcross, slidingAxis, type Turned, turningAxis } from '../hold/axis';
import { GRAVITY } from './parts';

/** Joints that two places can be joined by. */
export type JointType = Extract<
  JointKind,
  'ball' | 'hinge' | 'weld' | 'universal' | 'prismatic' | 'cylindrical' | 'slot' | 'spring' | 'distance'
>;

/** What people call them. */
export const JOINT_WORDS: Record<JointType, string> = {
  ball: 'ball',
  hinge: 'hinge',
  weld: 'weld',
  universal: 'universal joint',
  prismatic: 'slider',
  cylindrical: 'sliding hinge',
  slot: 'pin in a slot',
  spring: 'spring',
  distance: 'distance',
};

/** One side of a joint. */
export interface Side {
  /** None is the ground. */
  body: Pick<BodyLook, 'name' | 'type' | 'planar' | 'turns' | 'deforms' | 'mass'> | null;
  /** On the body. */
  point: Vector3;
  /** The body's x axis in the world. */
  x: Vector3;
}

/** How two places see each other at the moment they are joined. */
export interface Meeting {
  a: Side;
  b: Side;
  /** How far they are apart, m. */
  gap: number;
  /** How far the view reaches, m. What fell out of it does not count. */
  reach: number;
  flat: boolean;
  /** Into the window. */
  into: Vector3;
}

/** Whether a body has points besides its origin. */
export const isExtended = ({ turns, deforms }: Pick<BodyLook, 'turns' | 'deforms'>): boolean => turns || deforms;

/** Points nearer than this part of the view cannot be held at a distance. */
const TOUCHING = 0.01;
/** A spring stretches by this part of the view's reach under the weight of what it joins. */
const SAG = 0.1;
/** How much a spring damps, and a damper, as parts of critical. */
const SPRING_DAMPING = 0.1;
const DAMPER_DAMPING = 1;
/** A damper is a spring so soft that it is none: as a joint it may damp as much as it likes. */
const NO_STIFFNESS = 1e-6;
/** While time runs, a joint whose places do not meet closes over this time, s. */
const CLOSE_OVER = 0.3;

/** The joints that two places can have, the sensible one first. */
export const jointTypes = ({ a, b, gap, reach, flat }: Meeting): JointType[] => {
  const sides = [a.body, b.body];
  const planar = a.body?.planar === true || b.body?.planar === true;
  const far: JointType[] = gap > TOUCHING * reach ? ['spring', 'distance'] : ['spring'];
  // What has no frame is held by a point.
  if (sides.some((side) => side?.turns === false)) return [planar ? 'hinge' : 'ball', ...far];
  if (planar) return ['hinge', 'weld', 'prismatic', 'slot', ...far];
  const turns: JointType[] = flat ? ['hinge', 'ball'] : ['ball', 'hinge'];
  return [...turns, 'weld', 'universal', 'prismatic', 'cylindrical', 'slot', ...far];
};

const connector = ({ body, point: { x, y, z } }: Side, planar: boolean): ConnectorRef => {
  if (body !== null && !isExtended(body)) return body.name;
  return { body: body?.name ?? 'ground', point: planar ? [x, y] : [x, y, z] };
};

/** Stiffness and damping that suit what is joined. */
const strength = ({ a, b, reach }: Meeting): { stiffness: number; critical: number } => {
  const mass = Math.max((a.body?.mass ?? 0) + (b.body?.mass ?? 0), 1e-9);
  const stiffness = (mass * GRAVITY) / (SAG * reach);
  return { stiffness, critical: 2 * Math.sqrt(stiffness * mass) };
};

/** The joint between two places. */
export const jointEntry = (
  type: JointType | 'damper',
  name: string,
  meeting: Meeting,
  running: boolean,
): JointEntry => {
  const { a, b, gap, flat, into } = meeting;
  const planar = a.body?.planar === true || b.body?.planar === true;
  const sides = { name, a: connector(a, planar), b: connector(b, planar) };
  const bodies: Turned[] = [b, a].map(({ body, x }) => ({ type: body?.type ?? null, x }));
  const closing = running ? { close_over: CLOSE_OVER } : {};
  const about: Vec3 = turningAxis(bodies, flat || planar, into);
  switch (type) {
    case 'ball':
    case 'weld':
      return { ...sides, type, ...closing };
    case 'hinge':
      return { ...sides, type, ...(planar ? {} : { axis: about }), ...closing };
    case 'universal':
      return { ...sides, type, axis: about, axis_b: axisAcross(about), ...closing };
    case 'prismatic':
    case 'cylindrical':
    case 'slot':
      return { ...sides, type, axis: slidingAxis(bodies), ...closing };
    case 'distance':
      return { ...sides, type, length: gap };
    case 'spring':
    case 'damper': {
      const { stiffness, critical } = strength(meeting);
      const soft = type === 'spring' ? stiffness : NO_STIFFNESS * stiffness;
      const damping = (type === 'spring' ? SPRING_DAMPING : DAMPER_DAMPING) * critical;
      return { ...sides, type: 'spring', stiffness: soft, damping, rest_length: gap };
    }
    default:
      return unreachable(type);
  }
};
