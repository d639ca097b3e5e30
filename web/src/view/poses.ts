// Where bodies are: the affine maps x = A·X + t of the engine, each as the rows of [A t]; and curves, whose points come
// after all maps. The coordinates of a point of a curve are its parameter u and two zeros; those of a point of a
// surface are its two parameters (latitude and longitude of a solid) and zero; those of a body of nodes are where its
// matter was at birth.

import { type Matrix4, Triangle, Vector3 } from 'three';
import { MAP } from '../affine';
import type { MeshLook } from '../engine/border';

const read = (from: Float64Array, at: number): number => from[at] ?? 0;

/** A curve: how many points come, and the range of u. */
export interface CurveShape {
  points: number;
  range: readonly [number, number];
}

/** A surface: how many points come, how many steps of its two parameters they are, and the ranges of these. */
export interface SurfaceShape {
  points: number;
  rings: readonly [number, number];
  over: readonly [readonly [number, number], readonly [number, number]];
}

/** A body of nodes, which are its points: where they were at birth, and the triangles of its surface. */
export interface MeshShape {
  points: number;
  mesh: MeshLook;
}

/** Latitude and longitude. */
export const ROUND: SurfaceShape['over'] = [
  [-Math.PI / 2, Math.PI / 2],
  [-Math.PI, Math.PI],
];

/** What sends points of its own. */
export type CornerShape = CurveShape | SurfaceShape | MeshShape;

/** The maps of all bodies. No body, `null`, is the ground: the identity. */
export class Frames {
  readonly maps: Float64Array;

  private readonly points: Float64Array;
  /** Where the points of each curve and surface begin, by its body. */
  private readonly start = new Map<number, number>();
  private readonly curves = new Map<number, CurveShape>();
  private readonly surfaces = new Map<number, SurfaceShape>();
  private readonly meshes = new Map<number, MeshLook>();

  /** `upright` says of each body whether what sits on it keeps its own directions: it has no frames. */
  constructor(
    private readonly upright: boolean[],
    corners: ReadonlyMap<number, CornerShape> = new Map(),
  ) {
    this.maps = new Float64Array(MAP * upright.length);
    let n = 0;
    for (const [body, shape] of corners) {
      this.start.set(body, n);
      if ('rings' in shape) this.surfaces.set(body, shape);
      else if ('mesh' in shape) this.meshes.set(body, shape.mesh);
      else this.curves.set(body, shape);
      n += 3 * shape.points;
    }
    this.points = new Float64Array(n);
  }

  get count(): number {
    return this.upright.length;
  }

  isUpright(body: number | null): boolean {
    return body !== null && (this.upright[body] ?? false);
  }

  set(poses: Float64Array): void {
    const n = this.maps.length;
    this.maps.set(poses.subarray(0, n));
    this.points.set(poses.subarray(n, n + this.points.length));
  }

  /** Which of all corners is the first of a body. */
  firstOf(body: number): number {
    return (this.start.get(body) ?? 0) / 3;
  }

  /** Point k of a curve or of a surface. */
  point(body: number, k: number, out: Vector3): Vector3 {
    return out.fromArray(this.points, (this.start.get(body) ?? 0) + 3 * k);
  }

  /** The point of a curve nearest to something, by a measure of points: u and how far it is. */
  nearest(body: number, away: (point: Vector3) => number): { u: number; away: number } {
    const { points, range } = this.curves.get(body) ?? { points: 1, range: [0, 0] };
    let [best, least] = [0, Infinity];
    for (let k = 0; k < points; k += 1) {
      const own = away(this.point(body, k, from));
      if (own < least) [best, least] = [k, own];
    }
    // Between the neighbors, by thirds.
    let [low, high] = [Math.max(best - 1, 0), Math.min(best + 1, points - 1)];
    const at = (k: number): number => away(this.between(body, k, from));
    for (let round = 0; round < 30; round += 1) {
      const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
      if (at(a) < at(b)) high = b;
      else low = a;
    }
    const place = (low + high) / 2;
    const u = range[0] + ((range[1] - range[0]) * place) / Math.max(points - 1, 1);
    return { u, away: at(place) };
  }

  /** A point between two of a curve. */
  private between(body: number, place: number, out: Vector3): Vector3 {
    const points = this.curves.get(body)?.points ?? 1;
    const k = Math.min(Math.max(Math.floor(place), 0), Math.max(points - 2, 0));
    this.point(body, k, out);
    return points < 2 ? out : out.lerp(this.point(body, k + 1, to), place - k);
  }

  /** A point between four of a surface, by steps of latitude and longitude. */
  private over(body: number, [nu, nv]: readonly [number, number], i: number, j: number, out: Vector3): Vector3 {
    const row = Math.min(Math.max(Math.floor(i), 0), nu - 1);
    const column = Math.min(Math.max(Math.floor(j), 0), nv - 1);
    const at = row * (nv + 1) + column;
    const along = j - column;
    this.point(body, at, out).lerp(this.point(body, at + 1, to), along);
    const above = this.point(body, at + nv + 1, side).lerp(this.point(body, at + nv + 2, to), along);
    return out.lerp(above, i - row);
  }

  /** Steps of latitude and longitude of the point of a surface nearest to one of the world. */
  private nearestOver(body: number, { points, rings }: SurfaceShape, point: Vector3): [number, number] {
    const [nu, nv] = rings;
    let [best, least] = [0, Infinity];
    for (let k = 0; k < points; k += 1) {
      const own = this.point(body, k, from).distanceToSquared(point);
      if (own < least) [best, least] = [k, own];
    }
    let [i, j] = [Math.floor(best / (nv + 1)), best % (nv + 1)];
    const away = (a: number, b: number): number => this.over(body, rings, a, b, from).distanceToSquared(point);
    const clamp = (x: number, most: number): number => Math.min(Math.max(x, 0), most);
    // Ever smaller steps around it, along each in turn.
    for (let step = 0.5; step > 1e-4; ) {
      const around = [
        [clamp(i + step, nu), j],
        [clamp(i - step, nu), j],
        [i, clamp(j + step, nv)],
        [i, clamp(j - step, nv)],
      ] as const;
      const nearer = around.find(([a, b]) => away(a, b) < away(i, j));
      if (nearer === undefined) step /= 2;
      else [i, j] = nearer;
    }
    return [i, j];
  }

  /** The matter of a body of nodes nearest to a point where its nodes are `here`, where they are `there`. */
  private carry({ triangles }: MeshLook, point: Vector3, here: Node, there: Node, out: Vector3): Vector3 {
    let least = Infinity;
    for (const [i, j, k] of triangles) {
      here(i, face.a);
      here(j, face.b);
      here(k, face.c);
      const away = face.closestPointToPoint(point, from).distanceToSquared(point);
      if (away >= least || face.getBarycoord(from, weights) === null) continue;
      least = away;
      there(i, out)
        .multiplyScalar(weights.x)
        .addScaledVector(there(j, to), weights.y)
        .addScaledVector(there(k, to), weights.z);
    }
    return out;
  }

  /** A point of a body in the world. */
  toWorld(body: number | null, point: Vector3, out: Vector3): Vector3 {
    if (body === null) return out.copy(point);
    const curve = this.curves.get(body);
    if (curve !== undefined) {
      const [low, high] = curve.range;
      return this.between(body, ((point.x - low) / (high - low)) * (curve.points - 1), out);
    }
    const surface = this.surfaces.get(body);
    if (surface !== undefined) {
      const [nu, nv] = surface.rings;
      const [[u0, u1], [v0, v1]] = surface.over;
      return this.over(body, surface.rings, ((point.x - u0) / (u1 - u0)) * nu, ((point.y - v0) / (v1 - v0)) * nv, out);
    }
    const mesh = this.meshes.get(body);
    if (mesh !== undefined)
      return this.carry(mesh, goal.copy(point), born(mesh), (k, spot) => this.point(body, k, spot), out);
    const m = this.maps;
    const at = MAP * body;
    const { x, y, z } = point;
    return out.set(
      read(m, at) * x + read(m, at + 1) * y + read(m, at + 2) * z + read(m, at + 3),
      read(m, at + 4) * x + read(m, at + 5) * y + read(m, at + 6) * z + read(m, at + 7),
      read(m, at + 8) * x + read(m, at + 9) * y + read(m, at + 10) * z + read(m, at + 11),
    );
  }

  /** A point of the world in the coordinates of a body. */
  toBody(body: number | null, point: Vector3, out: Vector3): Vector3 {
    if (body === null) return out.copy(point);
    if (this.curves.has(body)) {
      goal.copy(point);
      return out.set(this.nearest(body, (own) => own.distanceToSquared(goal)).u, 0, 0);
    }
    const surface = this.surfaces.get(body);
    if (surface !== undefined) {
      const [i, j] = this.nearestOver(body, surface, goal.copy(point));
      const [nu, nv] = surface.rings;
      const [[u0, u1], [v0, v1]] = surface.over;
      return out.set(u0 + ((u1 - u0) * i) / nu, v0 + ((v1 - v0) * j) / nv, 0);
    }
    const mesh = this.meshes.get(body);
    if (mesh !== undefined)
      return this.carry(mesh, goal.copy(point), (k, spot) => this.point(body, k, spot), born(mesh), out);
    const m = this.maps;
    const at = MAP * body;
    return this.turnBack(
      body,
      out.set(point.x - read(m, at + 3), point.y - read(m, at + 7), point.z - read(m, at + 11)),
    );
  }

  /** A⁻¹·v in place: by Cramer's rule, since A need not be a rotation. */
  turnBack(body: number, v: Vector3): Vector3 {
    const m = this.maps;
    const at = MAP * body;
    const [a, b, c] = [x.fromArray(m, at), y.fromArray(m, at + 4), z.fromArray(m, at + 8)];
    const [bc, ca, ab] = [yz.crossVectors(b, c), zx.crossVectors(c, a), xy.crossVectors(a, b)];
    const det = a.dot(bc);
    // A body that was crushed flat has no inverse; its middle will do.
    if (det === 0) return v.set(0, 0, 0);
    // The rows of A crossed are the columns of A⁻¹.
    return v.copy(bc.multiplyScalar(v.x).addScaledVector(ca, v.y).addScaledVector(ab, v.z).divideScalar(det));
  }

  /** The map of a body after a matrix of the body, into column-major storage. */
  write(body: number | null, local: Matrix4, out: Float32Array, at: number): void {
    const e = local.elements;
    if (body === null) {
      out.set(e, at);
      return;
    }
    const m = this.maps;
    const from = MAP * body;
    for (let k = 0; k < 4; k += 1) {
      const lx = e[4 * k] ?? 0;
      const ly = e[4 * k + 1] ?? 0;
      const lz = e[4 * k + 2] ?? 0;
      for (let row = 0; row < 3; row += 1) {
        const own = from + 4 * row;
        const moved = k === 3 ? read(m, own + 3) : 0;
        out[at + 4 * k + row] = read(m, own) * lx + read(m, own + 1) * ly + read(m, own + 2) * lz + moved;
      }
      out[at + 4 * k + 3] = k === 3 ? 1 : 0;
    }
  }

  /** Only the place of a matrix goes with its body: what sits on a sheet keeps its shape. */
  writeUpright(body: number | null, local: Matrix4, out: Float32Array, at: number): void {
    out.set(local.elements, at);
    spot.setFromMatrixPosition(local);
    this.toWorld(body, spot, spot).toArray(out, at + 12);
  }
}

/** Writes where a node is. */
type Node = (k: number, out: Vector3) => Vector3;

const born =
  ({ vertices }: MeshLook): Node =>
  (k, out) =>
    out.fromArray(vertices[k] ?? [0, 0, 0]);

const face = new Triangle();
const weights = new Vector3();
const spot = new Vector3();
const [from, to, goal, side] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
const [yz, zx, xy] = [new Vector3(), new Vector3(), new Vector3()];
