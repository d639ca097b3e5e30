// Draw a curve: a stroke of the hand becomes a spline, smooth and with few control points. Time stands while one draws.

import { Vector3 } from 'three';
import * as actions from '../actions';
import { usualMass } from '../build/parts';
import { calm } from '../data';
import type { BodyEntry } from '../engine/border';
import { fitStroke, type Point } from '../spline';
import * as state from '../state';
import type { Bench, Gesture } from './bench';
import { isClosed, resample } from './path';

const ORIGIN = new Vector3();
/** Fewer points are a slip of the hand, not a drawing. */
const LEAST_POINTS = 6;
/** A stroke as so many points. */
const SAMPLES = 100;
/** A curve may be so far from the stroke, px: a hand is no steadier. */
const WITHIN = 3;
/** Over which part of its length a pull moves it, in worlds without momentum. */
const REACH = 0.15;

export class Stroke implements Gesture {
  readonly pointer: number;
  private readonly drawn: Vector3[] = [];
  private readonly wasRunning = state.running.value;

  constructor(
    private readonly bench: Bench,
    event: PointerEvent,
  ) {
    this.pointer = event.pointerId;
    if (this.wasRunning) actions.run(false);
    this.move(event);
  }

  move(event: PointerEvent): void {
    const flat = this.bench.look?.flat ?? false;
    const through = this.drawn[0] ?? ORIGIN;
    const point = this.bench.stage.onPlane(event.clientX, event.clientY, through, flat);
    const last = this.drawn.at(-1);
    if (point === null || (last !== undefined && point.distanceTo(last) === 0)) return;
    this.drawn.push(point);
    this.bench.marks.set('path', [{ type: 'line', points: this.drawn, style: 'drawn' }]);
  }

  end(): void {
    this.bench.marks.set('path', []);
    void this.make().then(() => {
      if (this.wasRunning) actions.run(true);
    });
  }

  cancel(): void {
    this.bench.marks.set('path', []);
    if (this.wasRunning) actions.run(true);
  }

  update(): void {}

  relook(): boolean {
    return true;
  }

  forget(): void {
    this.cancel();
  }

  /** One edit: one undo takes it back. */
  private async make(): Promise<void> {
    const { drawn } = this;
    const { look, stage } = this.bench;
    if (look === null || drawn.length < LEAST_POINTS) return;
    const closed = isClosed(drawn);
    const way = resample(closed ? [...drawn, drawn[0] as Vector3] : drawn, SAMPLES + (closed ? 1 : 0));
    const stroke = way.slice(0, SAMPLES).map(({ x, y, z }): Point => (look.flat ? [x, y] : [x, y, z]));
    const fitted = fitStroke(stroke, closed, WITHIN * stage.pixel(drawn[0] as Vector3));
    const length = way.reduce((sum, point, k) => sum + point.distanceTo(way[k - 1] ?? point), 0);
    const name = actions.freeName('curve');
    const body = {
      name,
      type: 'spline',
      points: fitted.points,
      ...(closed ? { closed } : {}),
      mass: usualMass(look),
      reach: Number((REACH * length).toPrecision(2)),
    } as BodyEntry;
    if (!(await actions.edit({ together: [...(await calm()), { add_body: body }] }))) return;
    state.selection.value = { kind: 'body', name };
    state.drawnCurve.value = { name, points: fitted.points.length, error: fitted.error };
    state.tool.value = 'hold';
  }
}
