// What lies behind the panels: places, series of edits, recordings, functions of time, the dial.

import { expect, test } from 'vitest';
import { Anchors } from '../../src/anchors';
import { copyOf } from '../../src/build/edits';
import type {
  BodyEntry,
  ConnectorEntry,
  FieldInfo,
  Findings,
  FunctionEntry,
  JointEntry,
  Look,
  WorldEntry,
} from '../../src/engine/border';
import { worldField } from '../../src/engine/catalogue';
import { commandOf, withoutPose, withValue } from '../../src/engine/change';
import type { AnyJoint } from '../../src/engine/messages';
import { asKind, changed, functionOf, valueAt, withFunction } from '../../src/engine/motion';
import { isTaken, optionAs, withSteps } from '../../src/engine/options';
import { standingsOf, warningsOf } from '../../src/marks';
import { STOPS, stopOf } from '../../src/panel/accuracy';
import { found } from '../../src/panel/plots';
import { asBody, asJoint, bodyTypes, drivenAt, jointTypes } from '../../src/panel/types';
import { Recording } from '../../src/recording';
import { nameNow, quantityNow, quantityOf, renamedIn } from '../../src/renamed';
import { Series, wordsOf } from '../../src/series';

test('ends of joints ride on their bodies, sheets too', () => {
  const body = (type: string, frames: boolean) => ({
    name: type,
    type,
    planar: false,
    turns: frames,
    deforms: !frames,
    movable: true,
    enabled: true,
    mass: 1,
    color: null,
    parts: [],
  });
  const look = {
    bodies: [body('rod', true), body('troid', false)],
    joints: [
      {
        name: 'j',
        type: 'hinge',
        enabled: true,
        axis: [1, 0, 0],
        ends: [
          { body: null, point: [5, 0, 0] },
          { body: 0, point: [2, 1, 0] },
        ],
      },
      { name: 'k', type: 'ball', enabled: true, axis: null, ends: [{ body: 1, point: [3, 4, 0] }] },
    ],
  } as unknown as Look;
  // The rod is at (1, 1, 0); the sheet is twice as long along x.
  const start = new Float64Array([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 2, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]);
  const anchors = new Anchors(look, start);
  expect(anchors.ends(0, start)).toEqual([
    [5, 0, 0],
    [2, 1, 0],
  ]);
  // A quarter turn about z, and elsewhere.
  const moved = new Float64Array([0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 7, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const [, end] = anchors.ends(0, moved);
  for (const [k, x] of [0, 1, 7].entries()) expect(end?.[k]).toBeCloseTo(x, 12);
  for (const [k, x] of [0, 1, 0].entries()) expect(anchors.axis(0, moved)?.[k]).toBeCloseTo(x, 12);
  // (3 − 1)/2 along, 4 − 1 across.
  expect(anchors.ends(1, moved)).toEqual([[1, 3, 0]]);
  expect(anchors.axis(1, moved)).toBeNull();
});

test('of many edits the newest is sent, and each takes the last one back', async () => {
  const sent: [string, boolean][] = [];
  const told: (string | null)[] = [];
  const gates: (() => void)[] = [];
  const edit = (value: string, again: boolean): Promise<void> => {
    sent.push([value, again]);
    if (value === 'bad') return Promise.reject(new Error('set_joint.length: is zero'));
    return new Promise((resolve) => gates.push(resolve));
  };
  const series = new Series(
    edit,
    (words) => told.push(words),
    () => Promise.resolve(),
  );
  const settle = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  for (const value of ['a', 'b', 'c']) series.put(value);
  expect(sent).toEqual([['a', false]]);
  await settle();
  expect(sent).toEqual([
    ['a', false],
    ['c', true],
  ]);
  await settle();
  series.put('bad');
  await settle();
  series.put('d');
  await settle();
  // A refusal has taken the last one back already.
  expect(sent.slice(2)).toEqual([
    ['bad', true],
    ['d', false],
  ]);
  expect(told).toEqual([null, null, 'length: is zero', null]);
  expect(wordsOf(new Error('together[1].length: is zero'))).toBe('length: is zero');
  expect(wordsOf(new Error('add_quantity.is: "x" is not known'))).toBe('is: "x" is not known');
});

test('a recording forgets what is too old, and knows no past of new curves', () => {
  const recording = new Recording(100);
  const quantity = (name: string, unit: string) => ({ name, unit, about: '' });
  recording.keep([quantity('a', 'm')]);
  for (let k = 0; k < 1000; k += 1) recording.add(k / 10, [k]);
  expect(recording.times.length).toBeLessThanOrEqual(126);
  expect(recording.times.length).toBeGreaterThanOrEqual(100);
  expect(recording.curves.get('a')?.values.at(-1)).toBe(999);
  expect(recording.times[recording.since(1)]).toBeCloseTo(98.9, 9);
  recording.forget();
  recording.add(0, [1]);
  recording.keep([quantity('a', 'm'), quantity('say "b", c', 'N, N·m')]);
  recording.add(0.5, [2, 3]);
  expect(recording.csv()).toBe('time [s],a [m],"say ""b"", c [N, N·m]"\n0,1,\n0.5,2,3\n');
  recording.keep([quantity('say "b", c', 'N, N·m')]);
  expect([...recording.curves.keys()]).toEqual(['say "b", c']);
});

test('drives change without a jump', () => {
  const ramp: FunctionEntry = { type: 'ramp', start: 1, rate: 2 };
  const faster = changed(ramp, 'rate', -5, 3);
  expect(valueAt(faster, 3)).toBeCloseTo(7, 12);
  expect(valueAt(faster, 4)).toBeCloseTo(2, 12);
  for (const kind of ['constant', 'sine', 'ramp'] as const) {
    expect(valueAt(asKind(ramp, kind, 3, 0.5), 3)).toBeCloseTo(7, 12);
  }
  const sine: FunctionEntry = { type: 'sine', amplitude: 2, frequency: 1, phase: 0.3, offset: 1 };
  expect(valueAt(changed(sine, 'frequency', 4, 1.7), 1.7)).toBeCloseTo(valueAt(sine, 1.7), 12);
});

test('a motor is a function of time, or a torque', () => {
  const hinge = { name: 'A', type: 'hinge', a: 'ground', b: 'bar' } as const;
  const turning = { ...hinge, motor: { speed: 2, start: 1, zero: 0.5 } };
  expect(functionOf(turning)).toEqual({ type: 'ramp', start: 1, rate: 2 });
  expect(functionOf({ ...hinge, motor: { torque: 1 } })).toBeNull();
  expect(functionOf(hinge)).toBeNull();
  const held = withFunction(turning, { type: 'constant', value: 3 });
  expect(held.motor).toEqual({ position: { type: 'constant', value: 3 }, zero: 0.5 });
  expect(withFunction(held, { type: 'ramp', start: 3, rate: 1 }).motor).toEqual({ speed: 1, start: 3, zero: 0.5 });
});

test('every stop of the dial is known again, and leaves the rest of the world alone', () => {
  const own: WorldEntry = { gravity: [0, -9.81, 0], dt: 0.01, dynamics: 'first-order', max_depth: 3, iterations: 4 };
  const floor = { floor: -1, floor_friction: 0.3 };
  STOPS.forEach(({ options }, stop) => {
    const set = withSteps({ ...own, ...floor }, options);
    expect(stopOf(set)).toBe(stop);
    expect(set).toMatchObject({ gravity: [0, -9.81, 0], dt: 0.01, dynamics: 'first-order', ...floor });
    expect(set).not.toHaveProperty('max_depth');
  });
  expect(stopOf({ preset: 'interactive', method: 'direct' })).toBe(2);
  expect(stopOf({ preset: 'precise', step_tolerance: 1e-9, tolerance: 1e-12 })).toBe(3);
  expect(stopOf({ preset: 'precise', step_tolerance: 1e-6, tolerance: 1e-12 })).toBe(-1);
  expect(stopOf({ method: 'forest-dense' })).toBe(-1);
});

test('with another word of an option, what belongs to the old one goes', () => {
  const withWord = (world: WorldEntry, name: string, word: string) =>
    commandOf('world', world, [name], optionAs(worldField(name) as FieldInfo, word));
  expect(withWord({ method: 'normal-cg', solve_iterations: 5, dt: 0.1 }, 'method', 'direct')).toEqual({
    set_world: { method: 'direct', dt: 0.1 },
  });
  expect(withWord({ preset: 'precise', step_tolerance: 1e-6 }, 'preset', 'symplectic4')).toEqual({
    set_world: { preset: 'symplectic4' },
  });
  const parts: WorldEntry = { preset: 'parts', stabilization: { type: 'post', iterations: 3 } };
  expect(withWord(parts, 'stabilization', 'feedback')).toEqual({
    set_world: { preset: 'parts', stabilization: { type: 'feedback' } },
  });
  expect(isTaken({}, 'max_depth')).toBe(true);
  expect(isTaken(parts, 'max_depth')).toBe(false);
  expect(isTaken({ method: 'normal-cg' }, 'solve_iterations')).toBe(true);
  expect(isTaken({}, 'solve_iterations')).toBe(false);
});

test('entries change in one field, and without a place they stay where they are', () => {
  const entry = { size: [1, 2, 3], breaks_at: { force: 5 }, q: [1], velocity: [1, 0, 0], view: { color: '#fff' } };
  expect(withValue(entry, ['size', 1], 7)).toMatchObject({ size: [1, 7, 3] });
  expect(withValue(entry, ['breaks_at', 'force'], undefined)).not.toHaveProperty('breaks_at');
  expect(withValue(entry, ['view', 'color'], '#000').view).toEqual({ color: '#000' });
  const body: BodyEntry = { name: 'b', type: 'box', size: [1, 2, 3], q: [1], velocity: [1, 0, 0] };
  expect(Object.keys(withoutPose(body))).toEqual(['name', 'type', 'size']);
});

test('a motor that gives way has no start, and damping goes where a joint is made hard', () => {
  const hinge = { name: 'h', type: 'hinge', a: 'x', b: 'y', motor: { speed: 1, start: 2 } } as unknown as JointEntry;
  const held = { ...hinge, motor: { speed: 1, max_torque: 3 } };
  expect(commandOf('joint', hinge, ['motor', 'max_torque'], 3)).toEqual({ set_joint: held });
  const soft = { ...hinge, compliance: 1e-3, damping: 2 } as JointEntry;
  expect(commandOf('joint', soft, ['compliance'], undefined)).toEqual({ set_joint: hinge });
  expect(commandOf('world', {}, ['gravity', 1], -9.8)).toEqual({ set_world: { gravity: [0, -9.8, 0] } });
});

test('bodies become others of the same size and motion', () => {
  const rod: BodyEntry = { name: 'r', type: 'rod', length: 2, radius: 0.1, mass: 3 };
  expect(bodyTypes(rod)).toContain('disc');
  expect(bodyTypes({ type: 'mesh' })).toEqual(['mesh']);
  expect(asBody(rod, 'box')).toEqual({ name: 'r', type: 'box', size: [2, 0.2, 0.2], mass: 3 });
  expect(asBody(asBody(rod, 'box'), 'rod')).toEqual(rod);
  expect(asBody({ name: 'p', type: 'planar-box', size: [2, 1], mass: 1 }, 'planar-disc')).toMatchObject({ radius: 1 });
});

test('joints become others where they are', () => {
  const rotation: ConnectorEntry['rotation'] = [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ];
  const slider: JointEntry = {
    name: 's',
    type: 'prismatic',
    priority: 1,
    a: { body: 'ground', point: [0, 0, 0], rotation },
    b: { body: 'b', point: [1, 0, 0], rotation },
  };
  const moment = {
    axis: [0, 0, 1] as [number, number, number],
    ends: [
      [0, 0, 1],
      [0, 0, 4],
    ] as [number, number, number][],
    time: 2,
  };
  expect(jointTypes(slider)).toContain('universal');
  expect(jointTypes({ name: 'h', type: 'hinge', a: { body: 'g', point: [0, 0] }, b: 'x' })).not.toContain('universal');
  const bare = { name: 's', priority: 1, a: { body: 'ground', point: [0, 0, 0] }, b: { body: 'b', point: [1, 0, 0] } };
  expect(asJoint(slider, 'spring', moment)).toEqual({ ...bare, type: 'spring', stiffness: 100, rest_length: 3 });
  const universal: AnyJoint = asJoint(slider, 'universal', moment);
  const [x, y, z] = universal.axis_b ?? [];
  expect(Math.abs(z ?? 1)).toBe(0);
  expect(Math.hypot(x ?? 0, y ?? 0)).toBeGreaterThan(0.5);
  // What has slid stays where it is.
  expect(asJoint(slider, 'weld', moment)).toEqual({
    name: 's',
    priority: 1,
    a: 'ground',
    b: 'b',
    at: [0, 0, 4],
    type: 'weld',
  });
  // A motor is a part of the joint; where it starts is the engine's to know.
  expect(drivenAt(slider, 0.5)).toEqual({ ...slider, motor: { speed: 0.5 } });
});

test('a copy stands aside and at rest', () => {
  const entry: BodyEntry = {
    name: 'a',
    type: 'planar',
    q: [1, 2, 0.3],
    velocity: [1, 0],
    spin: 2,
    mass: 1,
    inertia: 3,
  };
  expect(copyOf(entry, 'a copy', 0.5)).toEqual({
    name: 'a copy',
    type: 'planar',
    q: [1.5, 2, 0.3],
    mass: 1,
    inertia: 3,
  });
});

test('joints are told by where they stand in the tree', () => {
  const joints = [{ name: 'A', holds: 0 }, { name: 'B', closes_loop: true }, { name: 'C' }];
  expect([...standingsOf({ joints } as unknown as Look)]).toEqual([
    ['A', 'tree'],
    ['B', 'loop'],
  ]);
  expect(standingsOf(null).size).toBe(0);
});

test('names with dots and spaces are quoted, and the worst is said of a joint', () => {
  expect(quantityOf('joint', 'A-1', 'force')).toBe('joint.A-1.force');
  expect(quantityOf('body', 'left "arm".x', 'position')).toBe('body."left \\"arm\\".x".position');
  const findings = {
    undetermined: ['A', 'B', 'C'],
    redundant: [{ joint: 'B' }, { joint: 'C' }],
    contradictory: [{ joint: 'C' }],
  } as unknown as Findings;
  expect([...warningsOf(findings)]).toEqual([
    ['A', 'undetermined'],
    ['B', 'redundant'],
    ['C', 'contradictory'],
  ]);
  expect(warningsOf(null).size).toBe(0);
});

test('what has another name is known by its number, and its quantities go along', () => {
  const look = (bodies: [number, string][], joints: [number, string][]): Look => {
    const named = (all: [number, string][]) => all.map(([id, name]) => ({ id, name }));
    return { bodies: named(bodies), joints: named(joints), behaviors: [] } as unknown as Look;
  };
  const before = look(
    [
      [1, 'crank'],
      [2, 'bar 2'],
      [3, 'gone'],
    ],
    [[1, 'pin']],
  );
  const after = look(
    [
      [1, 'left arm'],
      [2, 'crank'],
      [4, 'gone'],
    ],
    [[1, 'hip']],
  );
  const all = renamedIn(before, after);
  expect(all).toEqual([
    { kind: 'body', from: 'crank', to: 'left arm' },
    { kind: 'body', from: 'bar 2', to: 'crank' },
    { kind: 'joint', from: 'pin', to: 'hip' },
  ]);
  expect(nameNow(all, 'body', 'crank')).toBe('left arm');
  expect(nameNow(all, 'joint', 'crank')).toBe('crank');
  expect(quantityNow(all, 'body.crank.position')).toBe('body."left arm".position');
  expect(quantityNow(all, 'body."bar 2".position.x')).toBe('body.crank.position.x');
  expect(quantityNow(all, 'joint.pin.motor.torque')).toBe('joint.hip.motor.torque');
  expect(quantityNow(all, 'energy.total')).toBe('energy.total');
  // What is typed so far.
  expect(quantityNow(all, 'body.crank')).toBe('body."left arm"');
  expect(quantityNow(all, 'body.cran')).toBe('body.cran');
  // As the engine writes letters of any script.
  expect(quantityOf('body', 'Größe', 'angle')).toBe('body.Größe.angle');
});

test('of the quantities that have all words, those that are called so come first', () => {
  const names = ['step.angle_error', 'joint.A.angle_error', 'joint.A.angle', 'joint.A.spin', 'time'];
  const all = names.map((name) => ({ name, unit: '', about: name.endsWith('spin') ? 'the rate of its angle' : '' }));
  const called = (wanted: string) => found(all, wanted).map(({ name }) => name);
  expect(called('angle')).toEqual(['joint.A.angle', 'step.angle_error', 'joint.A.angle_error', 'joint.A.spin']);
  expect(called('A rate')).toEqual(['joint.A.spin']);
  expect(called('time')).toEqual([]);
});

test('the curves of a recording keep their past under another name', () => {
  const recording = new Recording();
  recording.keep([{ name: 'body.crank.angle', unit: 'rad', about: '' }]);
  recording.add(0, [1]);
  recording.rename(() => 'body.arm.angle');
  recording.keep([{ name: 'body.arm.angle', unit: 'rad', about: '' }]);
  recording.add(1, [2]);
  expect(recording.curves.get('body.arm.angle')?.values).toEqual([1, 2]);
});
