// Forces as arrows. How long they are follows the largest force, quickly when it grows and slowly when it fades.

import { Color, DynamicDrawUsage, InstancedMesh, Vector3 } from 'three';
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

  /** Sees the largest force of this moment. */
  see(largest: number): void {
    if (!Number.isFinite(largest)) return;
    if (this.reference === 0) this.reference = largest;
    const share = largest > this.reference ? 0.35 : 0.01;
    this.reference += share * (largest - this.reference);
  }

  /** Proportional to the force, up to half as much again as the largest; nothing for what would not be seen. */
  length(force: number): number {
    if (this.reference === 0 || !Number.isFinite(force)) return 0;
    const part = force / this.reference;
    return part < 0.01 ? 0 : Math.min(part, 1.5);
  }
}

const [from, to] = [new Vector3(), new Vector3()];

export class Arrows {
  mesh: InstancedMesh | null = null;
  private scale = new ForceScale();
  private readonly colour = new Color();

  constructor(
    private readonly shapes: Shapes,
    private readonly changed: (mesh: InstancedMesh, old: InstancedMesh | null) => void,
  ) {}

  /** `longest` is the length of the largest arrow, m. */
  set(arrows: readonly Arrow[], longest: number): void {
    this.scale.see(arrows.reduce((most, { force }) => Math.max(most, Math.hypot(...force)), 0));
    const mesh = this.room(arrows.length);
    const out = mesh.instanceMatrix.array as Float32Array;
    arrows.forEach(({ point, force }, k) => {
      from.set(...point);
      to.set(...force);
      const size = to.length();
      const length = longest * this.scale.length(size);
      // A short arrow is thin too, else it is only a head.
      to.multiplyScalar(size === 0 ? 0 : length / size).add(from);
      stretch(from, to, Math.min(0.055 * longest, 0.28 * length), out, 16 * k);
    });
    mesh.count = arrows.length;
    mesh.instanceMatrix.needsUpdate = true;
    mesh.visible = arrows.length > 0;
  }

  paint(colour: Color): void {
    this.colour.copy(colour);
    const { mesh } = this;
    if (mesh === null) return;
    for (let k = 0; k < mesh.instanceMatrix.count; k += 1) mesh.setColorAt(k, colour);
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }

  /** What comes next is another scene's: its forces have a scale of their own. */
  hide(): void {
    if (this.mesh !== null) this.mesh.visible = false;
    this.scale = new ForceScale();
  }

  private room(n: number): InstancedMesh {
    const old = this.mesh;
    if (old !== null && old.instanceMatrix.count >= n) return old;
    const most = 2 ** Math.ceil(Math.log2(Math.max(n, 16)));
    const mesh = new InstancedMesh(this.shapes.form('arrow'), this.shapes.material('solid'), most);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.mesh = mesh;
    this.paint(this.colour);
    this.changed(mesh, old);
    old?.dispose();
    return mesh;
  }
}
