// One field of an entry made another, and the edit that does it. The worker makes it from the entry as it is then: the
// page knows entries a frame late, and would take back what was asked for in between.

import { unreachable } from '../exhaustive';
import type { BehaviorEntry, BodyEntry, Command, JointEntry, PictureEntry, ViewEntry, WorldEntry } from './border';
import { typeOf } from './catalogue';
import type { AnyBody, AnyJoint, Entry, EntryKind } from './messages';
import { withoutForeign } from './options';

/** Where a field is in an entry. */
export type Path = (string | number)[];

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

/** The entry of a body without its place and motion: it stays where it will be by then. */
export const withoutPose = (entry: BodyEntry): BodyEntry => {
  const type = typeOf('body', entry.type);
  // A pose that is a part of the motion is no place.
  if (type?.body?.prescribed === true) return entry;
  const rest: AnyBody = { ...entry };
  for (const { name, role } of type?.fields ?? [])
    if (role === 'position' || role === 'turn' || role === 'motion') delete rest[name as keyof AnyBody];
  return rest as BodyEntry;
};

/** Without the dampers of what no longer gives way: they would be refused. */
export const withoutLooseDampers = <T extends object>(entry: T): T => {
  const dampers = { contact_damping: 'contact_stiffness', floor_damping: 'floor_stiffness' };
  const isLoose = ([name]: [string, unknown]): boolean =>
    name in dampers && numberAt(entry, [dampers[name as keyof typeof dampers]]) === null;
  return Object.fromEntries(Object.entries(entry).filter((own) => !isLoose(own))) as T;
};

/** Without damping where it is hard: damping belongs to what is soft. */
const withoutHardDamping = (entry: JointEntry): JointEntry => {
  const isSoft = typeOf('joint', entry.type)?.joint?.soft === true;
  if (isSoft || (entry.compliance !== undefined && entry.compliance !== 0)) return entry;
  const { compliance: _compliance, damping: _damping, ...rest } = entry;
  return rest as JointEntry;
};

/** Without the start of a motor that gives way: it keeps a speed, wherever it is. */
const withoutLooseStart = (entry: JointEntry): JointEntry => {
  const { motor } = entry as AnyJoint;
  if (motor === undefined || (motor.max_torque === undefined && motor.max_force === undefined)) return entry;
  return withValue(entry, ['motor', 'start'], undefined);
};

/** Sizes go by `resize`: what sits on the ends goes along. */
const bodyCommand = (entry: BodyEntry, [name]: Path): Command => {
  const isSize = typeOf('body', entry.type)?.fields.some((field) => field.name === name && field.measure !== undefined);
  const still = withoutLooseDampers(withoutPose(entry));
  return isSize === true ? { resize: still } : { set_body: still };
};

/** A world with all numbers of its gravity: without weight a file may leave them out. */
export const withGravity = (entry: WorldEntry): WorldEntry => ({ ...entry, gravity: entry.gravity ?? [0, 0, 0] });

/** The edit that makes a field of an entry this. */
export const commandOf = (kind: EntryKind, entry: Entry, path: Path, value: unknown): Command => {
  const whole = path[0] === 'gravity' ? withGravity(entry as WorldEntry) : entry;
  const next = withValue(whole, path, value);
  switch (kind) {
    case 'body':
      return bodyCommand(next as BodyEntry, path);
    case 'joint':
      return { set_joint: withoutLooseStart(withoutHardDamping(next as JointEntry)) };
    case 'behavior':
      return { set_behavior: next as BehaviorEntry };
    case 'picture':
      return { set_picture: next as PictureEntry };
    case 'world':
      return { set_world: withoutForeign(withoutLooseDampers(next as WorldEntry)) };
    case 'view':
      return { set_view: next as ViewEntry };
    default:
      return unreachable(kind);
  }
};
