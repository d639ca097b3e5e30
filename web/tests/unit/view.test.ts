import { Matrix4, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { matrixOf } from '../../src/view/poses';
import { Trace } from '../../src/view/trace';

test('seven numbers are a rigid motion', () => {
  const half = Math.SQRT1_2;
  // The second body: a quarter turn about z.
  const poses = new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 2, 3, half, 0, 0, half]);
  const moved = new Vector3(1, 0, 0).applyMatrix4(matrixOf(poses, 1, false, new Matrix4()));
  expect(moved.toArray().map((x) => Math.round(x * 1e9) / 1e9)).toEqual([1, 3, 3]);
});

test('of a troid six are its map', () => {
  const poses = new Float64Array([10, 20, 1, 2, 3, 4, 0]);
  const moved = new Vector3(1, 1, 0).applyMatrix4(matrixOf(poses, 0, true, new Matrix4()));
  expect(moved.toArray()).toEqual([13, 27, 0]);
});

test('a trace forgets its oldest half, and stays a path', () => {
  const trace = new Trace('#ff0000');
  for (let k = 0; k < 1500; k += 1) trace.add(new Vector3(k, 0, 0));
  const { start, count } = trace.line.geometry.drawRange;
  const places = trace.line.geometry.getAttribute('position');
  expect([start, count]).toEqual([0, 900]);
  expect(places.getX(0)).toBe(600);
  expect(places.getX(899)).toBe(1499);
});
