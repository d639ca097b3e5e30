// Lines drawn on bodies. They are kept in the body's coordinates and moved by its map: a sheet deforms them.

import { Group, Matrix4, Vector3 } from 'three';
import type { Look } from '../engine/border';
import { layer } from './bodies';
import type { Brush } from './colors';
import { Segments } from './line';
import type { Frames } from './poses';

const IDENTITY = new Matrix4();

export class Drawings {
  readonly group = new Group();
  private readonly lines: { body: number; color: string; segments: Segments }[] = [];
  private readonly map = new Float32Array(16);

  constructor(look: Look) {
    look.bodies.forEach((body, order) => {
      if (!body.enabled || body.drawing === undefined) return;
      // One line object for all strokes of a color.
      const byColor = new Map<string, Vector3[][]>();
      for (const { points, color } of body.drawing) {
        const strokes = byColor.get(color ?? 'ink') ?? [];
        // Half a layer above the sheet.
        const height = layer(order + 0.5, look.extent);
        strokes.push(
          points.map(
            ([x, y, z]) => new Vector3(x, y, z + (!body.turns ? height : body.planar ? 0.016 * look.extent : 0)),
          ),
        );
        byColor.set(color ?? 'ink', strokes);
      }
      for (const [color, strokes] of byColor) this.add(order, color, strokes);
    });
  }

  update(frames: Frames): void {
    for (const { body, segments } of this.lines) {
      frames.write(body, IDENTITY, this.map, 0);
      segments.line.matrix.fromArray(this.map);
      segments.line.matrixWorldNeedsUpdate = true;
    }
  }

  paint(brush: Brush): void {
    for (const { color, segments } of this.lines) segments.color = brush.color(color);
  }

  dispose(): void {
    for (const { segments } of this.lines) segments.dispose();
  }

  private add(body: number, color: string, strokes: Vector3[][]): void {
    const n = strokes.reduce((sum, points) => sum + Math.max(points.length - 1, 0), 0);
    if (n === 0) return;
    const segments = new Segments(n, 2);
    for (const points of strokes) {
      for (let k = 0; k + 1 < points.length; k += 1) {
        segments.set(segments.count, points[k] as Vector3, points[k + 1] as Vector3);
      }
    }
    segments.line.matrixAutoUpdate = false;
    this.group.add(segments.line);
    this.lines.push({ body, color, segments });
  }
}
