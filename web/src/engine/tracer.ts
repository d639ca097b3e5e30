// Where points have been whose path is drawn: at every step, though pictures are fewer.

import { moved, movedBack } from '../affine';
import type { Look } from './border';
import type { Vec3 } from './messages';

/** Whoever knows where bodies are. */
interface Source {
  poses(): Float64Array;
  posesInto(target: Float64Array): boolean;
}

export class Tracer {
  private points: { body: number | null; local: Vec3 }[] = [];
  private poses: Float64Array = new Float64Array();
  private rows: number[] = [];

  /** The traces of a scene that was opened or edited. */
  show(look: Look, poses: Float64Array): void {
    if (look.traces.length !== this.points.length) this.rows = [];
    this.points = look.traces.map(({ at: { body, point } }) => ({
      body,
      local: body === null ? point : movedBack(poses, body, point),
    }));
  }

  /** A step. The first since the last picture begins with where points are before it: if they were moved in between,
   * by an edit, a hand or back in time, nothing leads there. */
  during(from: Source, step: () => void): void {
    if (this.points.length > 0 && this.rows.length === 0) this.see(from);
    step();
    if (this.points.length > 0) this.see(from);
  }

  /** Rows since the last call, of three numbers for each trace: one for each step, and one from where they set out. */
  take(): Float64Array | null {
    const { rows } = this;
    if (rows.length === 0) return null;
    this.rows = [];
    return new Float64Array(rows);
  }

  private see(from: Source): void {
    if (!from.posesInto(this.poses)) this.poses = from.poses();
    for (const { body, local } of this.points) {
      this.rows.push(...(body === null ? local : moved(this.poses, body, local)));
    }
  }
}
