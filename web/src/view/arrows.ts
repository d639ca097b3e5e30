// Forces as arrows. How long they are follows the largest force, quickly when it grows and slowly when it fades. A blow
// lasts one moment, and does not count.

import { Color, DynamicDrawUsage, InstancedMesh, type Material, Vector3 } from 'three';
import type { Vec3 } from '../engine/messages';
import { stretch } from './instances';
import type { Shapes } from './shapes';

export interface Arrow {
  point: Vec3;
  /** N. */
  force: Vec3;
}

/** Lengths of arrows, as parts of the longest. */
export class ForceScale {
  private reference = 0;
  private last = Infinity;

  /** Sees the largest force of this moment. */
  see(largest: number): void {
    if (!Number.isFinite(largest)) return;
    const lasting = Math.min(largest, this.last);
    this.last = largest;
    if (this.reference === 0) this.reference = lasting;
    const share = lasting > this.reference ? 0.35 : 0.01;
    this.reference += share * (lasting - this.reference);
  }

  /** Proportional to the force, up to half as much again as the largest; nothing for what would not be seen. */
  length(force: number): number {
    if (this.reference === 0 || !Number.isFinite(force)) return 0;
    const part = force / this.reference;
    return part < 0.01 ? 0 : Math.min(part, 1.5);
  }
}

/** The size of the largest of some forces, N. */
export const largestOf = (arrows: readonly Arrow[]): number =>
  arrows.reduce((most, { force }) => Math.max(most, Math.hypot(...force)), 0);

const [from, to] = [new Vector3(), new Vector3()];

export class Arrows {
  mesh: InstancedMesh | null = null;
  private readonly color = new Color();

  constructor(
    private readonly shapes: Shapes,
    private readonly changed: (mesh: InstancedMesh, old: InstancedMesh | null) => void,
    /** Where bodies touch, arrows lie inside them: those are seen through them. */
    private readonly material: Material = shapes.material('solid'),
  ) {}

  /** `longest` is the length of the largest arrow, m. */
  set(arrows: readonly Arrow[], longest: number, scale: ForceScale): void {
    if (arrows.length === 0) {
      this.hide();
      return;
    }
    const mesh = this.room(arrows.length);
    const out = mesh.instanceMatrix.array as Float32Array;
    arrows.forEach(({ point, force }, k) => {
      from.set(...point);
      to.set(...force);
      const size = to.length();
      const length = longest * scale.length(size);
      // A short arrow is thin too, else it is only a head.
      to.multiplyScalar(size === 0 ? 0 : length / size).add(from);
      stretch(from, to, Math.min(0.055 * longest, 0.28 * length), out, 16 * k);
    });
    mesh.count = arrows.length;
    mesh.instanceMatrix.needsUpdate = true;
    mesh.visible = true;
  }

  paint(color: Color): void {
    this.color.copy(color);
    const { mesh } = this;
    if (mesh === null) return;
    for (let k = 0; k < mesh.instanceMatrix.count; k += 1) mesh.setColorAt(k, color);
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }

  hide(): void {
    if (this.mesh !== null) this.mesh.visible = false;
  }

  private room(n: number): InstancedMesh {
    const old = this.mesh;
    if (old !== null && old.instanceMatrix.count >= n) return old;
    const most = 2 ** Math.ceil(Math.log2(Math.max(n, 16)));
    const mesh = new InstancedMesh(this.shapes.form('arrow'), this.material, most);
    mesh.renderOrder = this.material.depthTest ? 0 : 2;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.mesh = mesh;
    this.paint(this.color);
    this.changed(mesh, old);
    old?.dispose();
    return mesh;
  }
}
