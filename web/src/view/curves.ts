// Curves: lines through the points that the engine sends of them.

import { type Box3, Group, Vector3 } from 'three';
import type { Look } from '../engine/border';
import { layer } from './bodies';
import { type Brush, bodyColor } from './colors';
import { Segments } from './line';
import { type CornerShape, type CurveShape, type Frames, ROUND } from './poses';

/** How wide a curve is drawn, px. */
const WIDTH = 3;

/** The curves of a scene by body. */
export const curvesOf = (look: Look): Map<number, CurveShape> =>
  new Map(
    look.bodies.flatMap(({ corners, curve }, body) =>
      corners === undefined || curve === undefined ? [] : [[body, { points: corners, range: curve }] as const],
    ),
  );

/** What sends points of its own, by body. */
export const cornersOf = (look: Look): Map<number, CornerShape> => {
  const curves = curvesOf(look);
  return new Map(
    look.bodies.flatMap(({ corners, rings, over, mesh }, body): [number, CornerShape][] => {
      const points = corners ?? 0;
      const surface = rings === undefined ? curves.get(body) : { points, rings, over: over ?? ROUND };
      const shape = mesh === undefined ? surface : { points, mesh };
      return shape === undefined ? [] : [[body, shape]];
    }),
  );
};

export class Curves {
  readonly group = new Group();
  private readonly lines: { body: number; points: number; lift: number; color: string; segments: Segments }[] = [];
  private readonly from = new Vector3();
  private readonly to = new Vector3();

  constructor(
    look: Look,
    private readonly frames: Frames,
  ) {
    for (const [body, { points }] of curvesOf(look)) {
      const own = look.bodies[body];
      if (own?.enabled !== true || points < 2) continue;
      const segments = new Segments(points - 1, WIDTH);
      this.group.add(segments.line);
      const lift = own.planar ? layer(body, look.extent) : 0;
      this.lines.push({ body, points, lift, color: own.color ?? bodyColor(body), segments });
    }
  }

  update(): void {
    const { frames, from, to } = this;
    for (const { body, points, lift, segments } of this.lines) {
      frames.point(body, 0, from).z += lift;
      for (let k = 1; k < points; k += 1) {
        frames.point(body, k, to).z += lift;
        segments.set(k - 1, from, to);
        from.copy(to);
      }
    }
  }

  /** The movable curve nearest to a place of the window, within so many pixels. */
  pick(look: Look, away: (point: Vector3) => number, within: number): { body: number; point: Vector3 } | null {
    let best: { body: number; u: number } | null = null;
    let least = within;
    for (const { body } of this.lines) {
      if (look.bodies[body]?.movable !== true) continue;
      const found = this.frames.nearest(body, away);
      if (found.away > least) continue;
      best = { body, u: found.u };
      least = found.away;
    }
    if (best === null) return null;
    return { body: best.body, point: this.frames.toWorld(best.body, new Vector3(best.u, 0, 0), new Vector3()) };
  }

  /** Makes a box hold all curves. */
  bound(box: Box3): void {
    for (const { body, points } of this.lines)
      for (let k = 0; k < points; k += 1) box.expandByPoint(this.frames.point(body, k, this.from));
  }

  paint(brush: Brush): void {
    for (const { color, segments } of this.lines) segments.color = brush.color(color);
  }

  dispose(): void {
    for (const { segments } of this.lines) segments.dispose();
  }
}
