import { expect, test } from 'vitest';
import type { BodyLook, Look } from '../../src/engine/words';
import { dragEntry, freeName, heldEntry } from '../../src/hold/pull';

const body = (name: string, more: Partial<BodyLook> = {}): BodyLook => ({
  name,
  type: 'box',
  planar: false,
  movable: true,
  enabled: true,
  mass: 2,
  colour: null,
  parts: [],
  ...more,
});
const look = (bodies: BodyLook[]): Look => ({
  name: null,
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat: false,
  camera: null,
  extent: 1,
  ground: [],
  bodies,
  joints: [],
  behaviors: [],
  skins: [],
  traces: [],
});

test('a hand takes a name that is free', () => {
  expect(freeName(look([body('crank')]))).toBe('pointer');
  expect(freeName(look([body('pointer'), body('pointer 2')]))).toBe('pointer 3');
});

test('points have as many numbers as their bodies', () => {
  expect(heldEntry(body('a'), [1, 2, 3])).toEqual({ body: 'a', point: [1, 2, 3] });
  expect(heldEntry(body('a', { planar: true }), [1, 2, 0])).toEqual({ body: 'a', point: [1, 2] });
  expect(heldEntry(body('a', { type: 'particle' }), [0, 0, 0])).toEqual({ body: 'a' });
});

test('only a pull by force has numbers, and they grow with what is pulled', () => {
  expect(dragEntry('pin', look([]))).toEqual({ type: 'pin' });
  const entry = dragEntry('force', look([body('a'), body('b')]));
  expect(entry).toEqual({ type: 'force', stiffness: 576, damping: expect.closeTo(67.2, 6) });
});
