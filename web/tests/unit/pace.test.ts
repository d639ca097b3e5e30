import { expect, test } from 'vitest';
import { Pace } from '../../src/engine/pace';

const run = (pace: Pace, seconds: number, tick: number, cost: number): number => {
  let taken = 0;
  for (let now = tick; now < seconds + tick / 2; now += tick) {
    const due = pace.due(now, 1 / 60);
    taken += due;
    for (let k = 0; k < due; k += 1) pace.took(cost);
  }
  return taken;
};

test('cheap steps keep up with the clock', () => {
  const pace = new Pace();
  pace.start(0);
  expect(run(pace, 2, 0.004, 0.0001)).toBeGreaterThanOrEqual(119);
});

test('dear steps give slow motion, not a growing backlog', () => {
  const pace = new Pace();
  pace.start(0);
  const taken = run(pace, 2, 0.1, 0.1);
  expect(taken).toBeGreaterThan(15);
  expect(taken).toBeLessThanOrEqual(30);
});

test('a clock that was away, or went back, asks for little', () => {
  const pace = new Pace();
  pace.start(0);
  expect(pace.due(3600, 1 / 60)).toBeLessThanOrEqual(6);
  expect(pace.due(10, 1 / 60)).toBe(0);
});
