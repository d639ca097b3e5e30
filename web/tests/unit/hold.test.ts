import { Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import type { BodyLook, Look } from '../../src/engine/border';
import { axisAcross, nearestAxis, slidingAxis, turningAxis } from '../../src/hold/axis';
import type { Catalog, Spot, Tie } from '../../src/hold/catalog';
import { isClosed, pathEntry, resample, type Sample } from '../../src/hold/path';
import { heldEntry } from '../../src/hold/pull';
import { nearestPair, offered, type Seen } from '../../src/hold/snap';
import { rollBy, turnBy } from '../../src/hold/turn';

const [x, y, z] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const down = y.clone().negate();

test('axes are those of the world that are nearest, or the body has its own', () => {
  expect(nearestAxis(new Vector3(0.2, -0.9, 0.3))).toEqual([0, 1, 0]);
  expect(axisAcross([0, 0, 1])).toEqual([1, 0, 0]);
  const rod = { type: 'rod' as const, x: y };
  const wheel = { type: 'disc' as const, x };
  const into = new Vector3(0.1, 0.9, 0.2);
  expect(turningAxis([rod], false, into)).toEqual([0, 1, 0]);
  expect(turningAxis([rod, wheel], false, into)).toEqual([1, 0, 0]);
  expect(turningAxis([rod, wheel], true, into)).toEqual([0, 0, 1]);
  expect(slidingAxis([wheel, rod])).toEqual([0, 1, 0]);
  expect(slidingAxis([wheel])).toEqual([1, 0, 0]);
});

test('what faces the viewer goes with the pointer', () => {
  const turned = (turn: Quaternion, point: Vector3) => point.clone().applyQuaternion(turn);
  expect(turned(turnBy(20, 0, x, down, false), z).x).toBeGreaterThan(0.1);
  expect(turned(turnBy(0, 20, x, down, false), z).y).toBeLessThan(-0.1);
  expect(turnBy(0, 0, x, down, false)).toEqual(new Quaternion());
  // In the plane to the right is clockwise, whatever else the pointer does.
  expect(turned(turnBy(20, 7, x, down, true), x).y).toBeLessThan(-0.1);
  const into = z.clone().negate();
  for (const flat of [true, false]) expect(turned(rollBy(100, into, flat), x).y).toBeLessThan(-0.1);
});

test('a frame is held where the body has one', () => {
  const body = { name: 'a', type: 'rod', planar: false, turns: true, deforms: false } as BodyLook;
  expect(heldEntry(body, [1, 2, 3], 'frame')).toEqual({ body: 'a', point: [1, 2, 3], quaternion: [1, 0, 0, 0] });
  expect(heldEntry({ ...body, planar: true }, [1, 2, 0], 'frame')).toEqual({ body: 'a', point: [1, 2], angle: 0 });
  expect(heldEntry({ ...body, planar: true, type: 'troid', turns: false, deforms: true }, [1, 2, 0], 'frame')).toEqual({
    body: 'a',
    point: [1, 2],
  });
});

const spot = (body: number | null, at: Vector3, name = 'end'): Spot => ({ body, name, local: at });
/** A meter is 100 px, and bodies are where their coordinates are. */
const see = (own: Spot): Seen => ({ spot: own, world: own.local, x: 100 * own.local.x, y: -100 * own.local.y });
const at = (px: number, py = 0, pz = 0): Vector3 => new Vector3(px, py, pz);

test('the nearest places meet, if they are near at all', () => {
  const own = [see(spot(0, at(0))), see(spot(0, at(1)))];
  const others = [see(spot(1, at(1.1))), see(spot(2, at(0.95))), see(spot(3, at(0.95, 0, 2)))];
  const hand = { x: 50, y: 0 };
  const found = nearestPair(own, others, 1, hand);
  expect([found?.own.spot.local.x, found?.other.spot.body]).toEqual([1, 2]);
  expect(nearestPair(own, [see(spot(1, at(1.17)))], 1, hand)).toBeNull();
  expect(nearestPair(own, [see(spot(1, at(1, 0, 2)))], 1, hand)).toBeNull();
});

test('of pairs that are equally near, those at the pointer meet', () => {
  // A rod that is held over another of the same length, a little aside: ends and middles are equally near.
  const rod = (body: number, aside: number): Seen[] =>
    [-1, 1, 0].map((end) => see(spot(body, at(end, aside), `${end}`)));
  const meet = (hand: number, aside = 0.05) => nearestPair(rod(0, aside), rod(1, 0), 1, { x: hand, y: 0 });
  const names = (hand: number) => [meet(hand)?.own.spot.name, meet(hand)?.other.spot.name];
  expect(names(0)).toEqual(['0', '0']);
  expect(names(-98)).toEqual(['-1', '-1']);
  expect(names(97)).toEqual(['1', '1']);
  // An end that is brought to an end meets it, though the middle is held and would do.
  const turned = [see(spot(1, at(1, 0.01))), see(spot(1, at(0, -0.09)))];
  expect(nearestPair(rod(0, 0), turned, 1, { x: 0, y: 0 })?.own.spot.name).toBe('1');
});

const bodies = ['a', 'b', 'c'].map((name) => ({ name, planar: true, enabled: true }) as BodyLook);
const look = { bodies, extent: 1 } as Look;
const catalog = (places: Spot[], ties: Tie[] = []): Catalog =>
  ({
    placesOf: (body: number | null) => places.filter((own) => own.body === body),
    around: () => places,
    reachOf: () => 1,
    world: (own: Spot) => own.local,
    tiesOf: (body: number) => ties.filter(({ ends }) => ends.some((end) => end.body === body)),
  }) as unknown as Catalog;

test('a free body offers all its places, also to the ground', () => {
  const places = [spot(0, at(0)), spot(0, at(1)), spot(1, at(1.05)), spot(null, at(-0.02))];
  const found = offered(catalog(places), look, 0, { x: 50, y: 0 }, 1, see);
  expect(found?.other.spot.body).toBeNull();
});

test('a part of a mechanism offers what is under the hand, and not to its neighbors', () => {
  const places = [spot(0, at(0)), spot(0, at(1)), spot(1, at(1.05)), spot(2, at(0.05))];
  const tie: Tie = { joint: 'J', type: 'hinge', ends: [spot(0, at(0.5)), spot(1, at(0.5))] };
  expect(offered(catalog(places, [tie]), look, 0, { x: 98, y: 0 }, 1, see)).toBeNull();
  expect(offered(catalog(places, [tie]), look, 0, { x: 50, y: 0 }, 1, see)).toBeNull();
  expect(offered(catalog(places, [tie]), look, 0, { x: 2, y: 0 }, 1, see)?.other.spot.body).toBe(2);
  // Where it is joined already it does not join again.
  const pin: Tie = { joint: 'P', type: 'hinge', ends: [spot(null, at(0)), spot(0, at(0))] };
  expect(offered(catalog([...places, spot(null, at(0))], [pin]), look, 0, { x: 2, y: 0 }, 1, see)).toBeNull();
});

test('bodies that collide lie on each other and are not joined', () => {
  const colliding = { ...look, bodies: bodies.map((own) => ({ ...own, collides: true })) } as Look;
  const meet = (own: string, other: string) =>
    offered(catalog([spot(0, at(0), own), spot(1, at(0.05), other)]), colliding, 0, { x: 0, y: 0 }, 1, see);
  expect([meet('face', 'corner'), meet('middle', 'face'), meet('face', 'middle')]).toEqual([null, null, null]);
  // A wheel goes on the end of a rod.
  expect(meet('middle', 'end')?.other.spot.body).toBe(1);
});

test('bodies of the plane do not meet those of space', () => {
  const mixed = { ...look, bodies: [bodies[0], { ...bodies[1], planar: false }] } as Look;
  expect(offered(catalog([spot(0, at(0)), spot(1, at(0.05))]), mixed, 0, { x: 0, y: 0 }, 1, see)).toBeNull();
});

test('a curve is sampled at equal distances', () => {
  const points = resample([at(0), at(0.1), at(1), at(1, 1)], 5);
  expect(points.map((point) => [point.x, point.y])).toEqual(
    [0, 0.5, 1, 1, 1].map((px, k) => [expect.closeTo(px, 12), expect.closeTo([0, 0, 0, 0.5, 1][k] as number, 12)]),
  );
  expect(resample([at(2)], 3).map((point) => point.x)).toEqual([2, 2, 2]);
});

const samples = (points: Vector3[], seconds: number): Sample[] =>
  points.map((point, k) => ({ point, time: 10 + (seconds * k) / (points.length - 1) }));
type Path = { keyframes: number[][]; repeat: boolean };

test('an open curve is followed to and fro, from rest', () => {
  const path = pathEntry(samples([at(0), at(0.5), at(1.2), at(2)], 1), at(0, 1), 5, true) as unknown as Path;
  const { keyframes } = path;
  expect([path.repeat, keyframes.length]).toEqual([true, 59]);
  expect(keyframes[0]).toEqual([5, 0, 1]);
  // Too fast a drawing takes two seconds each way.
  expect(keyframes[29]).toEqual([expect.closeTo(7, 9), expect.closeTo(2, 9), 1]);
  expect(keyframes[58]).toEqual([expect.closeTo(9, 9), 0, 1]);
  const times = keyframes.map(([time]) => time as number);
  expect(times.every((time, k) => k === 0 || time > (times[k - 1] as number))).toBe(true);
  // Equal ways take longest at the ends.
  expect((times[1] as number) - 5).toBeGreaterThan(3 * ((times[15] as number) - (times[14] as number)));
});

test('a curve that ends near its start goes round, as fast as it was drawn', () => {
  const circle = Array.from({ length: 40 }, (_, k) =>
    at(Math.cos((2 * Math.PI * k) / 40), Math.sin((2 * Math.PI * k) / 40), 1),
  );
  expect(isClosed(circle)).toBe(true);
  expect(isClosed(circle.slice(0, 30))).toBe(false);
  const { keyframes } = pathEntry(samples(circle, 4), at(1, 0, 1), 0, false) as unknown as Path;
  expect(keyframes).toHaveLength(30);
  expect(keyframes[29]?.slice(1)).toEqual(keyframes[0]?.slice(1));
  expect(keyframes[29]?.[0]).toBeCloseTo(4, 9);
  for (const [, px = 0, py = 0, pz] of keyframes) {
    expect(Math.hypot(px, py)).toBeCloseTo(1, 1);
    expect(pz).toBe(1);
  }
});
