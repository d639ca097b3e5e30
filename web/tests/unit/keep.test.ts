import { expect, test } from 'vitest';
import { Keep } from '../../src/engine/keep';

test('nothing is kept of a world that stands', () => {
  const keep = new Keep();
  keep.kept(0, 0.001);
  expect(keep.isDue(1000, true)).toBe(false);
});

test('a cheap copy is made soon after an edit, and every few seconds while time runs', () => {
  const keep = new Keep();
  keep.kept(10, 0.001);
  keep.moved();
  expect([keep.isDue(12.9, true), keep.isDue(13, true)]).toEqual([false, true]);
  keep.edited();
  expect([keep.isDue(10.4, true), keep.isDue(10.5, true)]).toEqual([false, true]);
  keep.kept(10.5, 0.001);
  expect(keep.isDue(1000, true)).toBe(false);
});

test('a dear copy is made seldom: 20 ms every 10 s, a second every 500 s', () => {
  const keep = new Keep();
  keep.kept(0, 0.02);
  keep.moved();
  expect([keep.isDue(9.9, true), keep.isDue(10, true)]).toEqual([false, true]);
  keep.kept(0, 1);
  keep.moved();
  expect([keep.isDue(499, true), keep.isDue(500, true)]).toEqual([false, true]);
  keep.edited();
  expect([keep.isDue(9.9, true), keep.isDue(10, true)]).toEqual([false, true]);
});

test('while time stands an edit is kept at once, but for what is very dear', () => {
  const keep = new Keep();
  keep.kept(0, 0.02);
  keep.edited();
  expect([keep.isDue(0.39, false), keep.isDue(0.4, false)]).toEqual([false, true]);
  keep.kept(0.4, 1);
  keep.edited();
  expect([keep.isDue(10.3, false), keep.isDue(10.4, false)]).toEqual([false, true]);
});
