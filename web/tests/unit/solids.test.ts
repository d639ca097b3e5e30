import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { Frames, ROUND } from '../../src/view/poses';
import { smoothNormals } from '../../src/view/skin';
import { ringTriangles } from '../../src/view/solids';

const RINGS = [20, 32] as const;

/** A ball of radius two about (1, 0, 0), as the engine sends it. */
const corners = (): number[] => {
  const all: number[] = [];
  const [nu, nv] = RINGS;
  for (let i = 0; i <= nu; i += 1)
    for (let j = 0; j <= nv; j += 1) {
      const [u, v] = [Math.PI * (i / nu - 0.5), 2 * Math.PI * (j / nv - 0.5)];
      all.push(1 + 2 * Math.cos(u) * Math.cos(v), 2 * Math.cos(u) * Math.sin(v), 2 * Math.sin(u));
    }
  return all;
};

const frames = (): Frames => {
  const own = corners();
  const shapes = new Map([
    [0, { points: 2, range: [0, 1] as const }],
    [1, { points: own.length / 3, rings: RINGS, over: ROUND }],
  ]);
  const all = new Frames([true, true], shapes);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  all.set(new Float64Array([...identity, ...identity, 0, 0, 0, 1, 0, 0, ...own]));
  return all;
};

test('a point of a surface is told by latitude and longitude', () => {
  const all = frames();
  for (const [u, v] of [
    [0, 0],
    [0.3, 1.1],
    [-1.2, -2.9],
    [Math.PI / 2, 0],
  ] as const) {
    const point = all.toWorld(1, new Vector3(u, v, 0), new Vector3());
    const exact = new Vector3(1 + 2 * Math.cos(u) * Math.cos(v), 2 * Math.cos(u) * Math.sin(v), 2 * Math.sin(u));
    expect(point.distanceTo(exact)).toBeLessThan(0.03);
    const back = all.toBody(1, point, new Vector3());
    expect(all.toWorld(1, back, new Vector3()).distanceTo(point)).toBeLessThan(1e-3);
  }
  // What comes before it is a curve.
  expect(all.toWorld(0, new Vector3(0.5, 0, 0), new Vector3()).x).toBeCloseTo(0.5, 12);
});

test('a surface is closed, and its normals point outward', () => {
  const places = new Float32Array(corners());
  const triangles = ringTriangles(RINGS);
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k += 1) {
      const [a, b] = [triangles[t + k] ?? 0, triangles[t + ((k + 1) % 3)] ?? 0];
      const edge = `${Math.min(a, b)} ${Math.max(a, b)}`;
      edges.set(edge, (edges.get(edge) ?? 0) + Math.sign(b - a));
    }
  expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
  const normals = new Float32Array(places.length);
  smoothNormals(places, triangles, normals);
  const [normal, place] = [new Vector3(), new Vector3()];
  for (const corner of new Set(triangles)) {
    normal.fromArray(normals, 3 * corner);
    place
      .fromArray(places, 3 * corner)
      .sub(new Vector3(1, 0, 0))
      .normalize();
    expect(normal.dot(place)).toBeGreaterThan(0.99);
  }
});

test('a point of a body of nodes is where its matter was at birth', () => {
  const mesh = {
    vertices: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ] as [number, number, number][],
    triangles: [
      [0, 1, 2],
      [1, 3, 2],
    ] as [number, number, number][],
  };
  const all = new Frames([false], new Map([[0, { points: 4, mesh }]]));
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  // Stretched to twice its width, moved up, one corner lifted.
  all.set(new Float64Array([...identity, 0, 0, 5, 2, 0, 5, 0, 1, 5, 2, 1, 6]));
  const point = all.toWorld(0, new Vector3(0.25, 0.5, 0), new Vector3());
  expect(point.distanceTo(new Vector3(0.5, 0.5, 5))).toBeLessThan(1e-12);
  const lifted = all.toWorld(0, new Vector3(0.75, 0.75, 0), new Vector3());
  expect(lifted.distanceTo(new Vector3(1.5, 0.75, 5.5))).toBeLessThan(1e-12);
  expect(all.toBody(0, lifted, new Vector3()).distanceTo(new Vector3(0.75, 0.75, 0))).toBeLessThan(1e-12);
});
