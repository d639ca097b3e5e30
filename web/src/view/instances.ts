// Many copies of one shape in one draw call: on bodies, or stretched between two points.

import {
  Box3,
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  type Raycaster,
  Vector3,
} from 'three';
import type { Paint } from './colors';
import type { Frames } from './poses';

/** A point of a body; of the world where there is no body. */
export interface Anchor {
  body: number | null;
  local: Vector3;
}

interface Seen {
  /** A color `#rrggbb`, or the name of an ink. */
  color: string;
  /** What it belongs to: see `keyOf`. */
  key: string;
}

/** A shape on a body. */
export interface Fixed extends Seen {
  body: number | null;
  local: Matrix4;
  /** Does not deform with a sheet. */
  upright?: boolean;
}

/** A shape from x = 0 to x = 1, laid from one point to another. */
export interface Stretched extends Seen {
  from: Anchor;
  to: Anchor;
  /** Across, m. */
  radius: number;
}

/** How far an instance reaches, m. Vectors are only good until the next. */
export interface Span {
  /** Of the box around it. */
  center: Vector3;
  /** Half the edges of a box along the axes of the world. */
  across: Vector3;
  /** Of the center along a direction, and how far it reaches beyond along it. */
  height: number;
  depth: number;
  /** Of the ball around the box. */
  radius: number;
}

const scratch = new Mesh();
const matrix = new Matrix4();
const [middle, half] = [new Vector3(), new Vector3()];
const color = new Color();
const [p, q, along, across, third] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(), new Vector3()];

abstract class Instances<Item extends Seen> {
  readonly mesh: InstancedMesh;

  constructor(
    geometry: BufferGeometry,
    material: Material,
    readonly items: Item[],
  ) {
    this.mesh = new InstancedMesh(geometry, material, items.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    // Bounds would be computed again at every step; what is out of sight is cheap to draw.
    this.mesh.frustumCulled = false;
  }

  update(frames: Frames): void {
    const out = this.mesh.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.items.length; k += 1) this.place(frames, this.items[k] as Item, out, 16 * k);
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  paint(paint: Paint): void {
    for (const [k, item] of this.items.entries()) this.mesh.setColorAt(k, paint(item, color));
    if (this.mesh.instanceColor !== null) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
  }

  protected abstract place(frames: Frames, item: Item, out: Float32Array, at: number): void;
}

export class FixedInstances extends Instances<Fixed> {
  protected place(frames: Frames, item: Fixed, out: Float32Array, at: number): void {
    if (item.upright === true) frames.writeUpright(item.body, item.local, out, at);
    else frames.write(item.body, item.local, out, at);
  }

  /** How far each instance reaches. */
  spans(up: Vector3, see: (item: Fixed, span: Span) => void): void {
    const { geometry } = this.mesh;
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    const own = geometry.boundingBox ?? new Box3();
    own.getCenter(middle);
    own.getSize(half).multiplyScalar(0.5);
    const span: Span = { center: p, across, height: 0, depth: 0, radius: 0 };
    for (let k = 0; k < this.items.length; k += 1) {
      this.mesh.getMatrixAt(k, matrix);
      const e = matrix.elements;
      p.copy(middle).applyMatrix4(matrix);
      // A box that was turned reaches as far along a direction as its three half edges do together.
      across.set(0, 0, 0);
      let [depth, square] = [0, 0];
      for (let axis = 0; axis < 3; axis += 1) {
        q.fromArray(e, 4 * axis).multiplyScalar(half.getComponent(axis));
        depth += Math.abs(up.dot(q));
        square += q.lengthSq();
        across.set(across.x + Math.abs(q.x), across.y + Math.abs(q.y), across.z + Math.abs(q.z));
      }
      [span.height, span.depth, span.radius] = [up.dot(p), depth, Math.sqrt(square)];
      see(this.items[k] as Fixed, span);
    }
  }

  /** The ball around each instance. */
  balls(see: (item: Fixed, center: Vector3, radius: number) => void): void {
    const { geometry } = this.mesh;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const bounds = geometry.boundingSphere;
    if (bounds === null) return;
    this.items.forEach((item, k) => {
      this.mesh.getMatrixAt(k, matrix);
      see(item, p.copy(bounds.center).applyMatrix4(matrix), bounds.radius * matrix.getMaxScaleOnAxis());
    });
  }

  /** Which instances may be met beside a ray: the balls around them are within `slack` of it, given where they are. */
  beside(ray: Raycaster, slack: (center: Vector3) => number): number[] {
    const { geometry } = this.mesh;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const bounds = geometry.boundingSphere;
    if (bounds === null) return [];
    return this.items.flatMap((_, k) => {
      this.mesh.getMatrixAt(k, matrix);
      p.copy(bounds.center).applyMatrix4(matrix);
      const most = bounds.radius * matrix.getMaxScaleOnAxis() + slack(p);
      return ray.ray.distanceSqToPoint(p) > most * most ? [] : [k];
    });
  }

  /** The nearest instance that a ray meets: its number, how far it is, and where; of all, or among some. */
  pick(ray: Raycaster, among?: readonly number[]): { item: Fixed; distance: number; point: Vector3 } | null {
    const { geometry, material } = this.mesh;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const bounds = geometry.boundingSphere;
    if (bounds === null) return null;
    scratch.geometry = geometry;
    scratch.material = material;
    let best: { item: Fixed; distance: number; point: Vector3 } | null = null;
    for (const k of among ?? this.items.keys()) {
      const item = this.items[k] as Fixed;
      this.mesh.getMatrixAt(k, scratch.matrixWorld);
      // Most instances are far from the ray: a sphere tells, before any triangle is looked at.
      p.copy(bounds.center).applyMatrix4(scratch.matrixWorld);
      const radius = bounds.radius * scratch.matrixWorld.getMaxScaleOnAxis();
      if (ray.ray.distanceSqToPoint(p) > radius * radius) continue;
      for (const { distance, point } of ray.intersectObject(scratch, false)) {
        if (best === null || distance < best.distance) best = { item, distance, point };
      }
    }
    return best;
  }
}

export class StretchedInstances extends Instances<Stretched> {
  protected place(frames: Frames, item: Stretched, out: Float32Array, at: number): void {
    frames.toWorld(item.from.body, item.from.local, p);
    frames.toWorld(item.to.body, item.to.local, q);
    stretch(p, q, item.radius, out, at);
  }
}

/** Two directions across a unit vector, all three right-handed. Duff et al. 2017, "Building an orthonormal
 * basis, revisited". */
export const complete = (x: Vector3, y: Vector3, z: Vector3): void => {
  const sign = x.z < 0 ? -1 : 1;
  const a = -1 / (sign + x.z);
  const b = x.x * x.y * a;
  y.set(1 + sign * x.x * x.x * a, sign * b, -sign * x.x);
  z.set(b, sign + x.y * x.y * a, -x.y);
};

/** The matrix that lays x = 0 … 1 from one point to another, and a unit across to a radius. */
export const stretch = (from: Vector3, to: Vector3, radius: number, out: Float32Array | number[], at: number): void => {
  along.subVectors(to, from);
  const length = along.length();
  if (length > 0) along.divideScalar(length);
  else along.set(1, 0, 0);
  complete(along, across, third);
  along.multiplyScalar(length).toArray(out as number[], at);
  across.multiplyScalar(radius).toArray(out as number[], at + 4);
  third.multiplyScalar(radius).toArray(out as number[], at + 8);
  from.toArray(out as number[], at + 12);
  out[at + 3] = 0;
  out[at + 7] = 0;
  out[at + 11] = 0;
  out[at + 15] = 1;
};
