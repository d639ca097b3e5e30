// Which places meet: those of something that is moved, and those it could be joined to.

import { Vector3 } from 'three';
import type { BodyLook, Look } from '../engine/border';
import type { Catalog, Spot } from './catalog';

/** How near places must be in the window to be joined, px. */
export const NEAR = 16;
/** How near to the hand a place must be on a body that is part of a mechanism, px. */
const NEAR_HAND = 24;

export interface Pixel {
  x: number;
  y: number;
}

/** A spot, and where it is seen. */
export interface Seen extends Pixel {
  spot: Spot;
  world: Vector3;
}

export interface Snap {
  own: Seen;
  other: Seen;
}

export const distance = (a: Pixel, b: Pixel): number => Math.hypot(a.x - b.x, a.y - b.y);

/** A pair at the hand may be further apart by so much than one far from it, px: nobody aims better. */
const FAVOR = 3;
/** Half of that is lost so far from the hand, px. */
const FAR = 40;

/** The nearest pair that is not too far apart in depth; of pairs that look equally near, the one at the hand, and of
 * those the one that is nearer. */
export const nearestPair = (
  own: Seen[],
  others: Seen[],
  most: number,
  hand: Pixel,
  joins: (one: Seen, other: Seen) => boolean = () => true,
): Snap | null => {
  let best: Snap | null = null;
  let least = Infinity;
  for (const one of own) {
    for (const other of others) {
      const apart = distance(one, other);
      const gap = one.world.distanceTo(other.world);
      if (apart > NEAR || gap > most || !joins(one, other)) continue;
      const away = distance(other, hand);
      // A pixel is worth more than any depth.
      const cost = Math.round(apart) + (FAVOR * away) / (FAR + away) + (0.5 * gap) / (most + gap);
      if (cost >= least) continue;
      least = cost;
      best = { own: one, other };
    }
  }
  return best;
};

/** Bodies of the plane join bodies of the plane; the ground joins both. */
export const canJoin = (look: Look, own: Pick<BodyLook, 'planar'>, other: number | null): boolean => {
  if (other === null) return true;
  const body = look.bodies[other];
  return body?.enabled === true && body.planar === own.planar;
};

/** Places by which bodies lie on each other, and middles, which nothing that collides comes to. */
const TOUCHED = ['face', 'edge', 'corner', 'rim', 'pole', 'middle'];

/** Whether a place is one by which a body that collides lies on others: there it is not joined to them. */
export const isContact = (look: Look, { body, name }: Spot): boolean =>
  body !== null && look.bodies[body]?.collides === true && TOUCHED.includes(name);

/**
 * The pair that a body offers while it is dragged. A body that nothing holds offers all its places. One that is
 * part of a mechanism offers those under the hand alone, and not to its neighbors: whoever plays with a
 * mechanism does not mean to build. `most` is how far places may be apart in depth, m.
 */
export const offered = (
  catalog: Catalog,
  look: Look,
  body: number,
  hand: Pixel,
  most: number,
  see: (spot: Spot) => Seen,
): Snap | null => {
  const own = look.bodies[body];
  if (own === undefined) return null;
  const ties = catalog.tiesOf(body);
  const neighbors = new Set(ties.flatMap(({ ends }) => ends.map((end) => end.body)).filter((other) => other !== null));
  neighbors.add(body);
  const holds = (spot: Spot): boolean =>
    ties.some(({ ends }) =>
      ends.some((end) => end.body === spot.body && end.local.distanceTo(spot.local) < 1e-6 * look.extent),
    );
  const mine = catalog
    .placesOf(body)
    .map(see)
    .filter((seen) => ties.length === 0 || (distance(seen, hand) <= NEAR_HAND && !holds(seen.spot)));
  if (mine.length === 0) return null;
  const origin = catalog.world({ body, name: '', local: new Vector3() });
  const others = catalog
    .around(origin, catalog.reachOf(body) + most)
    .filter(
      (spot) =>
        !neighbors.has(spot.body ?? Number.NaN) &&
        canJoin(look, own, spot.body) &&
        !(spot.body === null && holds(spot)),
    );
  // Where things lie on each other they are not joined.
  const joins = (one: Seen, other: Seen): boolean => !(isContact(look, one.spot) && isContact(look, other.spot));
  return nearestPair(mine, others.map(see), most, hand, joins);
};
