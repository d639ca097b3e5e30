// Draw a curve: a stroke of the hand becomes a spline, smooth and with few control points. Time stands while one draws.

import type { Vector3 } from 'three';
import * as actions from '../actions';
import { usualMass } from '../build/parts';
import { calm, freeWord } from '../data';
import type { BodyEntry } from '../engine/border';
import { fitStroke, type Point } from '../spline';
import * as state from '../state';
import { Drawn } from './drawn';
import { isClosed, resample } from './path';

/** A stroke as so many points. */
const SAMPLES = 100;
/** A curve may be so far from the stroke, px: a hand is no steadier. */
const WITHIN = 3;
/** Over which part of its length a pull moves it, in worlds without momentum. */
const REACH = 0.15;

export class Stroke extends Drawn {
  /** One edit: one undo takes it back. */
  protected async make(): Promise<void> {
    const drawn = this.samples.map(({ point }) => point);
    const { look, stage } = this.bench;
    if (look === null) return;
    const closed = isClosed(drawn);
    const way = resample(closed ? [...drawn, drawn[0] as Vector3] : drawn, SAMPLES + (closed ? 1 : 0));
    const stroke = way.slice(0, SAMPLES).map(({ x, y, z }): Point => (look.flat ? [x, y] : [x, y, z]));
    const fitted = fitStroke(stroke, closed, WITHIN * stage.pixel(drawn[0] as Vector3));
    const length = way.reduce((sum, point, k) => sum + point.distanceTo(way[k - 1] ?? point), 0);
    const name = freeWord('spline');
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
  }
}
