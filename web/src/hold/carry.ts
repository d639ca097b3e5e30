// A part that is carried from the palette to the stage: an outline until it is dropped, a body from then on.

import { Quaternion, Vector3 } from 'three';
import * as actions from '../actions';
import * as edits from '../build/edits';
import { jointLabel, type Meeting, type Side } from '../build/joints';
import {
  ANCHOR,
  bodyEntry,
  companions,
  halves,
  hasShape,
  isPlanar,
  niceBelow,
  outline,
  partPlaces,
  partTurn,
  partType,
  usualMass,
} from '../build/parts';
import { newCollides } from '../collide';
import type { BodyEntry, Command } from '../engine/border';
import type { AnyBody, Vec3 } from '../engine/messages';
import * as state from '../state';
import { nearestAxis, viewAxes } from './axis';
import type { Bench } from './bench';
import type { Mark } from './marks';
import { canJoin, distance, isContact, NEAR, nearestPair, type Pixel, type Seen, type Snap } from './snap';

/** The largest measure of a part, as a part of what is seen. */
const SIZE = 0.25;
/** How far above others it is put, as a part of its size. */
const GAP = 0.02;

export class Carry {
  private readonly planar: boolean;
  private readonly size: number;
  private readonly turn: Quaternion;
  private readonly axle: Vec3;
  private at = new Vector3();
  private snap: Snap | null = null;
  private isOver = false;

  constructor(
    private readonly bench: Bench,
    private readonly part: string,
  ) {
    const { look } = bench;
    const isSheet = part !== ANCHOR && partType(part, false).body?.planar === true;
    this.planar = isSheet || (look !== null && isPlanar(look));
    this.size = niceBelow(SIZE * bench.viewHeight());
    this.axle = look?.flat === true ? [0, 0, 1] : nearestAxis(viewAxes(bench.stage, this.at).into);
    const [w, x, y, z] = partTurn(part, this.planar, this.axle);
    this.turn = new Quaternion(x, y, z, w);
    bench.catalog.ask();
  }

  /** Over a place of the window: where the part would be, next to what it would be joined to, if that is wanted. */
  over(pixel: Pixel, isJoining = true): void {
    if (this.isOver) return;
    const { bench, part, size } = this;
    this.at = bench.onMiddle(pixel);
    this.snap = isJoining ? this.nearest(pixel) : null;
    if (this.snap !== null) this.at.add(this.snap.other.world).sub(this.snap.own.world);
    const marks: Mark[] = [
      { type: 'line', points: outline(part, size, this.planar).map((point) => this.place(point)), style: 'ghost' },
    ];
    if (part === ANCHOR) marks.push({ type: 'anchor', at: this.at });
    if (this.snap !== null) {
      marks.push({ type: 'ring', at: this.snap.other.world });
      marks.push({
        type: 'label',
        at: this.snap.other.world,
        text: jointLabel(this.meeting(this.snap, '')),
      });
    }
    bench.marks.set('carry', marks);
  }

  /** Whether it will collide. */
  get collides(): boolean {
    return this.part !== ANCHOR && newCollides(this.bench.look) && hasShape(this.part, this.planar);
  }

  /** Puts it on top of everything that is below or above where it is, if that is in the picture; else above it, so that
   * it falls on it. */
  raise(): void {
    const { stage } = this.bench;
    const [half, radius] = halves(this.part, this.size, this.planar, this.turn, stage.up);
    const lift = stage.topAround(this.at, radius) + half + GAP * this.size - stage.up.dot(this.at);
    if (!Number.isFinite(lift)) return;
    const on = this.at.clone().addScaledVector(stage.up, lift);
    const { left, right, top, bottom } = stage.canvas.getBoundingClientRect();
    const { x, y } = stage.project(on);
    const isSeen = x > left && x < right && y > top && y < bottom;
    if (isSeen || lift > 0) this.at.copy(on);
  }

  leave(): void {
    this.bench.marks.set('carry', []);
  }

  /** Nothing comes of it. */
  cancel(): void {
    this.isOver = true;
    this.leave();
  }

  /** The part joins the world, running or not. */
  async drop(): Promise<void> {
    const { bench, part, snap, isOver } = this;
    const { look } = bench;
    if (look === null || isOver) return;
    this.cancel();
    if (part === ANCHOR) {
      // What it holds may have moved on since it was last looked at.
      if (snap !== null) this.at.copy(bench.catalog.world(snap.other.spot));
      const add = { add_connector: { name: this.freeAnchor(), body: 'ground', point: this.at.toArray() } };
      if (snap === null) await actions.edit(add);
      else await edits.join(this.meeting(snap, ''), (joint) => [{ together: [add, joint] }]);
      return;
    }
    const name = actions.freeName(part);
    const more = companions(part, name, this.planar, bench.stage.up);
    const add: Command = { together: [{ add_body: this.entry(name) }, ...more] };
    const isAdded = await (snap === null
      ? actions.edit(add)
      : edits.join(this.meeting(snap, name), (joint) => [{ together: [add, joint] }]));
    if (isAdded) state.selection.value = { kind: 'body', name };
  }

  private place([x, y, z]: Vec3): Vector3 {
    return new Vector3(x, y, z).applyQuaternion(this.turn).add(this.at);
  }

  private nearest(hand: Pixel): Snap | null {
    const { bench, part, size, planar } = this;
    const { look } = bench;
    if (look === null) return null;
    if (part === ANCHOR) return this.held(hand);
    const own = partPlaces(part, size, planar).map((point): Seen => {
      const world = this.place(point);
      return { spot: { body: null, name: '', local: new Vector3(...point) }, world, ...bench.stage.project(world) };
    });
    const most = bench.depth();
    const others = bench.catalog.around(this.at, size + most).filter(({ body }) => canJoin(look, { planar }, body));
    const isBar = partType(part, planar).body?.x === 'bar';
    // Where things lie on each other they are not joined.
    const joins = (one: Seen, other: Seen): boolean =>
      !(this.collides && !isBar && one.spot.local.lengthSq() > 0 && isContact(look, other.spot));
    return nearestPair(
      own,
      others.map((spot) => bench.see(spot)),
      most,
      hand,
      joins,
    );
  }

  /** What an anchor would hold: the place of a body under the pointer, unless the ground holds it there already. */
  private held(hand: Pixel): Snap | null {
    const { bench, at } = this;
    const other = bench.spotAt(hand);
    const order = other.spot.body;
    const body = order === null ? undefined : bench.look?.bodies[order];
    if (order === null || body?.movable !== true || !body.enabled) return null;
    const isHeld = bench.catalog
      .tiesOf(order)
      .some(({ ends }) => ends.some((end) => end.body === null && distance(bench.see(end), other) <= NEAR));
    return isHeld ? null : { own: bench.see({ body: null, name: '', local: at.clone() }), other };
  }

  private entry(name: string): BodyEntry {
    const { look } = this.bench;
    const { part, at, planar, size, axle } = this;
    const mass = look === null ? 1 : usualMass(look);
    return bodyEntry(part, { name, at, planar, size, mass, axle, collide: newCollides(look) });
  }

  private meeting({ own, other }: Snap, name: string): Meeting {
    const { bench, part, planar, turn } = this;
    if (part === ANCHOR) {
      const ground = bench.side({ body: null, name, local: this.at });
      return bench.meeting(ground, bench.side(other.spot), 0, other.world);
    }
    const { type, mass }: AnyBody = this.entry(name);
    const { turns = true, deforms = false } = partType(part, planar).body ?? {};
    const body = { name, type, planar, turns, deforms, mass: mass ?? 0 };
    const b: Side = { body, point: own.spot.local, x: new Vector3(1, 0, 0).applyQuaternion(turn) };
    return bench.meeting(bench.side(other.spot), b, 0, other.world);
  }

  private freeAnchor(): string {
    let name = actions.freeName(ANCHOR);
    for (let k = 2; this.bench.catalog.isTaken(name); k += 1) name = `${ANCHOR} ${k}`;
    return name;
  }
}
