// Draw a curve: a stroke of the hand becomes a spline, smooth and with few control points. Time stands while one draws.

import type { Vector3 } from 'three';
import * as actions from '../actions';
import { usualMass } from '../build/parts';
import { calm } from '../data';
import type { BodyEntry } from '../engine/border';
import { fitStroke, type Point } from '../spline';
import * as state from '../state';
import type { Bench } from './bench';
import { Drawn } from './drawn';
import { isClosed, resample } from './path';

/** Fewer points are a slip of the hand, not a drawing. */
const LEAST_POINTS = 6;
/** A stroke as so many points. */
const SAMPLES = 100;
/** A curve may be so far from the stroke, px: a hand is no steadier. */
const WITHIN = 3;
/** Over which part of its length a pull moves it, in worlds without momentum. */
const REACH = 0.15;

export class Stroke extends Drawn {
  private readonly wasRunning = state.running.value;

  constructor(bench: Bench, event: PointerEvent) {
    super(bench, event);
    if (this.wasRunning) actions.run(false);
  }

  protected get isFlat(): boolean {
    return this.bench.look?.flat ?? false;
  }

  protected make(): void {
    void this.add().then(() => this.goOn());
  }

  override cancel(): void {
    super.cancel();
    this.goOn();
  }

  private goOn(): void {
    if (this.wasRunning) actions.run(true);
  }

  /** One edit: one undo takes it back. */
  private async add(): Promise<void> {
    const { points: drawn } = this;
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
