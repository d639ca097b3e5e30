// Where points of a table are: what curves begin with.

import { expect, test } from 'vitest';

const { isOf, spreadOf } = await import('../../src/data');

const table = (points: [number, number, number][]) => ({
  name: 'data',
  columns: ['x', 'y'],
  rows: points.length,
  points,
});

const around = (n: number, part: number): [number, number, number][] =>
  Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * part * k) / n;
    return [1 + 2 * Math.cos(angle), -3 + 0.5 * Math.sin(angle), 0];
  });

test('points all around a middle are round, and their ellipse is found', () => {
  const { x, y, a, b, isRound } = spreadOf(table(around(60, 1)));
  expect([x, y, a, b].map((own) => Number(own.toFixed(6)))).toEqual([1, -3, 2, 0.5]);
  expect(isRound).toBe(true);
});

test('a few points around a middle are round too', () => {
  expect(spreadOf(table(around(8, 1))).isRound).toBe(true);
});

test('points along a line or an arc are not round', () => {
  expect(spreadOf(table(around(60, 0.3))).isRound).toBe(false);
  expect(spreadOf(table(Array.from({ length: 50 }, (_, k) => [k, 2 * k, 0]))).isRound).toBe(false);
});

test('no points are nowhere in particular', () => {
  expect(spreadOf(table([])).a).toBe(0);
});

test('a picture of a film holds for a while, as the engine says', () => {
  const still = { name: 'still', position: [0, 0] as [number, number], width: 1, height: 1, blur: 0, stamp: 1 };
  const at = (film: { from?: number; until?: number }, time: number): boolean =>
    isOf({ tables: [], pictures: [still, { ...still, name: 'film', film }] }, time);
  const times = [-1, 1, 1.1, 1.25, 99];
  expect(times.map((time) => at({ from: 1, until: 1.25 }, time))).toEqual([false, true, true, false, false]);
  expect(times.map((time) => at({ until: 1.25 }, time))).toEqual([true, true, true, false, false]);
  expect(times.map((time) => at({ from: 1 }, time))).toEqual([false, true, true, true, true]);
  expect(isOf({ tables: [], pictures: [still] }, 2)).toBe(true);
});
