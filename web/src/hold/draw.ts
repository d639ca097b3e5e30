// Press on a point of a body and draw: from then on the point follows the curve. Time stands while one draws.

import type { Vector3 } from 'three';
import * as actions from '../actions';
import { isExtended } from '../build/joints';
import type { BodyLook, Command, JointEntry, Look } from '../engine/border';
import * as state from '../state';
import type { Bench, Gesture } from './bench';
import { pathEntry, type Sample } from './path';
import { heldEntry } from './pull';
import { distance, NEAR } from './snap';

/** Hands and paths give way to joints: a path that cannot be followed tears nothing. */
const PRIORITY = 1;

export class Draw implements Gesture {
  readonly pointer: number;
  private readonly drawn: Sample[] = [];
  private readonly wasRunning = state.running.value;
  private readonly bodyName: string;
  private readonly local: Vector3;
  private body: number;

  constructor(
    private readonly bench: Bench,
    event: PointerEvent,
    body: number,
    point: Vector3,
  ) {
    this.pointer = event.pointerId;
    this.body = body;
    const own = bench.look?.bodies[body] as BodyLook;
    this.bodyName = own.name;
    this.local = bench.stage.toBody(body, point);
    if (own.planar) this.local.z = 0;
    if (!isExtended(own)) this.local.set(0, 0, 0);
    if (this.wasRunning) actions.run(false);
    this.add(event, bench.stage.worldOf(body, this.local));
  }

  move(event: PointerEvent): void {
    const last = this.drawn[this.drawn.length - 1];
    if (last === undefined) return;
    const flat = this.bench.look?.flat ?? false;
    const point = this.bench.stage.onPlane(event.clientX, event.clientY, last.point, flat);
    if (point !== null && point.distanceTo(last.point) > 0) this.add(event, point);
  }

  end(): void {
    const command = this.command();
    this.bench.marks.set('path', []);
    const made = command === null ? Promise.resolve(false) : actions.edit(command);
    void made.then(() => {
      if (this.wasRunning) actions.run(true);
    });
  }

  cancel(): void {
    this.bench.marks.set('path', []);
    if (this.wasRunning) actions.run(true);
  }

  update(): void {}

  relook(look: Look): boolean {
    this.body = look.bodies.findIndex(({ name }) => name === this.bodyName);
    return this.body >= 0;
  }

  forget(): void {
    this.cancel();
  }

  private add(event: PointerEvent, point: Vector3): void {
    this.drawn.push({ time: event.timeStamp / 1000, point });
    this.bench.marks.set('path', [{ type: 'line', points: this.drawn.map((sample) => sample.point), style: 'drawn' }]);
  }

  /** A new path takes the place of the one that the point had. */
  private command(): Command | null {
    const { bench, body } = this;
    const own = bench.look?.bodies[body];
    const time = state.certificate.value?.time_s;
    if (own === undefined || time === undefined || this.drawn.length < 4) return null;
    const start = bench.stage.worldOf(body, this.local);
    const pixel = bench.stage.project(start);
    const old = bench.catalog
      .tiesOf(body)
      .filter(({ type, ends }) => type === 'trajectory' && ends.some((end) => distance(bench.see(end), pixel) <= NEAR));
    const { x, y, z } = this.local;
    const join: JointEntry = {
      name: old[0]?.joint ?? actions.freeName(`path of ${own.name}`),
      type: 'trajectory',
      a: heldEntry(own, [x, y, z]),
      path: pathEntry(this.drawn, start, time, own.planar),
      priority: PRIORITY,
    };
    return { together: [...old.map(({ joint }) => ({ detach: joint })), { join }] };
  }
}
