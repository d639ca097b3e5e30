// Where bodies are: the engine's seven numbers as affine maps x = A·X + t.

import { type Matrix4, Vector3 } from 'three';
import { SLOT } from '../engine/messages';

/** Numbers of a map: the columns of A, then t. */
const MAP = 12;

const read = (from: Float64Array, at: number): number => from[at] ?? 0;

/** The maps of all bodies. No body, `null`, is the ground: the identity. */
export class Frames {
  readonly maps: Float64Array;

  constructor(private readonly troids: boolean[]) {
    this.maps = new Float64Array(MAP * troids.length);
  }

  get count(): number {
    return this.troids.length;
  }

  isTroid(body: number | null): boolean {
    return body !== null && (this.troids[body] ?? false);
  }

  set(poses: Float64Array): void {
    for (let body = 0; body < this.troids.length; body += 1) {
      if (this.troids[body] === true) this.setTroid(body, poses);
      else this.setRigid(body, poses);
    }
  }

  /** A point of a body in the world. */
  toWorld(body: number | null, point: Vector3, out: Vector3): Vector3 {
    if (body === null) return out.copy(point);
    const m = this.maps;
    const at = MAP * body;
    const { x, y, z } = point;
    return out.set(
      read(m, at) * x + read(m, at + 3) * y + read(m, at + 6) * z + read(m, at + 9),
      read(m, at + 1) * x + read(m, at + 4) * y + read(m, at + 7) * z + read(m, at + 10),
      read(m, at + 2) * x + read(m, at + 5) * y + read(m, at + 8) * z + read(m, at + 11),
    );
  }

  /** A point of the world in the coordinates of a body. */
  toBody(body: number | null, point: Vector3, out: Vector3): Vector3 {
    if (body === null) return out.copy(point);
    const m = this.maps;
    const at = MAP * body;
    return this.turnBack(
      body,
      out.set(point.x - read(m, at + 9), point.y - read(m, at + 10), point.z - read(m, at + 11)),
    );
  }

  /** A⁻¹·v in place: by Cramer's rule, since a troid's A is no rotation. */
  turnBack(body: number, v: Vector3): Vector3 {
    const m = this.maps;
    const at = MAP * body;
    const [a, b, c] = [x.fromArray(m, at), y.fromArray(m, at + 3), z.fromArray(m, at + 6)];
    const [bc, ca, ab] = [yz.crossVectors(b, c), zx.crossVectors(c, a), xy.crossVectors(a, b)];
    const det = a.dot(bc);
    // A sheet that was crushed flat has no inverse; its middle will do.
    return det === 0 ? v.set(0, 0, 0) : v.set(bc.dot(v) / det, ca.dot(v) / det, ab.dot(v) / det);
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
        const moved = k === 3 ? read(m, from + 9 + row) : 0;
        out[at + 4 * k + row] =
          read(m, from + row) * lx + read(m, from + 3 + row) * ly + read(m, from + 6 + row) * lz + moved;
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

  private setTroid(body: number, poses: Float64Array): void {
    const from = SLOT * body;
    const to = MAP * body;
    this.maps.fill(0, to, to + MAP);
    this.maps[to] = read(poses, from + 2);
    this.maps[to + 3] = read(poses, from + 3);
    this.maps[to + 1] = read(poses, from + 4);
    this.maps[to + 4] = read(poses, from + 5);
    this.maps[to + 8] = 1;
    this.maps[to + 9] = read(poses, from);
    this.maps[to + 10] = read(poses, from + 1);
  }

  private setRigid(body: number, poses: Float64Array): void {
    const m = this.maps;
    const from = SLOT * body;
    const to = MAP * body;
    const w = read(poses, from + 3);
    const i = read(poses, from + 4);
    const j = read(poses, from + 5);
    const k = read(poses, from + 6);
    m[to] = 1 - 2 * (j * j + k * k);
    m[to + 1] = 2 * (i * j + w * k);
    m[to + 2] = 2 * (i * k - w * j);
    m[to + 3] = 2 * (i * j - w * k);
    m[to + 4] = 1 - 2 * (i * i + k * k);
    m[to + 5] = 2 * (j * k + w * i);
    m[to + 6] = 2 * (i * k + w * j);
    m[to + 7] = 2 * (j * k - w * i);
    m[to + 8] = 1 - 2 * (i * i + j * j);
    m[to + 9] = read(poses, from);
    m[to + 10] = read(poses, from + 1);
    m[to + 11] = read(poses, from + 2);
  }
}

const spot = new Vector3();
const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
const [yz, zx, xy] = [new Vector3(), new Vector3(), new Vector3()];
