// A smooth surface whose corners are points of bodies.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, type Raycaster, Vector3 } from 'three';
import type { SkinLook } from '../engine/border';
import type { Brush } from './colours';
import type { Anchor } from './instances';
import type { Frames } from './poses';
import type { Shapes } from './shapes';

const COLOUR = '#c9a66b';
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

export class Skin {
  readonly mesh: Mesh;
  private readonly corners: Anchor[];
  private readonly triangles: number[];
  private readonly places: BufferAttribute;
  private readonly normals: BufferAttribute;

  constructor(
    private readonly look: SkinLook,
    shapes: Shapes,
  ) {
    this.corners = look.vertices.map(({ body, point }) => ({ body, local: new Vector3(...point) }));
    this.triangles = look.triangles.flat();
    const n = 3 * this.corners.length;
    this.places = new BufferAttribute(new Float32Array(n), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(n), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('normal', this.normals);
    geometry.setIndex(this.triangles);
    this.mesh = new Mesh(geometry, shapes.material('open').clone());
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !shapes.low;
    this.mesh.receiveShadow = !shapes.low;
  }

  update(frames: Frames): void {
    const places = this.places.array as Float32Array;
    for (const [k, { body, local }] of this.corners.entries()) {
      frames.toWorld(body, local, spot).toArray(places, 3 * k);
    }
    smoothNormals(places, this.triangles, this.normals.array as Float32Array);
    this.places.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  paint(brush: Brush): void {
    const material = this.mesh.material as ReturnType<Shapes['material']>;
    material.color.copy(brush.colour(this.look.colour ?? COLOUR));
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

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as ReturnType<Shapes['material']>).dispose();
  }
}
