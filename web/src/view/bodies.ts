// Bodies: parts of equal shape in one mesh.

import { type BufferGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import type { Look, PartLook } from '../engine/border';
import { Batch } from './batch';
import { type Brush, bodyColor, keyOf } from './colors';
import type { Fixed } from './instances';
import type { Frames } from './poses';
import { formOf, ownGeometry, type Shapes } from './shapes';

/** Sheets lie in one plane: each is a little above the one before. */
export const layer = (order: number, extent: number): number => 4e-4 * extent * (order + 1);

const GROUND = '#9a9a94';

export class Bodies {
  private readonly batch: Batch;
  /** Geometries of meshes and sheets. */
  private readonly own: BufferGeometry[] = [];

  constructor(look: Look, shapes: Shapes) {
    this.batch = new Batch(shapes);
    for (const part of look.ground) this.add(part, null, { color: part.color ?? GROUND, key: 'ground' }, 0);
    look.bodies.forEach((body, order) => {
      if (!body.enabled) return;
      const key = keyOf({ kind: 'body', name: body.name });
      for (const part of body.parts) {
        const color = part.color ?? body.color ?? bodyColor(order);
        this.add(part, order, { color, key }, layer(order, look.extent));
      }
    });
    this.batch.finish(!shapes.low && !look.flat);
  }

  get group(): Batch['group'] {
    return this.batch.group;
  }

  get instances(): Batch['fixed'] {
    return this.batch.fixed;
  }

  update(frames: Frames): void {
    this.batch.update(frames);
  }

  paint(brush: Brush): void {
    this.batch.paint(brush);
  }

  dispose(): void {
    this.batch.dispose();
    for (const geometry of this.own) geometry.dispose();
  }

  private add(part: PartLook, body: number | null, seen: { color: string; key: string }, height: number): void {
    const { shape } = part;
    const known = formOf(shape);
    const [w, x, y, z] = part.quaternion;
    const position = new Vector3(...part.position);
    if (shape.type === 'quad') position.z += height;
    const scale = new Vector3(...(known?.scale ?? [1, 1, 1]));
    const local = new Matrix4().compose(position, new Quaternion(x, y, z, w), scale);
    const item: Fixed = { body, local, ...seen };
    if (known !== null) {
      this.batch.addForm(known.form, item);
      return;
    }
    const make = (): BufferGeometry => {
      const geometry = ownGeometry(shape);
      this.own.push(geometry);
      return geometry;
    };
    this.batch.add(JSON.stringify(shape), make, 'open', item);
  }
}
