import { expect, test } from 'vitest';
import { Keep } from '../../src/engine/keep';

test('nothing is kept of a world that stands', () => {
  const keep = new Keep();
  keep.kept(0, 0.001);
  expect(keep.isDue(1000)).toBe(false);
});

test('a cheap copy is made soon after an edit, and every few seconds while time runs', () => {
  const keep = new Keep();
  keep.kept(10, 0.001);
  keep.moved();
  expect([keep.isDue(12.9), keep.isDue(13)]).toEqual([false, true]);
  keep.edited();
  expect([keep.isDue(10.4), keep.isDue(10.5)]).toEqual([false, true]);
  keep.kept(10.5, 0.001);
  expect(keep.isDue(1000)).toBe(false);
});

test('a dear copy is made seldom: 20 ms every 10 s, a second every 500 s', () => {
  const keep = new Keep();
  keep.kept(0, 0.02);
  keep.moved();
  expect([keep.isDue(9.9), keep.isDue(10)]).toEqual([false, true]);
  keep.kept(0, 1);
  keep.moved();
  expect([keep.isDue(499), keep.isDue(500)]).toEqual([false, true]);
  keep.edited();
  expect([keep.isDue(9.9), keep.isDue(10)]).toEqual([false, true]);
});
