// Splines as the engine has them, and strokes that become splines.

import { expect, test } from 'vitest';
import { Lab } from '../../src/engine/lab';
import { fitStroke, pointAt, pointsOf, weightsAt } from '../../src/spline';
import './catalogue';

const away = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((own, k) => own - (b[k] ?? 0)));

test('weights are positive and sum to one', () => {
  for (const closed of [false, true])
    for (let k = 0; k <= 50; k += 1) {
      const weights = weightsAt(7, closed, k / 50).map(([, weight]) => weight);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
      expect(weights.reduce((sum, own) => sum + own, 0)).toBeCloseTo(1, 12);
    }
});

test('points are on the curves that the engine draws', () => {
  const points = [
    [0, 0],
    [1, 2],
    [2, -1],
    [3, 1],
    [4, 0],
    [2, 3],
  ];
  for (const closed of [false, true]) {
    const body = { name: 'c', type: 'spline', points, closed, mass: 1 };
    const lab = Lab.open(JSON.stringify({ linkwork: 1, bodies: [body] }));
    const drawn = lab.poses().subarray(12);
    const corners = Array.from({ length: drawn.length / 3 }, (_, k) => [...drawn.subarray(3 * k, 3 * k + 2)]);
    lab.free();
    const last = corners.length - 1;
    const off = corners.map((corner, k) => {
      // A closed one may begin elsewhere, by a whole part of it.
      const shifts = closed ? points.map((_, part) => part / points.length) : [0];
      const at = shifts.map((shift) => (k / last + shift) % 1);
      return Math.min(...(closed ? at : [k / last]).map((u) => away(pointAt(points, closed, u), corner)));
    });
    expect(Math.max(...off)).toBeLessThan(1e-12);
  }
});

test('a stroke becomes a curve of few points, as near as was asked for', () => {
  const wave = Array.from({ length: 100 }, (_, k) => [k / 50, 0.3 * Math.sin(k / 16) + 0.002 * Math.sin(7 * k)]);
  const fitted = fitStroke(wave, false, 0.01);
  expect(fitted.error).toBeLessThanOrEqual(0.01);
  expect(fitted.points.length).toBeLessThan(12);
  const dense = pointsOf(fitted.points, false, 2001);
  for (const own of wave) expect(Math.min(...dense.map((point) => away(point, own)))).toBeLessThan(0.0101);
  const ring = Array.from({ length: 100 }, (_, k) => [Math.cos(k * 0.0628318530718), Math.sin(k * 0.0628318530718)]);
  const round = fitStroke(ring, true, 0.01);
  expect(round.closed).toBe(true);
  expect(round.points.length).toBeLessThan(8);
  // A scribble has as many points as there may be, and says how far it is off.
  const scribble = Array.from({ length: 100 }, (_, k) => [Math.sin(k * k), Math.cos(3 * k * k)]);
  const rough = fitStroke(scribble, false, 1e-3);
  expect(rough.points).toHaveLength(24);
  expect(rough.error).toBeGreaterThan(0.1);
});
