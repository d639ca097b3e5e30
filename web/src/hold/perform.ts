// Press on a point of a body and lead it while time runs: from then on it goes that way by itself. Time begins with the
// press, and goes back to where it began when the point is let go.

import { Vector3 } from 'three';
import * as actions from '../actions';
import type { BodyLook, Look, Track } from '../engine/border';
import * as state from '../state';
import { isSamePoint } from '../tracks';
import type { Hit } from '../view/stage';
import type { Bench } from './bench';
import { heldEntry, Pull } from './pull';
import { distance, NEAR } from './snap';

/** Hands and paths give way to joints: a path that cannot be followed tears nothing. */
const PRIORITY = 1;

export class Perform extends Pull {
  /** When the performance began, s; none before time runs. */
  private from: number | null = null;
  /** Takes of this point that acted until now. */
  private readonly instead: string[];
  private readonly begun: Promise<unknown>;

  constructor(bench: Bench, event: PointerEvent, body: number, hit: Hit, tracks: Track[]) {
    const look = bench.look as Look;
    const name = look.bodies[body]?.name;
    // A point that has a take already is led again.
    const known = tracks
      .filter((track) => track.body === name)
      .map((track) => ({ track, point: pointOf(bench, body, track) }))
      .find(({ point }) => distance(bench.stage.project(point), bench.stage.project(hit.point)) <= NEAR);
    super(bench, event, body, known === undefined ? hit : { ...hit, point: known.point });
    if (known !== undefined) this.local.set(...threeOf(known.track));
    const takes = known === undefined ? [] : tracks.filter((own) => isSamePoint(own, known.track));
    this.instead = takes.filter(({ enabled }) => enabled).map(({ name }) => name);
    this.begun = this.begin();
  }

  private async begin(): Promise<void> {
    // The hand would have to pull against them.
    const off = await Promise.all(this.instead.map((name) => actions.entry('joint', name)));
    if (off.length > 0)
      await actions.engine.apply({ together: off.map((entry) => ({ set_joint: { ...entry, enabled: false } })) });
    await actions.engine.ask({ type: 'run', running: true });
    this.from = state.certificate.value?.time_s ?? null;
  }

  override end(): void {
    const isLed = this.isMoved;
    super.cancel();
    void this.finish(isLed).catch(actions.say);
  }

  override cancel(): void {
    super.cancel();
    void this.finish(false).catch(actions.say);
  }

  /** Nothing is joined at the end. */
  protected override look(): void {}

  private async finish(isLed: boolean): Promise<void> {
    await this.begun;
    await actions.engine.ask({ type: 'run', running: false });
    const own = this.bench.look?.bodies[this.body];
    const until = state.certificate.value?.time_s;
    const again = this.instead.length > 0;
    if (!isLed || own === undefined || this.from === null || until === undefined) {
      if (again) await actions.engine.apply('undo');
      return;
    }
    const { x, y, z } = this.local;
    const performance = {
      name: actions.freeName(`take of ${own.name}`),
      of: heldEntry(own as BodyLook, [x, y, z]),
      from: this.from,
      until,
      keys_per_second: state.keysPerSecond.value,
      priority: PRIORITY,
      instead_of: this.instead,
    };
    await actions.engine.ask({ type: 'perform', performance, again });
  }
}

const threeOf = ({ point }: Track): [number, number, number] => [point?.[0] ?? 0, point?.[1] ?? 0, point?.[2] ?? 0];

const pointOf = (bench: Bench, body: number, track: Track): Vector3 =>
  bench.stage.worldOf(body, new Vector3(...threeOf(track)));
