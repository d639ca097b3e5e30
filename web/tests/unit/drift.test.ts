import { expect, test } from 'vitest';
import type { BodyLook, JointLook, Look } from '../../src/engine/border';
import { Drift, isFree } from '../../src/view/drift';

const body = (name: string, more: Partial<BodyLook> = {}): BodyLook => ({
  id: 0,
  name,
  type: 'rod',
  planar: false,
  turns: true,
  deforms: false,
  movable: true,
  enabled: true,
  mass: 1,
  color: null,
  parts: [],
  ...more,
});
const joint = (to: number | null, enabled = true): JointLook => ({
  id: 0,
  name: 'j',
  type: 'ball',
  enabled,
  ends: [
    { body: to, point: [0, 0, 0] },
    { body: 0, point: [0, 0, 0] },
  ],
  axis: null,
});
const look = (bodies: BodyLook[], joints: JointLook[] = []): Look => ({
  name: null,
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat: false,
  camera: null,
  extent: 1,
  ground: [],
  bodies,
  joints,
  behaviors: [],
  traces: [],
  skins: [],
});

test('what nothing holds is free', () => {
  expect(isFree(look([]))).toBe(false);
  expect(isFree(look([body('a'), body('b')], [joint(1)]))).toBe(true);
  expect(isFree(look([body('a')], [joint(null)]))).toBe(false);
  expect(isFree(look([body('a')], [joint(null, false)]))).toBe(true);
  expect(isFree(look([body('a'), body('hook', { movable: false })], [joint(1)]))).toBe(false);
});

test('the eye goes as far as the mean of what falls, and not after what hangs', () => {
  const falling = look([body('a'), body('b', { type: 'troid', turns: false, deforms: true })]);
  const drift = new Drift();
  const poses = new Float64Array(24);
  drift.show(falling, poses, true);
  poses.set([1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1, 0], 0);
  poses.set([9, 9, 0, 4, 9, 9, 0, 0, 0, 0, 1, 0], 12);
  expect(drift.since(poses)?.toArray()).toEqual([2, -1, 0]);
  expect(drift.since(poses)).toBeNull();
  const hanging = look([body('a')], [joint(null)]);
  drift.show(hanging, new Float64Array(12), true);
  expect(drift.since(poses)).toBeNull();
  // Nor after what is being built, unless somebody wants to see it.
  drift.show(falling, new Float64Array(24), false);
  expect(drift.since(poses)).toBeNull();
  drift.follow([1], new Float64Array(24));
  expect(drift.since(poses)?.toArray()).toEqual([4, 0, 0]);
});

test('the eye goes along with a body that was chosen, also after an edit, until none is', () => {
  const walking = look([body('a'), body('b')], [joint(null)]);
  const drift = new Drift();
  drift.show(walking, new Float64Array(24), true);
  drift.choose('b', walking, new Float64Array(24));
  const poses = new Float64Array(24);
  poses.set([1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0], 12);
  expect(drift.since(poses)?.toArray()).toEqual([3, 0, 0]);
  drift.show(look([body('b')]), new Float64Array(12), false);
  poses.set([1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0], 0);
  expect(drift.since(poses)?.toArray()).toEqual([5, 0, 0]);
  drift.choose(null, walking, new Float64Array(24));
  expect(drift.since(poses)).toBeNull();
});
