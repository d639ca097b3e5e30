// Where bodies touch: points of one size in the window, seen through what they lie between.

import { type Color, DynamicDrawUsage, InstancedMesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Vec3 } from '../engine/messages';
import type { Eye } from './eye';
import type { Shapes } from './shapes';

/** Half the width of a point, px. */
const RADIUS = 4;

export class Contacts {
  mesh: InstancedMesh | null = null;
  private points: readonly Vec3[] = [];
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly spot = new Vector3();

  constructor(
    private readonly shapes: Shapes,
    private readonly changed: (mesh: InstancedMesh, old: InstancedMesh | null) => void,
  ) {}

  set(points: readonly Vec3[]): void {
    this.points = points;
    if (points.length > 0) this.room(points.length);
    if (this.mesh === null) return;
    this.mesh.count = points.length;
    this.mesh.visible = points.length > 0;
  }

  paint(color: Color): void {
    this.material.color.copy(color);
  }

  /** Points keep their size in the window. */
  face(eye: Eye): void {
    const { mesh, points, spot } = this;
    if (mesh === null || points.length === 0) return;
    const out = mesh.instanceMatrix.array;
    points.forEach((point, k) => {
      spot.set(...point);
      const size = RADIUS * eye.pixel(spot);
      out.fill(0, 16 * k, 16 * k + 16);
      for (const at of [0, 5, 10]) out[16 * k + at] = size;
      spot.toArray(out, 16 * k + 12);
      out[16 * k + 15] = 1;
    });
    mesh.instanceMatrix.needsUpdate = true;
  }

  private room(n: number): void {
    const old = this.mesh;
    if (old !== null && old.instanceMatrix.count >= n) return;
    const most = 2 ** Math.ceil(Math.log2(Math.max(n, 16)));
    const mesh = new InstancedMesh(this.shapes.form('ball'), this.material, most);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.mesh = mesh;
    this.changed(mesh, old);
    old?.dispose();
  }
}
