import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { jointEntry, jointTypes, type Meeting, type Side } from '../../src/build/joints';
import {
  bodyEntry,
  bodyParts,
  isPlanar,
  niceBelow,
  outline,
  partPlaces,
  type Setting,
  usualMass,
} from '../../src/build/parts';
import type { BodyLook, Look } from '../../src/engine/border';
import { offerNamed } from '../../src/engine/catalogue';
import type { AnyJoint } from '../../src/engine/messages';

const body = (name: string, more: Partial<BodyLook> = {}): BodyLook => ({
  id: 0,
  name,
  type: 'rod',
  planar: false,
  turns: true,
  deforms: false,
  movable: true,
  enabled: true,
  mass: 2,
  color: null,
  parts: [],
  ...more,
});
const look = (flat: boolean, bodies: BodyLook[]): Look => ({
  name: null,
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat,
  camera: null,
  extent: 1,
  ground: [],
  bodies,
  joints: [],
  behaviors: [],
  traces: [],
  skins: [],
});
const setting = (planar: boolean): Setting => ({
  name: 'it',
  at: new Vector3(1, 2, 3),
  planar,
  size: 0.5,
  mass: 1,
  axle: [0, 0, 1],
});
const side = (own: BodyLook | null, x = new Vector3(1, 0, 0)): Side => ({
  body: own,
  point: new Vector3(0.5, 0, 0),
  x,
});
const meeting = (a: Side, b: Side, more: Partial<Meeting> = {}): Meeting => ({
  a,
  b,
  gap: 0,
  reach: 1,
  flat: false,
  into: new Vector3(0.2, -0.1, -0.9),
  ...more,
});

test('sizes are 1, 2 or 5, masses those of the scene to one digit', () => {
  expect([0.27, 0.5, 1.99, 0.0721, 1000].map(niceBelow)).toEqual([0.2, 0.5, 1, 0.05, 1000]);
  expect(usualMass(look(true, []))).toBe(1);
  expect(usualMass(look(true, [body('a', { mass: 0.31 }), body('b', { mass: 7 }), body('c', { mass: 0.02 })]))).toBe(
    0.3,
  );
});

test('a flat scene is of the plane until something of space is in it', () => {
  expect(isPlanar(look(true, []))).toBe(true);
  expect(isPlanar(look(true, [body('a', { planar: true })]))).toBe(true);
  expect(isPlanar(look(true, [body('a')]))).toBe(false);
  expect(isPlanar(look(false, [body('a', { planar: true })]))).toBe(false);
});

test('parts are of the plane or of space, where they are dropped', () => {
  expect(bodyEntry('rod', setting(true))).toEqual({
    name: 'it',
    mass: 1,
    position: [1, 2],
    type: 'planar-rod',
    length: 0.5,
  });
  expect(bodyEntry('rod', setting(false))).toEqual({
    name: 'it',
    mass: 1,
    position: [1, 2, 3],
    type: 'rod',
    length: 0.5,
    radius: 0.02,
  });
  const known = ['rod', 'plate', 'disc', 'box', 'ball', 'particle', 'troid'];
  // In this order; others may be between.
  expect(bodyParts().filter((part) => known.includes(part))).toEqual(known);
  const types = (planar: boolean) => known.map((part) => bodyEntry(part, setting(planar)).type);
  expect(types(true)).toEqual([
    'planar-rod',
    'planar-box',
    'planar-disc',
    'planar-box',
    'planar-disc',
    'planar-disc',
    'troid',
  ]);
  expect(types(false)).toEqual(['rod', 'box', 'disc', 'box', 'sphere', 'particle', 'troid']);
  // The axle of a wheel, its own x, faces the viewer.
  expect(bodyEntry('disc', setting(false))).toMatchObject({ quaternion: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] });
});

test('places of a part are on its outline or in its middle', () => {
  for (const part of bodyParts()) {
    const edge = outline(part, 1, true);
    for (const place of partPlaces(part, 1, true)) {
      const least = Math.min(
        ...edge.map((point, k) => {
          const [from, to] = [new Vector3(...point), new Vector3(...(edge[k + 1] ?? point))];
          const along = to.clone().sub(from);
          const t = Math.min(Math.max(new Vector3(...place).sub(from).dot(along) / (along.lengthSq() || 1), 0), 1);
          return from.addScaledVector(along, t).distanceTo(new Vector3(...place));
        }),
      );
      expect(Math.min(least, Math.hypot(...place))).toBeCloseTo(0, 2);
    }
  }
});

/** Types that are there today: a new one may be between them. */
const known = ['ball', 'hinge', 'weld', 'universal', 'prismatic', 'cylindrical', 'slot', 'spring', 'distance'];

test('joints on offer begin with the sensible one', () => {
  const offered = (of: Meeting): string[] => jointTypes(of).filter((type) => known.includes(type));
  const [rod, other] = [side(body('rod')), side(body('other'))];
  expect(jointTypes(meeting(rod, other))[0]).toBe('ball');
  expect(jointTypes(meeting(rod, other, { flat: true }))[0]).toBe('hinge');
  const planar = side(body('flat', { planar: true, type: 'planar-rod' }));
  expect(offered(meeting(side(null), planar))).toEqual(['hinge', 'weld', 'prismatic', 'slot', 'spring']);
  expect(jointTypes(meeting(side(null), planar, { gap: 0.1 }))).toContain('distance');
  expect(offered(meeting(rod, side(body('bob', { type: 'particle', turns: false, deforms: false }))))).toEqual([
    'ball',
    'spring',
  ]);
  expect(
    offered(meeting(side(null), side(body('sheet', { planar: true, type: 'troid', turns: false, deforms: true })))),
  ).toEqual(['hinge', 'spring']);
});

test('entries of joints say where, about what, and close smoothly while time runs', () => {
  const rod = side(body('rod'), new Vector3(0, 1, 0));
  const ground = side(null);
  expect(jointEntry('ball', 'J', meeting(ground, rod), true)).toEqual({
    name: 'J',
    type: 'ball',
    a: { body: 'ground', point: [0.5, 0, 0] },
    b: { body: 'rod', point: [0.5, 0, 0] },
    close_over: 0.3,
  });
  expect(jointEntry('hinge', 'J', meeting(ground, rod), false)).toMatchObject({ axis: [0, 0, 1] });
  expect(jointEntry('hinge', 'J', meeting(ground, rod), false)).not.toHaveProperty('close_over');
  expect(jointEntry('prismatic', 'J', meeting(ground, rod), false)).toMatchObject({ axis: [0, 1, 0] });
  const wheel = side(body('wheel', { type: 'disc' }), new Vector3(0, 1, 0));
  expect(jointEntry('hinge', 'J', meeting(ground, wheel), false)).toMatchObject({ axis: [0, 1, 0] });
  const planar = side(body('flat', { planar: true, type: 'planar-rod' }));
  const pin = jointEntry('hinge', 'J', meeting(ground, planar), false);
  expect(pin).toEqual({
    name: 'J',
    type: 'hinge',
    a: { body: 'ground', point: [0.5, 0] },
    b: { body: 'flat', point: [0.5, 0] },
  });
  const { axis, axis_b } = jointEntry('universal', 'J', meeting(ground, rod), false) as {
    axis: number[];
    axis_b: number[];
  };
  expect(axis.reduce((sum, x, k) => sum + x * (axis_b[k] ?? 0), 0)).toBeCloseTo(0, 12);
});

test('a spring gives by a tenth of the scene under what it carries; a damper hardly pulls', () => {
  const hung = meeting(side(null), side(body('rod')), { gap: 0.4, reach: 2 });
  const spring: AnyJoint = jointEntry('spring', 'S', hung, true);
  expect(spring).toMatchObject({ type: 'spring', rest_length: 0.4 });
  expect(spring).not.toHaveProperty('close_over');
  expect((2 * 9.81) / (spring.stiffness as number)).toBeCloseTo(0.2, 9);
  const damper: AnyJoint = jointEntry('spring', 'S', hung, true, offerNamed('damper', 'joint')?.offer);
  expect(damper.stiffness as number).toBeLessThan(1e-3);
  expect(damper.damping as number).toBeGreaterThan(spring.damping as number);
});
