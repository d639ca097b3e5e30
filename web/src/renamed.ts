// What is called otherwise than it was: seen by the numbers of a look, so that undo is seen too.

import type { Look } from './engine/border';
import type { Target } from './state';

/** Something that has another name now. */
export interface Renamed {
  kind: Target['kind'];
  from: string;
  to: string;
}

interface Named {
  id: number;
  name: string;
}

const among = (kind: Target['kind'], before: readonly Named[], now: readonly Named[]): Renamed[] => {
  const names = new Map(before.map(({ id, name }) => [id, name]));
  return now.flatMap(({ id, name: to }) => {
    const from = names.get(id);
    return from === undefined || from === to ? [] : [{ kind, from, to }];
  });
};

/** Everything that has another name in a look than in the one before. */
export const renamedIn = (before: Look, now: Look): Renamed[] => [
  ...among('body', before.bodies, now.bodies),
  ...among('joint', before.joints, now.joints),
  ...among('behavior', before.behaviors, now.behaviors),
];

/** The name of something by now. */
export const nameNow = (all: readonly Renamed[], kind: string, name: string): string =>
  all.find((own) => own.kind === kind && own.from === name)?.to ?? name;

/** A segment of a quantity's name: quoted where it would be taken apart. */
const segment = (name: string): string =>
  /^[\p{Alphabetic}\p{N}_-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`;

/** The name of a quantity of something with a name: `joint.A.force`. */
export const quantityOf = (kind: string, name: string, what: string): string => `${kind}.${segment(name)}.${what}`;

/** The name of a quantity by now, or what of it is typed so far. */
export const quantityNow = (all: readonly Renamed[], quantity: string): string => {
  for (const { kind, from, to } of all) {
    const head = quantityOf(kind, from, '');
    if (quantity.startsWith(head)) return quantityOf(kind, to, quantity.slice(head.length));
    if (`${quantity}.` === head) return quantityOf(kind, to, '').slice(0, -1);
  }
  return quantity;
};
