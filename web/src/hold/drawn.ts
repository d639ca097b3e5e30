// A line that the hand draws, until it lets go.

import { Vector3 } from 'three';
import * as actions from '../actions';
import type { Look } from '../engine/border';
import * as state from '../state';
import type { Bench, Gesture } from './bench';
import type { Sample } from './path';

const ORIGIN = new Vector3();
/** Fewer points are a slip of the hand, not a drawing: the tool stays. */
const LEAST_POINTS = 6;

export abstract class Drawn implements Gesture {
  readonly pointer: number;
  protected readonly samples: Sample[] = [];
  private readonly wasRunning: boolean;

  /** It begins where the pointer is, or at a point. */
  constructor(
    protected readonly bench: Bench,
    event: PointerEvent,
    first: Vector3 | null = null,
  ) {
    this.pointer = event.pointerId;
    this.wasRunning = this.stands && state.running.value;
    if (this.wasRunning) actions.run(false);
    if (first === null) this.move(event);
    else this.add(event, first);
  }

  /** Whether it lies in the plane z = const; else in a plane before the eye. */
  protected get isFlat(): boolean {
    return this.bench.look?.flat ?? false;
  }

  /** Whether time stands while it is drawn. */
  protected get stands(): boolean {
    return true;
  }

  /** What is made of the line, which is not drawn any more. */
  protected abstract make(): Promise<unknown>;

  move(event: PointerEvent): void {
    const last = this.samples.at(-1)?.point;
    const point = this.bench.stage.onPlane(event.clientX, event.clientY, last ?? ORIGIN, this.isFlat);
    if (point !== null && (last === undefined || point.distanceTo(last) > 0)) this.add(event, point);
  }

  end(): void {
    this.bench.marks.set('path', []);
    if (this.samples.length < LEAST_POINTS) {
      this.goOn();
      return;
    }
    state.tool.value = 'hold';
    void this.make().then(() => this.goOn());
  }

  cancel(): void {
    this.bench.marks.set('path', []);
    this.goOn();
  }

  update(): void {}

  relook(_look: Look): boolean {
    return true;
  }

  forget(): void {
    this.cancel();
  }

  private add(event: PointerEvent, point: Vector3): void {
    this.samples.push({ time: event.timeStamp / 1000, point });
    this.bench.marks.set('path', [{ type: 'line', points: this.samples.map((own) => own.point), style: 'drawn' }]);
  }

  private goOn(): void {
    if (this.wasRunning) actions.run(true);
  }
}
