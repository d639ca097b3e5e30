// Where bodies are: the affine maps x = A·X + t of the engine, each as the rows of [A t].

import { type Matrix4, Vector3 } from 'three';
import { MAP } from '../affine';

const read = (from: Float64Array, at: number): number => from[at] ?? 0;

/** The maps of all bodies. No body, `null`, is the ground: the identity. */
export class Frames {
  readonly maps: Float64Array;

  /** `upright` says of each body whether what sits on it keeps its own directions: it has no frames. */
  constructor(private readonly upright: boolean[]) {
    this.maps = new Float64Array(MAP * upright.length);
  }

  get count(): number {
    return this.upright.length;
  }

  isUpright(body: number | null): boolean {
    return body !== null && (this.upright[body] ?? false);
  }

  set(poses: Float64Array): void {
    this.maps.set(poses.subarray(0, this.maps.length));
  }

  /** A point of a body in the world. */
  toWorld(body: number | null, point: Vector3, out: Vector3): Vector3 {
    if (body === null) return out.copy(point);
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

const spot = new Vector3();
const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
const [yz, zx, xy] = [new Vector3(), new Vector3(), new Vector3()];
