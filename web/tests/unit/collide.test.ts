// What collides, and limits in the picture: what can be said without a picture.

import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { asideOf } from '../../src/build/edits';
import { bodyEntry, bodyParts, partType } from '../../src/build/parts';
import { counted, everythingCollides, fallThrough, newCollides, roundedDown, withFloor } from '../../src/collide';
import type { BodyEntry, BodyLook, JointLook, Look, WorldEntry } from '../../src/engine/border';
import { commandOf } from '../../src/engine/change';
import { Lab } from '../../src/engine/lab';
import { coordinateOf, limitEntry, limitShown, limitType } from '../../src/engine/limits';
import type { AnyBody, AnyJoint } from '../../src/engine/messages';
import {
  angleOf,
  arcOf,
  type Dial,
  draggedTo,
  endsOf,
  nearestTurn,
  pointOf,
  turnTo,
  wordsOf,
} from '../../src/hold/dial';
import { contactsOf } from '../../src/now';
import * as fields from '../../src/panel/fields';
import { givesWay } from '../../src/panel/live_values';

const look = (collides: (boolean | undefined)[], floor = false): Look =>
  ({
    bodies: collides.map((own) => ({ collides: own }) as BodyLook),
    ...(floor ? { floor: { point: [0, 0, 0], normal: [0, 1, 0] } } : {}),
  }) as Look;

test('everything collides if all do that can', () => {
  expect(counted(look([true, false, undefined]))).toEqual({ can: 2, do: 1 });
  expect(everythingCollides(look([true, undefined]))).toBe(true);
  expect(everythingCollides(look([undefined]))).toBe(false);
  expect(everythingCollides(null)).toBe(false);
});

test('what is new collides where there is a floor, or where everything does', () => {
  expect(newCollides(look([], true))).toBe(true);
  expect(newCollides(look([true]))).toBe(true);
  expect(newCollides(look([true, false]))).toBe(false);
  expect(newCollides(look([]))).toBe(false);
});

test('who falls through a floor is told', () => {
  expect(fallThrough(look([false, false]))).toBeNull();
  expect(fallThrough(look([false, false], true))).toContain('No body collides yet');
  expect(fallThrough(look([true, false, undefined], true))).toContain('1 of 2 bodies does not collide: it passes');
  expect(fallThrough(look([true, false, false], true))).toContain('2 of 3 bodies do not collide: they pass');
  expect(fallThrough(look([true], true))).toBeNull();
});

test('a floor is below, in few digits', () => {
  expect(roundedDown(-1, 1)).toBe(-1);
  expect(roundedDown(-0.98765, 1)).toBe(-0.99);
  expect(roundedDown(-123.4, 300)).toBe(-124);
  for (const extent of [0.01, 0.7, 1, 40]) {
    const height = -1.2345 * extent;
    expect(roundedDown(height, extent)).toBeLessThanOrEqual(height);
    expect(height - roundedDown(height, extent)).toBeLessThan(0.1 * extent);
  }
});

test('a world loses its floor with all that is said of it', () => {
  const world = { gravity: [0, -9.81, 0] as [number, number, number] };
  expect(withFloor({ ...world, floor: 1, floor_friction: 0.2, floor_restitution: 0.5 }, null)).toEqual(world);
  expect(withFloor(world, -2)).toEqual({ ...world, floor: -2 });
});

test('every part that is said to have a shape can collide, in space and in the plane', () => {
  for (const planar of [false, true]) {
    const lab = Lab.open(JSON.stringify({ linkwork: 1, name: 'test', bodies: [] }));
    for (const part of bodyParts()) {
      const setting = { name: part, at: new Vector3(), planar, size: 0.5, mass: 1, axle: [0, 0, 1] as const };
      const entry = bodyEntry(part, { ...setting, axle: [0, 0, 1], collide: true });
      lab.apply({ add_body: entry });
      const { collides } = lab.look().bodies.at(-1) ?? {};
      const { word } = partType(part, planar);
      expect([part, word, collides === true]).toEqual([part, word, (entry as AnyBody).collide === true]);
      if (part === 'balloon') expect(collides).toBe(true);
    }
    lab.free();
  }
});

test('a copy of what collides is not put into it', () => {
  const box = { name: 'box', type: 'box', size: [2, 1, 1], mass: 1 } as unknown as AnyBody;
  expect(asideOf(box, 1)).toBeCloseTo(0.1);
  expect(asideOf({ ...box, collide: true }, 1)).toBeGreaterThan(2);
});

test('a body that collides has the numbers of it in its form', () => {
  const box = { name: 'box', type: 'box', size: [1, 1, 1], mass: 1 } as unknown as AnyBody;
  const names = (of: AnyBody) => {
    const { flags, numbers } = fields.touchFields(of);
    return [flags.map(({ label }) => label), numbers.map(({ label }) => label)];
  };
  expect(names(box)).toEqual([['collide'], []]);
  expect(names({ ...box, collide: true })).toEqual([
    ['collide', 'with joined', 'sensor'],
    ['friction', 'rolling friction', 'spinning friction', 'contact stiffness', 'restitution'],
  ]);
  const [, numbers] = names({ ...box, collide: true, contact_stiffness: 1e4 });
  expect(numbers).toContain('contact stiffness');
  expect(numbers).toContain('contact damping');
});

test('what collides is made soft in its form, hard again with its damper gone, and both are undone', () => {
  const box = { name: 'box', type: 'box', size: [1, 1, 1], mass: 1, collide: true } as unknown as AnyBody;
  const stiffness = fields.touchFields(box).numbers.find(({ label }) => label === 'contact stiffness');
  expect(stiffness).toMatchObject({ path: ['contact_stiffness'], absent: 'hard', limit: 'positive', unit: 'N/m' });
  const soft = { ...box, contact_stiffness: 1e4, contact_damping: 3 } as unknown as BodyEntry;
  expect(commandOf('body', soft, ['contact_damping'], 3)).toEqual({ set_body: soft });
  expect(commandOf('body', soft, ['contact_stiffness'], undefined)).toEqual({ set_body: box });

  const lab = Lab.open(JSON.stringify({ linkwork: 1, name: 'test', world: { floor: 0 }, bodies: [box] }));
  const said = () => [lab.entry('body', 'box'), lab.entry('world', '')];
  const start = said();
  lab.apply({ set_body: soft });
  lab.apply({ set_world: { floor: 0, floor_stiffness: 500 } });
  expect(said()).toMatchObject([{ contact_stiffness: 1e4, contact_damping: 3 }, { floor_stiffness: 500 }]);
  lab.apply('undo');
  lab.apply('undo');
  expect(said()).toEqual(start);
  lab.free();
});

test('a floor has its numbers in its form, and a damper only where it gives way', () => {
  const labels = (of: WorldEntry) => fields.floorFields(of).map(({ label }) => label);
  expect(labels({})).toEqual([]);
  expect(labels({ floor: 0 })).toEqual([
    'floor height',
    'floor friction',
    'floor rolling friction',
    'floor spinning friction',
    'floor stiffness',
    'floor restitution',
  ]);
  expect(labels({ floor: 0, floor_stiffness: 1e3 })).toContain('floor damping');
  const soft = { floor: 0, floor_stiffness: 1e3, floor_damping: 2 };
  expect(commandOf('world', soft, ['floor_stiffness'], undefined)).toEqual({ set_world: { floor: 0 } });
});

const dial = (more: Partial<Dial> = {}): Dial => ({
  center: new Vector3(1, 0, 0),
  axis: new Vector3(0, 0, 1),
  between: [new Vector3(1, 0, 0), new Vector3(0, 1, 0)],
  lower: -1,
  upper: 2,
  now: Math.PI / 2,
  ...more,
});
const DEGREE = Math.PI / 180;
const at = (angle: number, far = 3): Vector3 => new Vector3(1 + far * Math.cos(angle), far * Math.sin(angle), 0);

test('angles are counted about the axis, and go on over full turns', () => {
  expect(angleOf(new Vector3(0, 0, 1), new Vector3(1, 0, 0), new Vector3(0, 2, 0))).toBeCloseTo(Math.PI / 2);
  expect(angleOf(new Vector3(0, 0, -1), new Vector3(1, 0, 0), new Vector3(0, 2, 0))).toBeCloseTo(-Math.PI / 2);
  expect(nearestTurn(0.1, 6.2)).toBeCloseTo(0.1 + 2 * Math.PI);
  expect(nearestTurn(0.1, -6.2)).toBeCloseTo(0.1 - 2 * Math.PI);
});

test('a needle is turned to where its body lies', () => {
  const z = new Vector3(0, 0, 1);
  expect(turnTo(z, new Vector3(1, 0, 0), new Vector3(0, 3, 5))).toBeCloseTo(Math.PI / 2);
  expect(turnTo(z, new Vector3(1, 0, 0), new Vector3(0, 0, 5))).toBe(0);
  expect(turnTo(z, new Vector3(1, 0, 0), new Vector3())).toBe(0);
});

test('a stop goes to the whole degree under the pointer, and not past the other', () => {
  expect(draggedTo(dial(), 'lower', at(-30.3 * DEGREE), DEGREE)).toBeCloseTo(-30 * DEGREE);
  expect(draggedTo(dial(), 'lower', at(2.05), DEGREE)).toBe(2);
  expect(draggedTo(dial(), 'upper', at(-1.1), DEGREE)).toBe(-1);
  // Dragged on beyond half a turn it goes on.
  expect(draggedTo(dial({ upper: 3 }), 'upper', at(-3), DEGREE)).toBeGreaterThan(3);
});

test('stops of a slider go along its axis, in steps', () => {
  const slider = dial({ axis: new Vector3(1, 0, 0), between: null, lower: undefined, upper: 0.5, now: 0.2 });
  expect(draggedTo(slider, 'upper', new Vector3(1.7149, 5, 0), 0.01)).toBe(0.71);
  expect(pointOf(slider, 0.5, 9).toArray()).toEqual([1.5, 0, 0]);
  expect(endsOf(slider)).toEqual([['upper', 0.5]]);
  // Where it has no end, the line goes on a little.
  const [from, to] = arcOf(slider, 0.1);
  expect(from?.x).toBeCloseTo(1.1);
  expect(to?.x).toBeCloseTo(1.5);
  expect(wordsOf(slider, -0.25)).toBe('−0.25 m');
});

test('an arc goes from stop to stop, and turns are told apart', () => {
  const arc = arcOf(dial(), 1);
  expect(arc[0]?.distanceTo(pointOf(dial(), -1, 1))).toBeLessThan(1e-12);
  expect(arc.at(-1)?.distanceTo(pointOf(dial(), 2, 1))).toBeLessThan(1e-12);
  expect(pointOf(dial(), 0, 1).distanceTo(pointOf(dial(), 2 * Math.PI, 1))).toBeGreaterThan(0.1);
  expect(arcOf(dial({ lower: -1e6, upper: 1e6 }), 1).length).toBeLessThan(300);
  expect(wordsOf(dial(), -45 * DEGREE)).toBe('−45°');
});

/** A scene with one joint between the ground and a rod. */
const withJoint = (joint: object): string =>
  JSON.stringify({
    linkwork: 1,
    bodies: [
      {
        name: 'arm',
        type: 'rod',
        length: 1,
        radius: 0.05,
        mass: 1,
        position: [0.3, 0.4, 0],
        axis: [0, 0, 1],
        angle: 0.6,
      },
    ],
    joints: [{ name: 'pin', a: 'ground', b: 'arm', at: [0, 0, 0], axis: [0, 0, 1], ...joint }],
  });

test('hinges and sliders are limited by what the engine takes, from where they are', () => {
  for (const [type, coordinate] of [
    ['hinge', 'angle'],
    ['prismatic', 'length'],
  ] as const) {
    const lab = Lab.open(withJoint({ type }));
    const wide = limitEntry(lab.entry('joint', 'pin'));
    expect(coordinateOf(wide.type)).toBe(coordinate);
    lab.apply({ join: wide });
    const limit = limitShown(lab.look(), 'pin');
    expect(limit?.name).toBe('pin limits');
    expect(limit?.range?.now).toBeCloseTo(0, 9);
    expect(limit?.range?.between === undefined).toBe(type === 'prismatic');
    const shown = fields.jointFields(lab.entry('joint', 'pin limits') as AnyJoint);
    expect(shown.map(({ label, unit }) => [label, unit])).toEqual([
      ['lower', coordinate === 'angle' ? '°' : 'm'],
      ['upper', coordinate === 'angle' ? '°' : 'm'],
      ['restitution', ''],
    ]);
    lab.free();
  }
  expect(limitType({ type: 'weld' } as AnyJoint)).toBeNull();
  expect(limitShown({ joints: [{ name: 'pin' } as JointLook] } as Look, 'pin')).toBeNull();
});

test('a motor at its most gives way', () => {
  expect(givesWay(-2, 2)).toBe(true);
  expect(givesWay(1.999999999, 2)).toBe(true);
  expect(givesWay(1.9, 2)).toBe(false);
});

test('contacts are six numbers each', () => {
  expect(contactsOf(new Float64Array([1, 2, 3, 0, 9, 0]))).toEqual([{ point: [1, 2, 3], force: [0, 9, 0] }]);
  expect(contactsOf(new Float64Array())).toEqual([]);
});
