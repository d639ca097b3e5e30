// Which numbers an entry of a file has that people change, and what they are called.

import type { BodyEntry, BodyEntryFields, Command } from '../engine/border';
import type { AnyBehavior, AnyBody, AnyJoint } from '../engine/messages';

export type Path = (string | number)[];

export interface Field {
  path: Path;
  label: string;
  unit: string;
  /** What the engine would refuse, refused here already. */
  limit?: 'positive' | 'not negative';
  whole?: boolean;
  /** What an entry that does not say it means: a number, or a word for "none". */
  absent?: number | string;
  /** Shown is the number times this. */
  scale?: number;
}

const DEGREES = 180 / Math.PI;

export const at = (entry: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], entry);

export const numberAt = (entry: unknown, path: Path): number | null => {
  const value = at(entry, path);
  return typeof value === 'number' ? value : null;
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** The entry with another value; without it when that is `undefined`. */
export const withValue = <T>(entry: T, [key, ...rest]: Path, value: unknown): T => {
  if (key === undefined) return value as T;
  const inner = (entry as Record<string | number, unknown> | undefined)?.[key];
  const changed = rest.length === 0 ? value : withValue(inner, rest, value);
  if (Array.isArray(entry)) return entry.map((own, k) => (k === key ? changed : own) as unknown) as T;
  const copy = { ...(entry as Record<string, unknown>) };
  if (isEmpty(changed)) delete copy[key];
  else copy[key] = changed;
  return copy as T;
};

/** What an entry says of the place of a body and of its motion. */
const POSE = [
  'position',
  'quaternion',
  'axis',
  'angle',
  'angle_deg',
  'euler_deg',
  'from',
  'to',
  'velocity',
  'angular_velocity',
  'spin',
  'q',
  'v',
] as const satisfies readonly (keyof BodyEntryFields)[];

/** The entry of a body without its place and motion: it stays where it will be by then. */
export const withoutPose = (entry: BodyEntry): BodyEntry => {
  // The pose of a kinematic body is a part of its motion.
  if (entry.type === 'kinematic') return entry;
  const rest: AnyBody = { ...entry };
  for (const key of POSE) delete rest[key];
  return rest as BodyEntry;
};

const AXES = ['x', 'y', 'z'];
const MOMENTS = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'];

/** A field for each component of a list, or one for a single number. */
const vector = (entry: object, key: string, label: string, unit: string, limit?: Field['limit']): Field[] => {
  const value = at(entry, [key]);
  if (typeof value === 'number') return [{ path: [key], label, unit, limit }];
  if (!Array.isArray(value)) return [];
  const names = key === 'inertia' ? MOMENTS : key === 'coefficients' || key === 'compliance' ? [] : AXES;
  return value.map((_, k) => ({ path: [key, k], label: `${label} ${names[k] ?? k + 1}`, unit, limit }));
};

const known = (entry: object, fields: Field[]): Field[] =>
  fields.filter(({ path, absent }) => absent !== undefined || at(entry, path) !== undefined);

/** Sizes go by `resize`: what sits on the ends goes along. */
const SIZES = ['length', 'radius', 'thickness', 'size'];

export const bodyFields = (entry: AnyBody): Field[] => [
  ...known(entry, [
    { path: ['length'], label: 'length', unit: 'm', limit: 'positive' },
    { path: ['radius'], label: 'radius', unit: 'm', limit: 'positive' },
    { path: ['thickness'], label: 'thickness', unit: 'm', limit: 'positive' },
  ]),
  ...vector(entry, 'size', 'size', 'm', 'positive'),
  ...known(entry, [
    { path: ['mass'], label: 'mass', unit: 'kg', limit: 'positive' },
    { path: ['density'], label: 'density', unit: 'kg/m³', limit: 'positive' },
  ]),
  ...vector(entry, 'inertia', 'inertia', 'kg·m²'),
  ...(entry.type === 'troid'
    ? known(entry, [
        { path: ['stiffness'], label: 'stiffness', unit: 'N/m', limit: 'not negative', absent: 0 },
        { path: ['area_stiffness'], label: 'area stiffness', unit: 'N/m', limit: 'not negative', absent: 0 },
        { path: ['damping'], label: 'damping', unit: 'N·s/m', limit: 'not negative', absent: 0 },
      ])
    : []),
  ...known(entry, [
    { path: ['motion', 'rate'], label: 'speed', unit: '°/s', scale: DEGREES },
    { path: ['motion', 'frequency'], label: 'frequency', unit: 'Hz' },
  ]),
];

export const bodyCommand = (entry: BodyEntry, field: Path): Command => {
  const bare = withoutPose(entry);
  return SIZES.includes(String(field[0])) ? { resize: bare } : { set_body: bare };
};

export const jointFields = (entry: AnyJoint): Field[] => [
  ...known(entry, [
    { path: ['length'], label: 'length', unit: 'm', limit: 'positive' },
    { path: ['pitch'], label: 'advance', unit: 'm/turn', scale: 2 * Math.PI },
    { path: ['stiffness'], label: 'stiffness', unit: 'N/m', limit: 'positive' },
    { path: ['radius'], label: 'radius', unit: 'm', limit: 'positive' },
    { path: ['value'], label: 'value', unit: '' },
  ]),
  ...(entry.type === 'spring'
    ? known(entry, [
        { path: ['rest_length'], label: 'rest length', unit: 'm', limit: 'not negative', absent: 0 },
        { path: ['damping'], label: 'damping', unit: 'N·s/m', limit: 'not negative', absent: 0 },
      ])
    : []),
  ...vector(entry, 'coefficients', 'ratio', ''),
];

/** What every joint has. */
export const holdFields = (entry: AnyJoint): Field[] => {
  const fields: Field[] = [];
  if (entry.type !== 'spring') {
    const several = Array.isArray(entry.compliance);
    if (several) fields.push(...vector(entry, 'compliance', 'compliance', 'm/N', 'not negative'));
    else fields.push({ path: ['compliance'], label: 'compliance', unit: 'm/N', limit: 'not negative', absent: 0 });
    if (numberAt(entry, ['compliance']) !== null) {
      fields.push({ path: ['damping'], label: 'damping', unit: 'N·s/m', limit: 'not negative', absent: 0 });
    }
  }
  fields.push({ path: ['level'], label: 'level', unit: '0 is exact', limit: 'not negative', whole: true, absent: 0 });
  if (numberAt(entry, ['level']) !== null) {
    fields.push({ path: ['weight'], label: 'weight', unit: '', limit: 'positive', absent: 1 });
  }
  fields.push(
    { path: ['breaks_at', 'force'], label: 'breaks at', unit: 'N', limit: 'positive', absent: 'never' },
    { path: ['breaks_at', 'torque'], label: 'breaks at', unit: 'N·m', limit: 'positive', absent: 'never' },
  );
  return fields;
};

export const behaviorFields = (entry: AnyBehavior): Field[] => {
  const turns = entry.type === 'torsion-spring';
  return [
    ...vector(entry, 'acceleration', 'acceleration', 'm/s²'),
    ...vector(entry, 'force', 'force', 'N'),
    ...vector(entry, 'torque', 'torque', 'N·m'),
    ...known(entry, [
      { path: ['stiffness'], label: 'stiffness', unit: turns ? 'N·m/rad' : 'N/m', limit: 'not negative' },
      { path: ['damping'], label: 'damping', unit: turns ? 'N·m·s/rad' : 'N·s/m', limit: 'not negative' },
      { path: ['rest_length'], label: 'rest length', unit: 'm', limit: 'not negative' },
      { path: ['rest_angle'], label: 'rest angle', unit: '°', scale: DEGREES },
      { path: ['linear'], label: 'against sliding', unit: 'N·s/m', limit: 'not negative' },
      { path: ['angular'], label: 'against turning', unit: 'N·m·s/rad', limit: 'not negative' },
    ]),
  ];
};

/** Why a number would be refused, if it would. */
export const refusal = (value: number, { limit, whole }: Pick<Field, 'limit' | 'whole'>): string | null => {
  if (!Number.isFinite(value)) return 'a number is needed';
  if (whole === true && !Number.isInteger(value)) return 'a whole number is needed';
  if (limit === 'positive' && value <= 0) return 'must be above 0';
  if (limit === 'not negative' && value < 0) return 'must not be below 0';
  return null;
};
