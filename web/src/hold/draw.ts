// Press on a point of a body and draw: from then on the point follows the curve. Time stands while one draws.

import type { Vector3 } from 'three';
import * as actions from '../actions';
import { isExtended } from '../build/joints';
import type { BodyLook, Command, JointEntry, Look } from '../engine/border';
import * as state from '../state';
import type { Bench } from './bench';
import { Drawn } from './drawn';
import { pathEntry } from './path';
import { heldEntry } from './pull';
import { distance, NEAR } from './snap';

/** Hands and paths give way to joints: a path that cannot be followed tears nothing. */
const PRIORITY = 1;

/** A point of a body, in its axes: of what has no extent, its middle. */
const localOf = (bench: Bench, body: number, point: Vector3): Vector3 => {
  const own = bench.look?.bodies[body] as BodyLook;
  const local = bench.stage.toBody(body, point);
  if (own.planar) local.z = 0;
  return isExtended(own) ? local : local.set(0, 0, 0);
};

export class Draw extends Drawn {
  private readonly bodyName: string;
  private readonly local: Vector3;

  constructor(
    bench: Bench,
    event: PointerEvent,
    private body: number,
    point: Vector3,
  ) {
    const local = localOf(bench, body, point);
    super(bench, event, bench.stage.worldOf(body, local));
    this.local = local;
    this.bodyName = bench.look?.bodies[body]?.name ?? '';
  }

  protected async make(): Promise<void> {
    const command = this.command();
    if (command !== null) await actions.edit(command);
  }

  override relook(look: Look): boolean {
    this.body = look.bodies.findIndex(({ name }) => name === this.bodyName);
    return this.body >= 0;
  }

  /** A new path takes the place of the one that the point had. */
  private command(): Command | null {
    const { bench, body } = this;
    const own = bench.look?.bodies[body];
    const time = state.certificate.value?.time_s;
    if (own === undefined || time === undefined) return null;
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
      path: pathEntry(this.samples, start, time, own.planar),
      priority: PRIORITY,
    };
    return { together: [...old.map(({ joint }) => ({ detach: joint })), { join }] };
  }
}
