// Press on nothing and draw: linkages are found whose coupler point follows the curve. Time goes on.

import { Vector3 } from 'three';
import * as actions from '../actions';
import type { Bench, Gesture } from './bench';

/** Linkages lie in the plane z = 0. */
const ORIGIN = new Vector3();
/** Fewer points are a slip of the hand, not a drawing. */
const LEAST_POINTS = 8;

export class Sketch implements Gesture {
  readonly pointer: number;
  private readonly drawn: Vector3[] = [];

  constructor(
    private readonly bench: Bench,
    event: PointerEvent,
  ) {
    this.pointer = event.pointerId;
    this.move(event);
  }

  move(event: PointerEvent): void {
    const point = this.bench.stage.onPlane(event.clientX, event.clientY, ORIGIN, true);
    const last = this.drawn.at(-1);
    if (point === null || (last !== undefined && point.distanceTo(last) === 0)) return;
    this.drawn.push(point);
    this.bench.marks.set('path', [{ type: 'line', points: this.drawn, style: 'drawn' }]);
  }

  end(): void {
    this.bench.marks.set('path', []);
    if (this.drawn.length >= LEAST_POINTS) actions.findLinkages(this.drawn.map(({ x, y }) => [x, y]));
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
