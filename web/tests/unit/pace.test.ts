import { expect, test } from 'vitest';
import { Clock, LONGEST, Pace } from '../../src/engine/pace';

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

test('a step is as long as the clock says', () => {
  const clock = new Clock();
  clock.start(1);
  expect(clock.since(1.001)).toEqual({ dt: 0, upset: null });
  expect(clock.since(1.02)).toEqual({ dt: expect.closeTo(0.02, 12), upset: null });
  expect(clock.since(1.07).dt).toBeCloseTo(0.05, 12);
});

test('a clock that jumps, goes back or stands is followed as far as it can be, and that is said', () => {
  const clock = new Clock();
  clock.start(1);
  expect(clock.since(61)).toEqual({ dt: LONGEST, upset: 'jumped' });
  expect(clock.since(3)).toEqual({ dt: 0, upset: 'went-back' });
  // From there it is followed again.
  expect(clock.since(3.03)).toEqual({ dt: expect.closeTo(0.03, 12), upset: null });
  expect(clock.since(Number.NaN)).toEqual({ dt: 0, upset: 'went-back' });
  clock.start(5);
  const said = Array.from({ length: 2000 }, () => clock.since(5)).filter(({ dt, upset }) => dt > 0 || upset !== null);
  expect(said).toEqual([{ dt: 0, upset: 'stood' }]);
  expect(clock.since(5.05)).toEqual({ dt: expect.closeTo(0.05, 12), upset: null });
});
