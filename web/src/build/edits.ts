// Edits of one press: each is one command, or several that are undone together.

import { signal } from '@preact/signals';
import * as actions from '../actions';
import type { BodyEntry, Command, OfferInfo } from '../engine/border';
import { offersOf, typeOf } from '../engine/catalogue';
import type { AnyBody } from '../engine/messages';
import * as state from '../state';
import { jointEntry, jointTypes, type Meeting } from './joints';
import { extentOf } from './measures';

/** The joint that was made last, and what it could be instead. */
export interface Joined {
  name: string;
  type: string;
  types: string[];
  meeting: Meeting;
}

export const joined = signal<Joined | null>(null);

/** Joins two places in the way that suits them, among the commands that belong to it. */
export const join = async (meeting: Meeting, among: (joint: Command) => Command[]): Promise<boolean> => {
  const types = jointTypes(meeting);
  const [type] = types;
  if (type === undefined) return false;
  const name = actions.freeName(`${meeting.b.body?.name ?? 'ground'} – ${meeting.a.body?.name ?? 'ground'}`);
  const isMade = await actions.edit(...among({ join: jointEntry(type, name, meeting, state.running.value) }));
  if (isMade) joined.value = { name, type, types, meeting };
  return isMade;
};

/** The joint that was made last becomes another one. */
export const rejoin = async (type: string): Promise<void> => {
  const last = joined.value;
  if (last === null || !isThere(last.name)) return;
  const entry = jointEntry(type, last.name, last.meeting, state.running.value);
  if (await actions.edit({ set_joint: entry })) joined.value = { ...last, type };
};

const isThere = (joint: string): boolean => (state.look.value?.joints ?? []).some(({ name }) => name === joint);

/** What the palette calls a behavior that acts at a joint. */
export const actsAt = ({ name }: OfferInfo, joint: string): string => `${name} of ${joint}`;

/** Behaviors of the palette that act at a joint. */
const behaviorsAt = async (joint: string): Promise<string[]> => {
  const names = offersOf('behavior').map(({ offer }) => actsAt(offer, joint));
  const there = names.map((name) =>
    actions.entry('behavior', name).then(
      () => [name],
      () => [],
    ),
  );
  return (await Promise.all(there)).flat();
};

/** What takes joints apart, as one edit. Drives and motors go with them: without the joint nobody would see them. */
const detaching = async (joints: string[]): Promise<Command> => {
  const beside = (joint: string): string[] =>
    ['drive', 'limits', 'friction', 'armature'].map((own) => `${joint} ${own}`);
  const all = new Set(joints.flatMap((joint) => [...beside(joint), joint]).filter(isThere));
  const motors: string[] = [];
  for (const joint of joints) motors.push(...(await behaviorsAt(joint)));
  return {
    together: [...motors.map((name) => ({ remove_behavior: name })), ...[...all].map((name) => ({ detach: name }))],
  };
};

export const detach = async (joint: string): Promise<boolean> => actions.edit(await detaching([joint]));

/** Takes a body out of all its joints. */
export const pullApart = async (body: string): Promise<void> => {
  const look = state.look.value;
  const order = look?.bodies.findIndex(({ name }) => name === body) ?? -1;
  const joints = (look?.joints ?? []).filter(({ ends }) => ends.some((end) => end.body === order));
  if (joints.length > 0) await actions.edit(await detaching(joints.map(({ name }) => name)));
};

/** Removes what is selected. */
export const removeSelected = async (): Promise<void> => {
  const target = state.selection.value;
  if (target === null) return;
  const { kind, name } = target;
  const remove = {
    body: () => actions.edit({ remove_body: name }),
    joint: () => detach(name),
    behavior: () => actions.edit({ remove_behavior: name }),
  } satisfies Record<state.Target['kind'], () => Promise<boolean>>;
  if (await remove[kind]()) state.selection.value = null;
};

/** The entry of a copy: `aside` further along x, at rest. */
export const copyOf = (entry: BodyEntry, name: string, aside: number): BodyEntry => {
  const values: Record<string, unknown> = { ...entry, name };
  for (const { name: field, role } of typeOf('body', entry.type)?.fields ?? []) {
    const numbers = values[field];
    if (role === 'motion') delete values[field];
    else if (role === 'position' && Array.isArray(numbers))
      values[field] = numbers.map((own: number, k) => (k === 0 ? own + aside : own));
  }
  return values as BodyEntry;
};

/** A copy stands aside by this part of the scene's extent. */
const ASIDE = 0.1;

/** How far aside a copy stands, m: what collides is not put into itself. */
export const asideOf = (entry: AnyBody, extent: number): number => {
  const type = typeOf('body', entry.type);
  const own = entry.collide === true && type !== null ? 1.1 * Math.max(...extentOf(type, entry)) : 0;
  return Math.max(ASIDE * extent, own);
};

/** Puts a copy of the selected body beside it, and selects the copy. */
export const duplicateSelected = async (): Promise<void> => {
  const target = state.selection.value;
  if (target?.kind !== 'body') {
    actions.say('Select a body to duplicate it.');
    return;
  }
  const name = actions.freeName(target.name.replace(/ \d+$/, ''));
  const entry = await actions.entry('body', target.name);
  const copy = copyOf(entry, name, asideOf(entry, state.look.value?.extent ?? 1));
  if (await actions.edit({ add_body: copy })) state.selection.value = { kind: 'body', name };
};
