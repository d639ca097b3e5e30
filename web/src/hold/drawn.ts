// A line that the hand draws, until it lets go.

import { Vector3 } from 'three';
import type { Bench, Gesture } from './bench';

const ORIGIN = new Vector3();

export abstract class Drawn implements Gesture {
  readonly pointer: number;
  protected readonly points: Vector3[] = [];

  constructor(
    protected readonly bench: Bench,
    event: PointerEvent,
  ) {
    this.pointer = event.pointerId;
    this.move(event);
  }

  /** Whether it lies in the plane z = 0; else in a plane before the eye. */
  protected abstract get isFlat(): boolean;

  /** What is made of the line, which is not drawn any more. */
  protected abstract make(): void;

  move(event: PointerEvent): void {
    const point = this.bench.stage.onPlane(event.clientX, event.clientY, this.points[0] ?? ORIGIN, this.isFlat);
    const last = this.points.at(-1);
    if (point === null || (last !== undefined && point.distanceTo(last) === 0)) return;
    this.points.push(point);
    this.bench.marks.set('path', [{ type: 'line', points: this.points, style: 'drawn' }]);
  }

  end(): void {
    this.bench.marks.set('path', []);
    this.make();
  }

  cancel(): void {
    this.bench.marks.set('path', []);
  }

  update(): void {}

  relook(): boolean {
    return true;
  }

  forget(): void {
    this.cancel();
  }
}
