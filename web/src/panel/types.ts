// What a body or a joint can become, and the entry that makes it so.

import { rampFrom } from '../engine/motion';
import type { Entry, Vec3 } from '../engine/words';

const SOLIDS = ['rod', 'box', 'sphere', 'cylinder', 'disc'];
const FLAT = ['planar-rod', 'planar-box', 'planar-disc'];

/** Types of bodies that move as this one does. */
export const bodyTypes = (entry: Entry): string[] => {
  const type = String(entry.type);
  if (SOLIDS.includes(type)) return SOLIDS;
  return FLAT.includes(type) ? FLAT : [type];
};

/** Lengths along x and across it. */
const extent = (entry: Entry): [number, number] => {
  const number = (key: string): number | null => (typeof entry[key] === 'number' ? entry[key] : null);
  const [x = 0.1, y = x] = Array.isArray(entry.size) ? (entry.size as number[]) : [];
  if (Array.isArray(entry.size)) return [x, y];
  const radius = number('radius');
  const along = number('length') ?? number('thickness') ?? 2 * (radius ?? 0.05);
  return [along, radius === null ? 0.1 * along : 2 * radius];
};

const SIZE = ['length', 'radius', 'thickness', 'size', 'density'];

/** The body as another type, as large as it was and as heavy. */
export const asBody = (entry: Entry, type: string): Entry => {
  const [along, across] = extent(entry);
  const kept = Object.fromEntries(Object.entries(entry).filter(([key]) => !SIZE.includes(key)));
  const size: Record<string, Entry> = {
    rod: { length: along, radius: across / 2 },
    cylinder: { length: along, radius: across / 2 },
    box: { size: [along, across, across] },
    sphere: { radius: Math.max(along, across) / 2 },
    disc: { thickness: along, radius: across / 2 },
    'planar-rod': { length: along },
    'planar-box': { size: [along, across] },
    'planar-disc': { radius: Math.max(along, across) / 2 },
  };
  return { ...kept, ...size[type], type };
};

const IN_SPACE = [
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
const IN_PLANE = ['hinge', 'prismatic', 'slot', 'weld', 'distance', 'spring'];
/** Their ends need not meet; what they become holds where the second one is. */
const SLIDING = ['prismatic', 'cylindrical', 'screw', 'slot', 'planar', 'point-on-plane'];
/** These act along the line from end to end. */
const BETWEEN = ['distance', 'spring'];

type Side = string | { body: string; point?: number[] };

export const isPlanar = (entry: Entry): boolean =>
  [entry.a, entry.b].some((side) => typeof side === 'object' && (side as { point?: number[] }).point?.length === 2);

/** Types of joints that fit its two sides. A drive stays one: it is beside a joint, not in its place. */
export const jointTypes = (entry: Entry): string[] => {
  const type = String(entry.type);
  const types = isPlanar(entry) ? IN_PLANE : IN_SPACE;
  return types.includes(type) ? types : [type];
};

/** Where a joint is at this moment, world, and the scene's time. */
export interface Moment {
  axis: Vec3 | null;
  ends: Vec3[];
  time: number;
}

/** A side without its own axes: those are taken anew from the world, so that nothing jumps. */
const pointOf = (side: unknown): Side => {
  if (typeof side !== 'object' || side === null) return side as Side;
  const { body, point } = side as { body: string; point?: number[] };
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
const axisOf = (entry: Entry, type: string, axis: Vec3 | null): Vec3 => {
  const slides = type === 'prismatic' || type === 'slot';
  if (isPlanar(entry) && slides) return axis !== null && Math.abs(axis[2]) < 0.5 ? axis : [1, 0, 0];
  return axis ?? [0, 0, 1];
};

/** What a type needs besides its sides. */
const needs = (entry: Entry, type: string, moment: Moment): Entry => {
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

const KEPT = ['name', 'level', 'weight', 'breaks_at', 'enabled'];

/** The sides as they are, or where a joint that slid has come to. */
const sidesOf = (entry: Entry, type: string, { ends }: Moment): Entry => {
  const [a, b] = [pointOf(entry.a), pointOf(entry.b)];
  const here = ends.at(-1);
  const slid = SLIDING.includes(String(entry.type)) && !BETWEEN.includes(type) && gap(ends) > 0;
  if (!slid || here === undefined || typeof a === 'string' || typeof b === 'string') return { a, b };
  return { a: a.body, b: b.body, at: isPlanar(entry) ? here.slice(0, 2) : here };
};

/** The joint as another type, where it is now. */
export const asJoint = (entry: Entry, type: string, moment: Moment): Entry => ({
  ...Object.fromEntries(Object.entries(entry).filter(([key]) => KEPT.includes(key))),
  ...sidesOf(entry, type, moment),
  ...needs(entry, type, moment),
  type,
});

/** The joint that drives this one from where it is now. */
export const driveOf = (entry: Entry, { axis, ends, time }: Moment, rate: number): Entry => {
  const name = `${String(entry.name)} drive`;
  if (entry.type === 'prismatic') {
    const [[ax, ay, az] = [0, 0, 0], [bx, by, bz] = [0, 0, 0]] = ends;
    const [x, y, z] = axis ?? [0, 0, 0];
    const length = (bx - ax) * x + (by - ay) * y + (bz - az) * z;
    const { a, b } = entry;
    return { name, type: 'length-drive', a, b, function: rampFrom(length, rate, time) };
  }
  // Axes are taken anew from the world, so that the angle is 0 now.
  const sides = { a: pointOf(entry.a), b: pointOf(entry.b), axis: axis ?? [0, 0, 1] };
  return { name, type: 'angle-drive', ...sides, function: rampFrom(0, rate, time) };
};

/** The main axis of a side that is a frame, on its body: the frame's x. */
export const frameAxis = (side: unknown): { body: string; axis: Vec3 } | null => {
  if (typeof side !== 'object' || side === null) return null;
  const { body, rotation, angle } = side as { body: string; rotation?: Vec3[]; angle?: number };
  if (angle !== undefined) return { body, axis: [Math.cos(angle), Math.sin(angle), 0] };
  const [first, second, third] = rotation ?? [];
  if (first === undefined || second === undefined || third === undefined) return null;
  return { body, axis: [first[0], second[0], third[0]] };
};
