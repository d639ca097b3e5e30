// A line a pixel wide in the middle of whatever is long and thin: far away, where a rod is narrower than a pixel
// and would vanish, its wire is still seen; near by it is inside the rod.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Quaternion,
  Vector3,
} from 'three';
import type { Look } from '../engine/border';
import { type Brush, bodyColor, keyOf } from './colors';
import type { Frames } from './poses';
import { dimensions } from './shapes';

interface Wire {
  body: number;
  ends: [Vector3, Vector3];
  color: string;
  key: string;
}

const spot = new Vector3();
const color = new Color();

export class Wires {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly wires: Wire[] = [];
  private readonly places: BufferAttribute;
  private readonly colors: BufferAttribute;

  constructor(look: Look) {
    look.bodies.forEach((body, order) => {
      if (!body.enabled) return;
      for (const part of body.parts) {
        const { thickness, length } = dimensions(part.shape);
        const isThin = thickness < 0.01 * look.extent && length > 5 * thickness;
        if (!isThin || (part.shape.type !== 'cylinder' && part.shape.type !== 'box')) continue;
        const edges = part.shape.type === 'box' ? part.shape.size : [part.shape.length, 0, 0];
        const half = new Vector3().setComponent(edges.indexOf(Math.max(...edges)), 0.5 * length);
        const [w, x, y, z] = part.quaternion;
        half.applyQuaternion(new Quaternion(x, y, z, w));
        const middle = new Vector3(...part.position);
        this.wires.push({
          body: order,
          ends: [middle.clone().sub(half), middle.clone().add(half)],
          color: part.color ?? body.color ?? bodyColor(order),
          key: keyOf({ kind: 'body', name: body.name }),
        });
      }
    });
    this.places = new BufferAttribute(new Float32Array(6 * this.wires.length), 3).setUsage(DynamicDrawUsage);
    this.colors = new BufferAttribute(new Float32Array(6 * this.wires.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('color', this.colors);
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    this.lines.frustumCulled = false;
    this.lines.visible = this.wires.length > 0;
  }

  update(frames: Frames): void {
    for (let k = 0; k < this.wires.length; k += 1) {
      const { body, ends } = this.wires[k] as Wire;
      frames.toWorld(body, ends[0], spot).toArray(this.places.array, 6 * k);
      frames.toWorld(body, ends[1], spot).toArray(this.places.array, 6 * k + 3);
    }
    this.places.needsUpdate = true;
  }

  paint(brush: Brush): void {
    this.wires.forEach((wire, k) => {
      brush.paint(wire, color).toArray(this.colors.array, 6 * k);
      color.toArray(this.colors.array, 6 * k + 3);
    });
    this.colors.needsUpdate = true;
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
