// Edits of one press: each is one command, or several that are undone together.

import { signal } from '@preact/signals';
import * as actions from '../actions';
import type { Command, Entry, JointLook } from '../engine/words';
import * as state from '../state';
import { type JointType, type Meeting, jointEntry, jointTypes } from './joints';

/** The joint that was made last, and what it could be instead. */
export interface Joined {
  name: string;
  type: JointType;
  types: JointType[];
  meeting: Meeting;
}

export const joined = signal<Joined | null>(null);

/** Joins two places in the way that suits them, among the commands that belong to it. */
export const join = async (meeting: Meeting, among: (joint: Command) => Command[]): Promise<void> => {
  const types = jointTypes(meeting);
  const type = types[0] ?? 'ball';
  const name = actions.freeName(`${meeting.b.body?.name ?? 'ground'} – ${meeting.a.body?.name ?? 'ground'}`);
  const isMade = await actions.edit(...among({ join: jointEntry(type, name, meeting, state.running.value) }));
  if (isMade) joined.value = { name, type, types, meeting };
};

/** The joint that was made last becomes another one. */
export const rejoin = async (type: JointType): Promise<void> => {
  const last = joined.value;
  if (last === null || !isThere(last.name)) return;
  const entry = jointEntry(type, last.name, last.meeting, state.running.value);
  if (await actions.edit({ set_joint: entry })) joined.value = { ...last, type };
};

export const detach = async (joint: string): Promise<void> => {
  await actions.edit({ detach: joint });
};

const jointsOf = (body: string): JointLook[] => {
  const look = state.look.value;
  const order = look?.bodies.findIndex(({ name }) => name === body) ?? -1;
  return (look?.joints ?? []).filter(({ ends }) => ends.some((end) => end.body === order));
};

const isThere = (joint: string): boolean => (state.look.value?.joints ?? []).some(({ name }) => name === joint);

/** What takes a body out of all its joints; nothing if it has none. */
export const pullingApart = (body: string): Command | null => {
  const commands = jointsOf(body).map(({ name }) => ({ detach: name }));
  return commands.length === 0 ? null : { together: commands };
};

/** Removes what is selected. */
export const removeSelected = async (): Promise<void> => {
  const target = state.selection.value;
  if (target === null) return;
  const word = { body: 'remove_body', joint: 'detach', behavior: 'remove_behavior' }[target.kind];
  if (await actions.edit({ [word]: target.name })) state.selection.value = null;
};

/** Where a body is and how it moves, in an entry: a copy has a pose of its own. */
const POSE = ['position', 'quaternion', 'axis', 'angle', 'angle_deg', 'euler_deg', 'from', 'to', 'q', 'v', 'velocity', 'angular_velocity', 'spin'];

/** An entry of the same body with another name and pose, at rest. */
export const copied = (entry: Entry, name: string, pose: Entry): Entry => ({
  ...Object.fromEntries(Object.entries(entry).filter(([field]) => !POSE.includes(field))),
  name,
  ...pose,
});
