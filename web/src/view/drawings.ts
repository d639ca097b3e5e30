// Lines drawn on bodies. They are kept in the body's coordinates and moved by its map: a sheet deforms them.

import { Group, Matrix4, Vector3 } from 'three';
import type { Look } from '../engine/border';
import { layer } from './bodies';
import type { Brush } from './colours';
import { Segments } from './line';
import type { Frames } from './poses';

const IDENTITY = new Matrix4();

export class Drawings {
  readonly group = new Group();
  private readonly lines: { body: number; colour: string; segments: Segments }[] = [];
  private readonly map = new Float32Array(16);

  constructor(look: Look) {
    look.bodies.forEach((body, order) => {
      if (!body.enabled || body.drawing === undefined) return;
      // One line object for all strokes of a colour.
      const byColour = new Map<string, Vector3[][]>();
      for (const { points, colour } of body.drawing) {
        const strokes = byColour.get(colour ?? 'ink') ?? [];
        // Half a layer above the sheet.
        const height = layer(order + 0.5, look.extent);
        strokes.push(
          points.map(
            ([x, y, z]) => new Vector3(x, y, z + (!body.turns ? height : body.planar ? 0.016 * look.extent : 0)),
          ),
        );
        byColour.set(colour ?? 'ink', strokes);
      }
      for (const [colour, strokes] of byColour) this.add(order, colour, strokes);
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
    for (const { colour, segments } of this.lines) segments.colour = brush.colour(colour);
  }

  dispose(): void {
    for (const { segments } of this.lines) segments.dispose();
  }

  private add(body: number, colour: string, strokes: Vector3[][]): void {
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
    this.lines.push({ body, colour, segments });
  }
}
