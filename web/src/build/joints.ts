// Joints between two places: which there are, and their entries.

import type { Vector3 } from 'three';
import type { BodyLook, ConnectorRef, JointEntry, OfferInfo, TypeInfo } from '../engine/border';
import { commonOf, labelOf, typeOf, typesOf } from '../engine/catalogue';
import type { Vec3 } from '../engine/messages';

import { unreachable } from '../exhaustive';
import { axisAcross, slidingAxis, type Turned, turningAxis } from '../hold/axis';
import { strength } from './parts';

/** One side of a joint. */
export interface Side {
  /** None is the ground. */
  body: Pick<BodyLook, 'name' | 'type' | 'planar' | 'turns' | 'deforms' | 'mass' | 'curve' | 'rings'> | null;
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
/** While time runs, a joint whose places do not meet closes over this time, s. */
const CLOSE_OVER = 0.3;

const isInPlane = ({ a, b }: Meeting): boolean => a.body?.planar === true || b.body?.planar === true;

/** Whether a type needs its places to be apart: their distance is something that it has no number for. */
const needsGap = ({ fields }: TypeInfo): boolean =>
  fields.some((field) => field.start === 'gap' && field.default === undefined);

/** The joints that two places can have, the sensible one first. */
export const jointTypes = (meeting: Meeting): string[] => {
  const { a, b, gap, reach, flat } = meeting;
  const planar = isInPlane(meeting);
  // What has no frame is held by a point.
  const hasFrames = [a.body, b.body].every((body) => body?.turns !== false);
  const takes = ({ joint }: TypeInfo): boolean =>
    joint?.joins !== undefined &&
    (joint.planar || !planar) &&
    (hasFrames || joint.frames === 'never' || (planar && joint.frames === 'in-space'));
  const all = typesOf('joint')
    .filter((type) => takes(type) && (gap > TOUCHING * reach || !needsGap(type)))
    .sort((one, other) => (one.joint?.joins ?? 0) - (other.joint?.joins ?? 0));
  // What is seen flat moves as if it were of the plane.
  const first = flat ? all.find(({ joint, glyph }) => joint?.planar === true && glyph?.meets === true) : undefined;
  const rest = all.filter((type) => type !== first);
  return (first === undefined ? rest : [first, ...rest]).map(({ word }) => word);
};

/** What people call the sensible joint of two places. */
export const jointLabel = (meeting: Meeting): string => labelOf('joint', jointTypes(meeting)[0] ?? null);

const connector = ({ body, point: { x, y, z } }: Side, planar: boolean): ConnectorRef => {
  if (body?.curve !== undefined) return { body: body.name, curve: x };
  if (body?.rings !== undefined) return { body: body.name, surface: [x, y] };
  if (body !== null && !isExtended(body)) return body.name;
  return { body: body?.name ?? 'ground', point: planar ? [x, y] : [x, y, z] };
};

/** What the fields of a new joint say. */
const starts = (type: TypeInfo, meeting: Meeting, running: boolean, offer?: OfferInfo): [string, number | Vec3][] => {
  const { a, b, gap, reach, flat, into } = meeting;
  const planar = isInPlane(meeting);
  const bodies: Turned[] = [b, a].map(({ body, x }) => ({ type: body?.type ?? null, x }));
  const slides = type.glyph?.slides === true;
  const axis = slides ? slidingAxis(bodies) : turningAxis(bodies, flat || planar, into);
  const mass = Math.max((a.body?.mass ?? 0) + (b.body?.mass ?? 0), 1e-9);
  const strong = offer === undefined ? null : strength(offer, mass, reach);
  const fields = type.joint?.soft === true ? [...type.fields, ...commonOf('joint')] : type.fields;
  return fields.flatMap(({ name, start, number = 0 }): [string, number | Vec3][] => {
    if (start === undefined) return [];
    switch (start) {
      case 'axis':
        // In the plane everything turns about z.
        return planar && !slides ? [] : [[name, axis]];
      case 'across':
        return [[name, axisAcross(axis)]];
      case 'gap':
        return [[name, gap]];
      case 'stiffness':
      case 'damping':
        return strong === null ? [] : [[name, strong[start]]];
      case 'closing':
        return running ? [[name, CLOSE_OVER]] : [];
      case 'number':
        return [[name, number]];
      case 'torque':
        return [];
      default:
        return unreachable(start);
    }
  });
};

/** The joint between two places: as a button of the palette makes it, or as such joints are. */
export const jointEntry = (
  word: string,
  name: string,
  meeting: Meeting,
  running: boolean,
  offer?: OfferInfo,
): JointEntry => {
  const type = typeOf('joint', word);
  if (type === null) throw new Error(`there is no joint "${word}"`);
  const planar = isInPlane(meeting);
  return {
    name,
    type: word,
    a: connector(meeting.a, planar),
    b: connector(meeting.b, planar),
    ...Object.fromEntries(starts(type, meeting, running, offer ?? type.offers[0])),
  } as JointEntry;
};
