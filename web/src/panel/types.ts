// What a body or a joint can become, and the entry that makes it so.

import { extentOf, isSized, sizeFields } from '../build/measures';
import type {
  BodyEntry,
  ConnectorRef,
  Driven,
  FieldInfo,
  JointEntry,
  JointEntryFields,
  TypeInfo,
} from '../engine/border';
import { commonOf, typeOf, typesOf } from '../engine/catalogue';
import type { AnyBody, AnyJoint, Vec3 } from '../engine/messages';
import { unreachable } from '../exhaustive';
import { SOFTNESS } from './fields';

/** Types of bodies that move as this one does, and have a size as it has. */
export const bodyTypes = ({ type }: Pick<AnyBody, 'type'>): string[] => {
  const own = typeOf('body', type);
  if (own === null || !isSized(own)) return [type];
  const key = ({ body }: TypeInfo): string => `${body?.planar} ${body?.turns} ${body?.deforms}`;
  return typesOf('body')
    .filter((other) => isSized(other) && key(other) === key(own))
    .map(({ word }) => word);
};

/** The body as another type, as large as it was and as heavy. */
export const asBody = (entry: BodyEntry, word: string): BodyEntry => {
  const [own, next] = [typeOf('body', entry.type), typeOf('body', word)];
  if (own === null || next === null) return entry;
  const [along, across] = extentOf(own, entry);
  const isKept = ([key]: [string, unknown]): boolean =>
    !own.fields.some(({ name, measure }) => name === key && measure !== undefined);
  const kept = Object.fromEntries(Object.entries(entry).filter(isKept));
  return { ...kept, ...sizeFields(next, [along, across, across]), type: word } as BodyEntry;
};

/** Whether a type acts along the line from end to end. */
const isBetween = ({ fields }: TypeInfo): boolean => fields.some(({ start }) => start === 'gap');

/** Whether a type joins two sides, and needs nothing that only a person knows. */
const isSimple = ({ fields }: TypeInfo): boolean => {
  const has = (side: string): boolean => fields.some(({ name }) => name === side);
  const isKnown = ({ name, required, start }: FieldInfo): boolean =>
    !required || start !== undefined || name === 'a' || name === 'b';
  return has('a') && has('b') && fields.every(isKnown);
};

export const isPlanar = ({ a, b }: AnyJoint): boolean =>
  [a, b].some((side) => typeof side === 'object' && Array.isArray(side.point) && side.point.length === 2);

/** Whether its sides are directions, which have no place that another joint could hold. */
const isDirected = ({ a, b }: AnyJoint): boolean =>
  [a, b].some((side) => typeof side === 'object' && side.direction !== undefined);

/** Whether a type takes directions of its sides, and no axis of the world in their place. */
const takesDirections = ({ joint, fields }: TypeInfo): boolean =>
  joint?.frames === 'directed' && !fields.some(({ name }) => name === 'axis');

/** Types of joints that fit its two sides. A drive stays one: it is beside a joint, not in its place. */
export const jointTypes = (entry: AnyJoint): string[] => {
  const [planar, directed] = [isPlanar(entry), isDirected(entry)];
  const fits = (type: TypeInfo): boolean =>
    (!planar || type.joint?.planar === true) &&
    (!directed || type.joint?.frames === 'directed') &&
    (!takesDirections(type) || type.word === entry.type);
  const types = typesOf('joint').filter((type) => isSimple(type) && fits(type));
  return types.some(({ word }) => word === entry.type) ? types.map(({ word }) => word) : [entry.type];
};

/** Where a joint is at this moment, world, and the scene's time. */
export interface Moment {
  axis: Vec3 | null;
  ends: Vec3[];
  time: number;
}

/** A side without its own axes: those are taken anew from the world, so that nothing jumps. */
const pointOf = (side: ConnectorRef): ConnectorRef => {
  if (typeof side !== 'object') return side;
  const { body, point } = side;
  return point === undefined ? { body } : { body, point };
};

/** A gap that is none, m. */
const CLOSED = 1e-6;

/** A direction across another. */
const across = ([x, y, z]: Vec3): Vec3 => {
  const smallest = Math.min(Math.abs(x), Math.abs(y), Math.abs(z));
  if (Math.abs(x) === smallest) return [0, z, -y];
  return Math.abs(y) === smallest ? [-z, 0, x] : [y, -x, 0];
};

/** How far the ends are apart; what a closed joint leaves open is nothing. */
const gap = ([a, b]: Vec3[]): number => {
  if (a === undefined || b === undefined) return 0;
  const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return apart < CLOSED ? 0 : apart;
};

/** Axes of a joint that has none yet: across the plane, or along it for what slides in it. */
const axisOf = (entry: AnyJoint, { glyph }: TypeInfo, axis: Vec3 | null): Vec3 => {
  if (isPlanar(entry) && glyph?.slides === true) return axis !== null && Math.abs(axis[2]) < 0.5 ? axis : [1, 0, 0];
  return axis ?? [0, 0, 1];
};

/** What something is as stiff as that nobody has weighed, N/m. */
const STIFFNESS = 100;

/** What a type needs besides its sides. */
const needs = (entry: AnyJoint, type: TypeInfo, moment: Moment): Partial<JointEntryFields> => {
  const axis = axisOf(entry, type, moment.axis);
  const begun = ({ start, number }: FieldInfo): number | Vec3 | undefined => {
    switch (start) {
      case 'axis':
        return axis;
      case 'across':
        return across(axis);
      case 'gap':
        return gap(moment.ends);
      case 'stiffness':
        return STIFFNESS;
      case 'number':
        return number;
      case 'damping':
      case 'torque':
      case 'closing':
      case undefined:
        return undefined;
      default:
        return unreachable(start);
    }
  };
  const values = type.fields.map((field) => [field.name, begun(field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
};

/** What stays of a joint that becomes another one: its name, and what all joints have but for how soft it is. */
const isKept = ([key]: [string, unknown]): boolean =>
  key === 'name' ||
  commonOf('joint').some(({ name, after }) => name === key && name !== SOFTNESS && after !== SOFTNESS);

/** The sides as they are, or where a joint that slid has come to. */
const sidesOf = (entry: AnyJoint, next: TypeInfo, { ends }: Moment): Partial<JointEntryFields> => {
  const [a, b] = [entry.a, entry.b].map((side) => (side === undefined ? side : pointOf(side)));
  const here = ends.at(-1);
  const own = typeOf('joint', entry.type);
  // Ends that need not meet: what it becomes holds where the second one is.
  const isLoose = own !== null && own.glyph?.meets !== true && !isBetween(own);
  const takesPlace = next.fields.some(({ name }) => name === 'at');
  const slid = isLoose && takesPlace && gap(ends) > 0;
  if (!slid || here === undefined || typeof a !== 'object' || typeof b !== 'object') return { a, b };
  return { a: a.body, b: b.body, at: isPlanar(entry) ? here.slice(0, 2) : here };
};

/** The joint as another type, where it is now. */
export const asJoint = (entry: JointEntry, word: string, moment: Moment): JointEntry => {
  const next = typeOf('joint', word);
  if (next === null) return entry;
  return {
    ...Object.fromEntries(Object.entries(entry).filter(isKept)),
    ...sidesOf(entry, next, moment),
    ...needs(entry, next, moment),
    type: word,
  } as JointEntry;
};

/** The type that drives a joint, and what it leads; none if nothing can. */
export const driverOf = ({ type }: Pick<AnyJoint, 'type'>): { word: string; driven: Driven } | null => {
  const driver = typeOf('joint', typeOf('joint', type)?.joint?.driven_by ?? null);
  const driven = driver?.joint?.drives;
  return driver === null || driven === undefined ? null : { word: driver.word, driven };
};

/** The joint with a motor that turns or slides it at this rate, from where it is; none if nothing can. */
export const drivenAt = (entry: JointEntry, speed: number): JointEntry | null =>
  driverOf(entry) === null ? null : ({ ...entry, motor: { speed } } as JointEntry);

/** The main axis of a side that is a frame, on its body: the frame's x. */
export const frameAxis = (side: ConnectorRef | undefined): { body: string; axis: Vec3 } | null => {
  if (typeof side !== 'object') return null;
  const { body, rotation, angle } = side;
  if (angle !== undefined) return { body, axis: [Math.cos(angle), Math.sin(angle), 0] };
  return rotation === undefined ? null : { body, axis: [rotation[0][0], rotation[1][0], rotation[2][0]] };
};
