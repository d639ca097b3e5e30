// A smooth surface whose corners are points of bodies.

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, type Raycaster, Vector3 } from 'three';
import type { SkinLook } from '../engine/border';
import type { Brush } from './colors';
import type { Anchor } from './instances';
import type { Frames } from './poses';
import { shadeInto } from './ramp';
import type { Shapes } from './shapes';

const COLOR = '#c9a66b';
const [spot, a, b] = [new Vector3(), new Vector3(), new Vector3()];

/** Normals of corners: the sum of those of the triangles around, each as long as its triangle is large. */
export const smoothNormals = (places: Float32Array, triangles: ArrayLike<number>, out: Float32Array): void => {
  out.fill(0);
  const add = (corner: number): void => {
    out[corner] = (out[corner] ?? 0) + a.x;
    out[corner + 1] = (out[corner + 1] ?? 0) + a.y;
    out[corner + 2] = (out[corner + 2] ?? 0) + a.z;
  };
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const i = 3 * (triangles[t] ?? 0);
    const j = 3 * (triangles[t + 1] ?? 0);
    const k = 3 * (triangles[t + 2] ?? 0);
    spot.fromArray(places, i);
    a.fromArray(places, j).sub(spot);
    a.cross(b.fromArray(places, k).sub(spot));
    add(i);
    add(j);
    add(k);
  }
  for (let k = 0; k < out.length; k += 3) spot.fromArray(out, k).normalize().toArray(out, k);
};

/** A smooth surface whose corners move by themselves. */
export class SmoothMesh {
  readonly mesh: Mesh;
  protected readonly places: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly plain = new Color();

  constructor(
    n: number,
    private readonly triangles: number[],
    private readonly color: string,
    shapes: Shapes,
  ) {
    this.places = new BufferAttribute(new Float32Array(3 * n), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(3 * n), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('normal', this.normals);
    geometry.setIndex(this.triangles);
    this.mesh = new Mesh(geometry, shapes.material('open').clone());
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !shapes.low;
    this.mesh.receiveShadow = !shapes.low;
  }

  /** Puts every corner where `at` says it is. */
  protected put(at: (k: number, out: Vector3) => Vector3): void {
    const places = this.places.array as Float32Array;
    for (let k = 0; k < this.places.count; k += 1) at(k, spot).toArray(places, 3 * k);
    smoothNormals(places, this.triangles, this.normals.array as Float32Array);
    this.places.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  /** Whether it may be met beside a ray: the ball around it is within `slack` of that, given where it is. */
  isBeside(ray: Raycaster, slack: (center: Vector3) => number): boolean {
    const { geometry } = this.mesh;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const bounds = geometry.boundingSphere;
    if (bounds === null) return false;
    const most = bounds.radius + slack(bounds.center);
    return ray.ray.distanceSqToPoint(bounds.center) <= most * most;
  }

  paint(brush: Brush): void {
    this.plain.copy(brush.color(this.color));
    const { material } = this;
    if (!material.vertexColors) material.color.copy(this.plain);
  }

  /** Colors corners by numbers of a range from zero on, beginning with number `from`; or as the brush does. */
  shade(numbers: Float64Array | null, from: number, top: number): void {
    const n = this.places.count;
    const own = numbers?.subarray(from, from + n) ?? null;
    // A body that nothing is told of keeps its color.
    const isShaded = own?.some(Number.isFinite) ?? false;
    const { material } = this;
    if (material.vertexColors !== isShaded) {
      material.vertexColors = isShaded;
      material.needsUpdate = true;
    }
    if (own === null || !isShaded) {
      material.color.copy(this.plain);
      return;
    }
    material.color.set('#ffffff');
    if (!this.mesh.geometry.hasAttribute('color'))
      this.mesh.geometry.setAttribute(
        'color',
        new BufferAttribute(new Float32Array(3 * n), 3).setUsage(DynamicDrawUsage),
      );
    const colors = this.mesh.geometry.getAttribute('color') as BufferAttribute;
    for (let k = 0; k < n; k += 1) {
      const value = own[k] ?? Number.NaN;
      shadeInto(top > 0 && Number.isFinite(value) ? value / top : 0, colors.array as Float32Array, 3 * k);
    }
    colors.needsUpdate = true;
  }

  private get material(): ReturnType<Shapes['material']> {
    return this.mesh.material as ReturnType<Shapes['material']>;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

export class Skin extends SmoothMesh {
  private readonly corners: Anchor[];

  constructor(look: SkinLook, shapes: Shapes) {
    super(look.vertices.length, look.triangles.flat(), look.color ?? COLOR, shapes);
    this.corners = look.vertices.map(({ body, point }) => ({ body, local: new Vector3(...point) }));
  }

  update(frames: Frames): void {
    this.put((k, out) => {
      const corner = this.corners[k];
      return corner === undefined ? out : frames.toWorld(corner.body, corner.local, out);
    });
  }

  /** The corner nearest to where a ray meets the surface: surfaces have no bodies of their own. */
  pick(ray: Raycaster): { body: number; distance: number; point: Vector3 } | null {
    const hit = ray.intersectObject(this.mesh, false)[0];
    if (hit?.face == null) return null;
    let best: { body: number; distance: number; point: Vector3 } | null = null;
    let least = Infinity;
    for (const k of [hit.face.a, hit.face.b, hit.face.c]) {
      const body = this.corners[k]?.body ?? null;
      const point = new Vector3().fromBufferAttribute(this.places, k);
      const away = point.distanceTo(hit.point);
      if (body !== null && away < least) {
        least = away;
        best = { body, distance: hit.distance, point };
      }
    }
    return best;
  }
}
