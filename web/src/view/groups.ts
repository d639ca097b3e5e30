// What belongs together in a picture: bodies that joints and forces tie to each other, and what of them can be seen
// at once.

import { type Box3, Sphere, Vector3 } from 'three';
import type { EndLook, Look } from '../engine/border';
import type { Anchor } from './instances';
import type { Frames } from './poses';

/** The number of the group that the ground holds, or what moves by itself. */
export const HELD = 0;
/** Ends of a tie that are further apart than so many extents of the scene are not seen together. */
const APART = 10;

export class Groups {
  private readonly ties: Anchor[][];
  private readonly parents: Int32Array;

  /** `frames` are those of the look. */
  constructor(
    private readonly look: Look,
    private readonly frames: Frames,
  ) {
    const anchor = ({ body, point }: EndLook): Anchor => {
      const local = new Vector3(...point);
      return { body, local: frames.toBody(body, local, local) };
    };
    this.ties = [...look.joints, ...look.behaviors]
      .filter(({ enabled, ends }) => enabled && ends.length > 1)
      .map(({ ends }) => ends.map(anchor));
    this.parents = new Int32Array(look.bodies.length + 1);
  }

  /** The group of each body as things are now; those of one group are tied to each other. */
  now(): (body: number | null) => number {
    const { parents, frames, look } = this;
    for (let k = 0; k < parents.length; k += 1) parents[k] = k;
    // Bodies are counted from one: zero is the ground.
    const node = (body: number | null): number => (body === null ? HELD : body + 1);
    const root = (of: number): number => {
      let k = of;
      while (parents[k] !== k) {
        parents[k] = parents[parents[k] as number] as number;
        k = parents[k] as number;
      }
      return k;
    };
    const tie = (a: number, b: number): void => {
      const [x, y] = [root(a), root(b)];
      parents[Math.max(x, y)] = Math.min(x, y);
    };
    look.bodies.forEach(({ movable }, body) => {
      if (!movable) tie(HELD, node(body));
    });
    for (const ends of this.ties) {
      const [first] = ends;
      if (first === undefined) continue;
      frames.toWorld(first.body, first.local, from);
      for (const { body, local } of ends) {
        if (frames.toWorld(body, local, to).distanceTo(from) <= APART * look.extent) tie(node(first.body), node(body));
      }
    }
    return (body) => root(node(body));
  }
}

const [from, to] = [new Vector3(), new Vector3()];

/** How much smaller than the picture the largest thing in it may be. */
export const LEGIBLE = 12;

/** Points are drawn as dots, which are seen when they are so many times smaller than what is legible. */
const DOT = 8;

interface Group {
  box: Box3;
  /** Whether it is points, without a size of their own. */
  isDots?: boolean;
}

const median = (numbers: number[]): number => {
  const sorted = numbers.sort((a, b) => a - b);
  const [low = 0, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return 0.5 * (low + high);
};

/** The boxes of groups that are seen together: those that are held, else the one in the midst of most, and of the
 * others, nearest first, as many as leave something large enough to be seen. */
export const seenTogether = <Own extends Group>(groups: ReadonlyMap<number, Own>, most = LEGIBLE): Own[] => {
  const all = [...groups].map(([group, own]) => {
    const ball = own.box.getBoundingSphere(new Sphere());
    return { group, own, ball, size: ball.radius * (own.isDots === true ? DOT : 1) };
  });
  // What has gone far away does not move the midst.
  const midst = new Vector3();
  for (const k of [0, 1, 2]) midst.setComponent(k, median(all.map(({ ball }) => ball.center.getComponent(k))));
  // Of two, the larger one.
  const off = ({ ball, size }: (typeof all)[number]): number => ball.center.distanceTo(midst) - size;
  const first = all.find(({ group }) => group === HELD) ?? all.sort((a, b) => off(a) - off(b))[0];
  if (first === undefined) return [];
  const away = ({ ball }: (typeof all)[number]): number => ball.center.distanceTo(first.ball.center);
  const others = all.filter((one) => one !== first).sort((a, b) => away(a) - away(b));
  const seen = [first.own];
  const whole = first.own.box.clone();
  let largest = first.size;
  for (const { own, size } of others) {
    const grown = whole.clone().union(own.box);
    largest = Math.max(largest, size);
    // The half diagonal of all, beside the largest that is in it.
    if (0.5 * grown.getSize(to).length() > most * largest) break;
    whole.copy(grown);
    seen.push(own);
  }
  return seen;
};
