// The path of a point: its last places, as a line.

import { type Color, Vector3 } from 'three';
import { Segments } from './line';

const MOST = 1200;

export class Trace {
  private readonly segments = new Segments(MOST, 1.8);
  private readonly last = new Vector3();
  private isStarted = false;

  get line(): Segments['line'] {
    return this.segments.line;
  }

  get count(): number {
    return this.segments.count;
  }

  set colour(colour: Color) {
    this.segments.colour = colour;
  }

  add(point: Vector3): void {
    // Half of it at once: moving all at every step would cost more than the step.
    if (this.segments.count === MOST) this.segments.drop(MOST / 2);
    if (this.isStarted) this.segments.set(this.segments.count, this.last, point);
    this.last.copy(point);
    this.isStarted = true;
  }

  /** What comes next is not joined to what was there: time has jumped. */
  lift(): void {
    this.isStarted = false;
  }

  /** Where a segment starts and ends. */
  at(k: number): number[] {
    return this.segments.at(k);
  }

  dispose(): void {
    this.segments.dispose();
  }
}
