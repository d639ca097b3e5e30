// Colors for numbers, and what they mean.

import { expect, test } from 'vitest';
import type { Look } from '../../src/engine/border';
import { measured } from '../../src/panel/legend';
import { fittingOf, offsOf } from '../../src/points';
import { grown, rangeOf } from '../../src/shading';
import * as state from '../../src/state';
import { gradient, roundAbove, shadeInto } from '../../src/view/ramp';

/** Lightness by Oklab of a linear color. */
const lightness = ([r = 0, g = 0, b = 0]: ArrayLike<number> & Iterable<number>): number => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
};

test('colors go up by equal steps of lightness, and a screen can show all of them', () => {
  const all = Array.from({ length: 52 }, (_, k) => {
    const out = new Float32Array(3);
    shadeInto(k / 51, out, 0);
    expect(Math.min(...out)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...out)).toBeLessThanOrEqual(1);
    return lightness(out);
  });
  const steps = all.slice(1).map((own, k) => own - (all[k] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThan(0.9 * Math.max(...steps));
  expect(gradient()).toMatch(/^linear-gradient\(to right, rgb/);
});

test('ends of a range are round, and do not shrink while it is shown', () => {
  expect([0, 0.0003, 0.2, 0.21, 4, 5, 6].map(roundAbove)).toEqual([0, 0.0005, 0.2, 0.5, 5, 5, 10]);
  const first = grown(null, new Float64Array([0.1, Number.NaN, 0.3]), 1e-9);
  expect(first.top).toBe(0.1);
  expect(first.more).toBe(true);
  expect(grown(first, new Float64Array([0.01, 0.01]), 1e-9).top).toBe(0.1);
  expect(grown(null, new Float64Array([0, 0, 0, 0.3]), 1e-9).top).toBe(0.5);
  expect(grown(null, new Float64Array([1e-14, 3e-12]), 1e-9)).toEqual({ top: 0, more: false });
});

test('points that are wrong do not take the colors of all others', () => {
  expect(rangeOf([0.001, 0.001, 0.001, 0.5])).toEqual({ top: 0.01, more: true });
  expect(rangeOf([])).toEqual({ top: 0, more: false });
});

test('what is left of points is told of each joint and of all', () => {
  const nothing = [Number.NaN, Number.NaN, Number.NaN];
  const points = new Float64Array([
    ...[2, 0, 0, 0, 0, 0, 0.3, 0.3],
    ...[2, 0, 0, 0, 0, 0, 0.4, 0.4],
    ...[3, 1, 1, 1, ...nothing, Number.NaN],
  ]);
  expect(offsOf(points)).toEqual([0.3, 0.4]);
  expect(fittingOf(points)).toMatchObject({ points: 2, strays: 1 });
  expect(fittingOf(points, 2).rms).toBeCloseTo(Math.sqrt(0.125), 12);
  expect(fittingOf(points, 3)).toEqual({ rms: 0, points: 0, strays: 1 });
});

test('numbers have the units that people say', () => {
  expect([measured(0.2, ''), measured(0.0021, 'm'), measured(3, 'm'), measured(2e-6, 'm'), measured(0, 'm')]).toEqual([
    '20 %',
    '2.1 mm',
    '3 m',
    '2 µm',
    '0 mm',
  ]);
  // Markers that were made by the model itself.
  expect(measured(3.7e-17, 'm')).toBe('0 mm');
  // A scene of ten micrometers has lengths of nanometers.
  state.look.value = { extent: 1e-5 } as Look;
  expect([measured(5e-10, 'm'), measured(1e-15, 'm')]).toEqual(['0.5 nm', '0 mm']);
  state.look.value = null;
});
