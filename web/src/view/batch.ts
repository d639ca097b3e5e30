// Gathers what has the same shape and finish, so that it is drawn at once.

import { type BufferGeometry, Group } from 'three';
import type { Brush } from './colors';
import { type Fixed, FixedInstances, type Stretched, StretchedInstances } from './instances';
import type { Frames } from './poses';
import type { Finish, Form, Shapes } from './shapes';

export class Batch {
  readonly group = new Group();
  fixed: FixedInstances[] = [];
  private stretched: StretchedInstances[] = [];
  private readonly fixedItems = new Map<string, { geometry: BufferGeometry; finish: Finish; items: Fixed[] }>();
  private readonly stretchedItems = new Map<Form, Stretched[]>();

  constructor(private readonly shapes: Shapes) {}

  addForm(form: Form, item: Fixed): void {
    this.add(form, () => this.shapes.form(form), form === 'socket' ? 'open' : 'solid', item);
  }

  /** Things of one key share the geometry that the first of them makes. */
  add(key: string, make: () => BufferGeometry, finish: Finish, item: Fixed): void {
    const known = this.fixedItems.get(key);
    if (known === undefined) this.fixedItems.set(key, { geometry: make(), finish, items: [item] });
    else known.items.push(item);
  }

  addLink(form: Form, item: Stretched): void {
    const known = this.stretchedItems.get(form);
    if (known === undefined) this.stretchedItems.set(form, [item]);
    else known.push(item);
  }

  /** Makes the meshes; nothing can be added afterwards. */
  finish(shadows: boolean): void {
    for (const { geometry, finish, items } of this.fixedItems.values()) {
      this.fixed.push(new FixedInstances(geometry, this.shapes.material(finish), items));
    }
    for (const [form, items] of this.stretchedItems) {
      this.stretched.push(new StretchedInstances(this.shapes.form(form), this.shapes.material('solid'), items));
    }
    for (const { mesh } of this.all()) {
      mesh.castShadow = shadows;
      mesh.receiveShadow = shadows;
      this.group.add(mesh);
    }
  }

  update(frames: Frames): void {
    for (const instances of this.fixed) instances.update(frames);
    for (const instances of this.stretched) instances.update(frames);
  }

  paint(brush: Brush): void {
    for (const instances of this.all()) instances.paint(brush.paint);
  }

  dispose(): void {
    for (const instances of this.all()) instances.dispose();
  }

  private all(): (FixedInstances | StretchedInstances)[] {
    return [...this.fixed, ...this.stretched];
  }
}
