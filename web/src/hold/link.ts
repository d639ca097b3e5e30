// Press on one place and release on another: a spring or a damper between them. Press on a hinge: a motor.

import * as actions from '../actions';
import { jointEntry } from '../build/joints';
import type { Look } from '../engine/border';
import { glyphOf, type Offered } from '../engine/catalogue';
import type { AnyJoint } from '../engine/messages';
import { drivenAt, driverOf } from '../panel/types';
import * as state from '../state';
import type { Bench, Gesture } from './bench';
import { distance, type Pixel, type Seen } from './snap';

/** How far from a hinge one may press, px. */
const NEAR_HINGE = 24;

export class Link implements Gesture {
  readonly pointer: number;
  private readonly from: Seen;
  private to: Seen;

  constructor(
    private readonly bench: Bench,
    event: PointerEvent,
    private readonly made: Offered,
  ) {
    this.pointer = event.pointerId;
    bench.catalog.ask();
    this.from = bench.spotAt({ x: event.clientX, y: event.clientY });
    this.to = this.from;
    this.show();
  }

  move(event: PointerEvent): void {
    this.to = this.bench.spotAt({ x: event.clientX, y: event.clientY });
    this.show();
  }

  end(): void {
    const { bench, from, to, made } = this;
    this.cancel();
    if (from.spot.body === to.spot.body) {
      actions.say(`A ${made.offer.name} joins two bodies, or a body and the ground: release on another one.`);
      return;
    }
    const gap = bench.catalog.world(from.spot).distanceTo(bench.catalog.world(to.spot));
    const meeting = bench.meeting(bench.side(from.spot), bench.side(to.spot), gap, to.world);
    const name = actions.freeName(made.offer.name);
    void actions.edit({ join: jointEntry(made.type.word, name, meeting, false, made.offer) }).then((isMade) => {
      if (isMade) state.selection.value = { kind: 'joint', name };
    });
  }

  cancel(): void {
    this.bench.marks.set('link', []);
  }

  update(): void {
    this.show();
  }

  relook(look: Look): boolean {
    const isThere = ({ spot }: Seen): boolean => spot.body === null || look.bodies[spot.body] !== undefined;
    return isThere(this.from) && isThere(this.to);
  }

  forget(): void {
    this.cancel();
  }

  private show(): void {
    const { marks, catalog } = this.bench;
    const [from, to] = [catalog.world(this.from.spot), catalog.world(this.to.spot)];
    marks.set('link', [
      { type: 'ring', at: from },
      { type: 'ring', at: to },
      { type: 'line', points: [from, to], style: 'rubber' },
    ]);
  }
}

/** A new motor turns a hinge by a quarter of a turn in a second. */
const SPEED = Math.PI / 2;

/** Gives the hinge under the pointer a motor. */
export const addMotor = (bench: Bench, pixel: Pixel, { offer }: Offered): void => {
  const hinges = bench.catalog.ties
    .filter((tie) => glyphOf('joint', tie.type).bearing && driverOf({ type: tie.type as AnyJoint['type'] }) !== null)
    .flatMap((tie) => tie.ends.map((end) => ({ tie, away: distance(bench.see(end), pixel) })))
    .sort((a, b) => a.away - b.away);
  const [hinge] = hinges;
  if (hinge === undefined || hinge.away > NEAR_HINGE) {
    actions.say(`A ${offer.name} turns a hinge: press on one.`);
    return;
  }
  const name = hinge.tie.joint;
  const select = (): void => {
    state.selection.value = { kind: 'joint', name };
  };
  void actions
    .entry('joint', name)
    .then(async (entry) => {
      const set_joint = drivenAt(entry, SPEED);
      const isThere = 'motor' in entry && entry.motor !== undefined;
      if (isThere || set_joint === null || (await actions.edit({ set_joint }))) select();
    })
    .catch(actions.say);
};
