import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { Frames } from '../../src/view/poses';

/** A ground of one body with a map, and a quarter of a circle of five points with u from 0 to 2. */
const frames = (): Frames => {
  const all = new Frames([false, true], new Map([[1, { points: 5, range: [0, 2] }]]));
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const points = [0, 1, 2, 3, 4].flatMap((k) => [Math.cos((k * Math.PI) / 8), Math.sin((k * Math.PI) / 8), 0]);
  all.set(new Float64Array([...identity, ...identity, ...points]));
  return all;
};

test('a point of a curve is told by its parameter', () => {
  const all = frames();
  const middle = all.toWorld(1, new Vector3(1, 0, 0), new Vector3());
  expect(middle.x).toBeCloseTo(Math.SQRT1_2, 12);
  expect(middle.y).toBeCloseTo(Math.SQRT1_2, 12);
  const start = all.toWorld(1, new Vector3(0, 0, 0), new Vector3());
  expect(start.x).toBeCloseTo(1, 12);
  // Beyond its ends it goes straight on.
  expect(all.toWorld(1, new Vector3(2.5, 0, 0), new Vector3()).x).toBeLessThan(0);
});

test('what is near a curve is at the parameter of the nearest point', () => {
  const all = frames();
  const u = all.toBody(1, new Vector3(2, 2, 0), new Vector3());
  expect(u.x).toBeCloseTo(1, 3);
  expect([u.y, u.z]).toEqual([0, 0]);
  for (const place of [0.1, 0.77, 1.3, 1.95]) {
    const point = all.toWorld(1, new Vector3(place, 0, 0), new Vector3());
    expect(all.toBody(1, point, new Vector3()).x).toBeCloseTo(place, 4);
  }
});

test('bodies with a map are as they were', () => {
  const point = frames().toWorld(0, new Vector3(1, 2, 3), new Vector3());
  expect(point.toArray()).toEqual([1, 2, 3]);
});
