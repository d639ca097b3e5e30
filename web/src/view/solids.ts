// Solids that deform: smooth surfaces over the points that the engine sends of them.

import { type Box3, Group, type Raycaster, Vector3 } from 'three';
import type { Look } from '../engine/border';
import { type Brush, bodyColor } from './colors';
import type { Frames } from './poses';
import type { Shapes } from './shapes';
import { SmoothMesh } from './skin';

/**
 * Two triangles for each step of latitude and longitude. The last point of a ring is where its first is; a sheet has
 * neither poles nor rings.
 */
export const ringTriangles = ([nu, nv]: readonly [number, number], sheet = false): number[] => {
  // A pole is one corner, that normals are smooth there.
  const round = (i: number, j: number): number => (i === 0 || i === nu ? 0 : j % nv);
  const corner = (i: number, j: number): number => i * (nv + 1) + (sheet ? j : round(i, j));
  const all: number[] = [];
  for (let i = 0; i < nu; i += 1)
    for (let j = 0; j < nv; j += 1) {
      const [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
      // At the poles one of the two has no area.
      if (i > 0 || sheet) all.push(a, b, c);
      if (i < nu - 1 || sheet) all.push(a, c, d);
    }
  return all;
};

class Solid extends SmoothMesh {
  constructor(
    readonly body: number,
    points: number,
    triangles: number[],
    color: string,
    shapes: Shapes,
  ) {
    super(points, triangles, color, shapes);
  }

  update(frames: Frames): void {
    this.put((k, out) => frames.point(this.body, k, out));
  }

  /** Where a ray meets it first. */
  pick(ray: Raycaster): { body: number; distance: number; point: Vector3 } | null {
    const hit = ray.intersectObject(this.mesh, false)[0];
    return hit === undefined ? null : { body: this.body, distance: hit.distance, point: hit.point };
  }
}

export class Solids {
  readonly group = new Group();
  private readonly solids: Solid[];
  private readonly spot = new Vector3();

  constructor(
    private readonly look: Look,
    private readonly frames: Frames,
    shapes: Shapes,
  ) {
    this.solids = look.bodies.flatMap(({ corners, rings, over, mesh, enabled, color }, body) => {
      const triangles = mesh?.triangles.flat() ?? (rings && ringTriangles(rings, over !== undefined));
      return triangles === undefined || corners === undefined || !enabled
        ? []
        : [new Solid(body, corners, triangles, color ?? bodyColor(body), shapes)];
    });
    for (const { mesh } of this.solids) this.group.add(mesh);
  }

  update(): void {
    for (const solid of this.solids) solid.update(this.frames);
  }

  paint(brush: Brush): void {
    for (const solid of this.solids) solid.paint(brush);
  }

  /** Colors them by numbers of their corners, in a range from zero on; or as they are. */
  shade(numbers: Float64Array | null, top: number): void {
    for (const solid of this.solids) solid.shade(numbers, this.frames.firstOf(solid.body), top);
  }

  /** The nearest that a ray meets, and where. */
  pick(ray: Raycaster): { body: number; distance: number; point: Vector3 } | null {
    let best: { body: number; distance: number; point: Vector3 } | null = null;
    for (const solid of this.solids) {
      const hit = solid.pick(ray);
      if (hit !== null && (best === null || hit.distance < best.distance)) best = hit;
    }
    return best;
  }

  /** Those that may be met beside a ray, as `SmoothMesh.isBeside` says. */
  beside(ray: Raycaster, slack: (center: Vector3) => number): Solid[] {
    return this.solids.filter((solid) => solid.isBeside(ray, slack));
  }

  /** Makes a box hold all of them. */
  bound(box: Box3): void {
    for (const { body } of this.solids) {
      const n = this.look.bodies[body]?.corners ?? 0;
      for (let k = 0; k < n; k += 1) box.expandByPoint(this.frames.point(body, k, this.spot));
    }
  }

  dispose(): void {
    for (const solid of this.solids) solid.dispose();
  }
}
