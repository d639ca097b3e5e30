// What a body or a joint can become, and the entry that makes it so.

import type { BodyEntry, BodyEntryFields, ConnectorRef, JointEntry, JointEntryFields } from '../engine/border';
import type { AnyBody, AnyJoint, BodyKind, JointKind, Vec3 } from '../engine/messages';

import { rampFrom } from '../engine/motion';

const SOLIDS: readonly BodyKind[] = ['rod', 'box', 'sphere', 'cylinder', 'disc'];
const FLAT: readonly BodyKind[] = ['planar-rod', 'planar-box', 'planar-disc'];

/** Types of bodies that move as this one does. */
export const bodyTypes = ({ type }: AnyBody): readonly BodyKind[] => {
  if (SOLIDS.includes(type)) return SOLIDS;
  return FLAT.includes(type) ? FLAT : [type];
};

/** Lengths along x and across it. */
const extent = ({ size, radius, length, thickness }: AnyBody): [number, number] => {
  if (Array.isArray(size)) {
    const [x = 0.1, y = x] = size;
    return [x, y];
  }
  const along = length ?? thickness ?? 2 * (radius ?? 0.05);
  return [along, radius === undefined ? 0.1 * along : 2 * radius];
};

const SIZE = ['length', 'radius', 'thickness', 'size', 'density'] as const satisfies (keyof BodyEntryFields)[];

/** The body as another type, as large as it was and as heavy. */
export const asBody = (entry: BodyEntry, type: BodyKind): BodyEntry => {
  const [along, across] = extent(entry);
  const kept: AnyBody = { ...entry };
  for (const key of SIZE) delete kept[key];
  const size: Partial<Record<BodyKind, Partial<BodyEntryFields>>> = {
    rod: { length: along, radius: across / 2 },
    cylinder: { length: along, radius: across / 2 },
    box: { size: [along, across, across] },
    sphere: { radius: Math.max(along, across) / 2 },
    disc: { thickness: along, radius: across / 2 },
    'planar-rod': { length: along },
    'planar-box': { size: [along, across] },
    'planar-disc': { radius: Math.max(along, across) / 2 },
  };
  return { ...kept, ...size[type], type } as BodyEntry;
};

const IN_SPACE: readonly JointKind[] = [
  'ball',
  'hinge',
  'universal',
  'cylindrical',
  'prismatic',
  'planar',
  'slot',
  'point-on-plane',
  'weld',
  'screw',
  'distance',
  'spring',
];
const IN_PLANE: readonly JointKind[] = ['hinge', 'prismatic', 'slot', 'weld', 'distance', 'spring'];
/** Their ends need not meet; what they become holds where the second one is. */
const SLIDING: readonly JointKind[] = ['prismatic', 'cylindrical', 'screw', 'slot', 'planar', 'point-on-plane'];
/** These act along the line from end to end. */
const BETWEEN: readonly JointKind[] = ['distance', 'spring'];

export const isPlanar = ({ a, b }: AnyJoint): boolean =>
  [a, b].some((side) => typeof side === 'object' && Array.isArray(side.point) && side.point.length === 2);

/** Types of joints that fit its two sides. A drive stays one: it is beside a joint, not in its place. */
export const jointTypes = (entry: AnyJoint): readonly JointKind[] => {
  const types = isPlanar(entry) ? IN_PLANE : IN_SPACE;
  return types.includes(entry.type) ? types : [entry.type];
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
const axisOf = (entry: AnyJoint, type: JointKind, axis: Vec3 | null): Vec3 => {
  const slides = type === 'prismatic' || type === 'slot';
  if (isPlanar(entry) && slides) return axis !== null && Math.abs(axis[2]) < 0.5 ? axis : [1, 0, 0];
  return axis ?? [0, 0, 1];
};

/** What a type needs besides its sides. */
const needs = (entry: AnyJoint, type: JointKind, moment: Moment): Partial<JointEntryFields> => {
  const axis = axisOf(entry, type, moment.axis);
  const length = gap(moment.ends);
  switch (type) {
    case 'ball':
    case 'weld':
      return {};
    case 'universal':
      return { axis, axis_b: across(axis) };
    case 'planar':
    case 'point-on-plane':
      return { normal: axis };
    case 'screw':
      return { axis, lead: 0.01 };
    case 'distance':
      return { length };
    case 'spring':
      return { stiffness: 100, rest_length: length };
    default:
      return { axis };
  }
};

const KEPT: readonly string[] = [
  'name',
  'level',
  'weight',
  'breaks_at',
  'enabled',
] satisfies (keyof JointEntryFields)[];

/** The sides as they are, or where a joint that slid has come to. */
const sidesOf = (entry: AnyJoint, type: JointKind, { ends }: Moment): Partial<JointEntryFields> => {
  const [a, b] = [entry.a, entry.b].map((side) => (side === undefined ? side : pointOf(side)));
  const here = ends.at(-1);
  const slid = SLIDING.includes(entry.type) && !BETWEEN.includes(type) && gap(ends) > 0;
  if (!slid || here === undefined || typeof a !== 'object' || typeof b !== 'object') return { a, b };
  return { a: a.body, b: b.body, at: isPlanar(entry) ? here.slice(0, 2) : here };
};

/** The joint as another type, where it is now. */
export const asJoint = (entry: JointEntry, type: JointKind, moment: Moment): JointEntry =>
  ({
    ...Object.fromEntries(Object.entries(entry).filter(([key]) => KEPT.includes(key))),
    ...sidesOf(entry, type, moment),
    ...needs(entry, type, moment),
    type,
  }) as JointEntry;

/** What can be driven. */
export type Drivable = Extract<JointEntry, { type: 'hinge' | 'prismatic' }>;

/** The joint that drives this one from where it is now. */
export const driveOf = (
  { name: driven, type, a, b }: Drivable,
  { axis, ends, time }: Moment,
  rate: number,
): JointEntry => {
  const name = `${driven} drive`;
  if (type === 'prismatic') {
    const [[ax, ay, az] = [0, 0, 0], [bx, by, bz] = [0, 0, 0]] = ends;
    const [x, y, z] = axis ?? [0, 0, 0];
    const length = (bx - ax) * x + (by - ay) * y + (bz - az) * z;
    return { name, type: 'length-drive', a, b, function: rampFrom(length, rate, time) };
  }
  // Axes are taken anew from the world, so that the angle is 0 now.
  const sides = { a: pointOf(a), b: pointOf(b), axis: axis ?? ([0, 0, 1] satisfies Vec3) };
  return { name, type: 'angle-drive', ...sides, function: rampFrom(0, rate, time) };
};

/** The main axis of a side that is a frame, on its body: the frame's x. */
export const frameAxis = (side: ConnectorRef | undefined): { body: string; axis: Vec3 } | null => {
  if (typeof side !== 'object') return null;
  const { body, rotation, angle } = side;
  if (angle !== undefined) return { body, axis: [Math.cos(angle), Math.sin(angle), 0] };
  return rotation === undefined ? null : { body, axis: [rotation[0][0], rotation[1][0], rotation[2][0]] };
};
