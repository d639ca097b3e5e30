// The path of a point: its last places, as a line.

import { type Color, Vector3 } from 'three';
import { Segments } from './line';

const MOST = 1200;

export class Trace {
  private readonly segments = new Segments(MOST, 1.8);
  private readonly from = new Vector3();
  private readonly to = new Vector3();

  get line(): Segments['line'] {
    return this.segments.line;
  }

  get count(): number {
    return this.segments.count;
  }

  set color(color: Color) {
    this.segments.color = color;
  }

  /** From place to place of one trace in rows of so many: see `Tracer`. Nothing leads from what was there before. */
  go(rows: ArrayLike<number>, trace: number, of: number): void {
    const { segments, from, to } = this;
    for (let at = 3 * trace; at + 3 * of + 2 < rows.length; at += 3 * of) {
      from.fromArray(rows as number[], at);
      to.fromArray(rows as number[], at + 3 * of);
      // What stands still would push out what was drawn before.
      if (!(from.distanceToSquared(to) > 0)) continue;
      // Half of it at once: moving all at every step would cost more than the step.
      if (segments.count === MOST) segments.drop(MOST / 2);
      segments.set(segments.count, from, to);
    }
  }

  /** Where a segment starts and ends. */
  at(k: number): number[] {
    return this.segments.at(k);
  }

  dispose(): void {
    this.segments.dispose();
  }
}
