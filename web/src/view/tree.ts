// The spanning tree over the picture (Faure 1999, fig. 2): from each body over its joint to the body that the joint
// holds, from root to leaves. It is seen through what is in front of it.

import { Group, MeshBasicMaterial, Vector3 } from 'three';
import type { JointLook, Look } from '../engine/border';
import { type Brush, TREE } from './colors';
import { type Anchor, type Stretched, StretchedInstances } from './instances';
import type { Frames } from './poses';
import type { Shapes } from './shapes';

/** The body on the other side of a joint than the one it holds. */
const parentOf = ({ ends, holds }: JointLook): number | null => ends.find(({ body }) => body !== holds)?.body ?? null;

export interface Branches {
  arrows: Stretched[];
  stems: Stretched[];
}

/** An arrow from each joint to the body that it holds, and a stem to it from where that hangs. `frames` are those
 * of the look. */
export const branchesOf = (look: Look, frames: Frames): Branches => {
  const [arrows, stems]: [Stretched[], Stretched[]] = [[], []];
  const middle = (body: number): Anchor => ({ body, local: new Vector3() });
  for (const joint of look.joints) {
    const { holds, ends } = joint;
    const end = ends.find(({ body }) => body === holds);
    if (holds === undefined || end === undefined) continue;
    const local = new Vector3(...end.point);
    const at: Anchor = { body: holds, local: frames.toBody(holds, local, local) };
    const of = { color: TREE, key: 'tree' };
    arrows.push({ ...of, from: at, to: middle(holds), radius: 0.018 * look.extent });
    const parent = parentOf(joint);
    if (parent !== null) stems.push({ ...of, from: middle(parent), to: at, radius: 0.003 * look.extent });
  }
  return { arrows, stems };
};

export class TreeArrows {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 });
  private readonly parts: StretchedInstances[];

  constructor({ arrows, stems }: Branches, shapes: Shapes) {
    this.parts = [
      new StretchedInstances(shapes.form('arrow'), this.material, arrows),
      new StretchedInstances(shapes.form('bar'), this.material, stems),
    ];
    for (const { mesh } of this.parts) {
      mesh.renderOrder = 1;
      this.group.add(mesh);
    }
  }

  update(frames: Frames): void {
    for (const part of this.parts) part.update(frames);
  }

  paint(brush: Brush): void {
    for (const part of this.parts) part.paint(brush.paint);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.material.dispose();
  }
}
