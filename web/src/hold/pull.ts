// Press on a body and pull: a hand of the engine under the pointer, which joins what it brings together.

import { type Quaternion, Vector3 } from 'three';
import * as edits from '../build/edits';
import { isExtended, jointLabel, type Meeting } from '../build/joints';
import type { BodyLook, Command, ConnectorEntry, DragEntry, Look } from '../engine/border';
import type { Vec3 } from '../engine/messages';
import type { Drag, Grip, Target } from '../state';
import * as state from '../state';
import type { Hit } from '../view/stage';
import { AXES, viewAxes } from './axis';
import type { Bench, Gesture } from './bench';
import type { Mark } from './marks';
import { distance, offered, type Pixel, type Snap } from './snap';
import { rollBy, turnBy } from './turn';

/** How fast a pull by force answers, rad/s. */
const PULL = 12;
/** A press that moves less is a click, px. */
export const CLICK = 4;
/** A hand that was not moved for so long rests, ms. */
const REST = 250;

/** How a hand holds. A spring is as stiff as everything that moves is heavy, and nearly critically damped. */
export const dragEntry = (drag: Drag, look: Look): DragEntry => {
  if (drag !== 'force') return { type: drag };
  const mass = look.bodies.reduce((sum, body) => sum + body.mass, 0);
  return { type: 'force', stiffness: mass * PULL * PULL, damping: 1.4 * mass * PULL };
};

/** A name that no body has. */
export const freeName = (look: Look): string => {
  const taken = new Set(look.bodies.map((body) => body.name));
  let name = 'pointer';
  for (let k = 2; taken.has(name); k += 1) name = `pointer ${k}`;
  return name;
};

/** The point or frame of a body that is held, in the words of a file. */
export const heldEntry = (body: BodyLook, [x, y, z]: Vec3, grip: Grip = 'point'): ConnectorEntry => {
  if (body.curve !== undefined) return { body: body.name, curve: x };
  if (body.rings !== undefined)
    return { body: body.name, surface: [x, y], ...(grip === 'point' || !body.turns ? {} : { framed: true }) };
  if (!isExtended(body)) return { body: body.name };
  const point = { body: body.name, point: body.planar ? [x, y] : [x, y, z] };
  if (grip === 'point' || !body.turns) return point;
  return body.planar ? { ...point, angle: 0 } : { ...point, quaternion: [1, 0, 0, 0] };
};

export class Pull implements Gesture {
  readonly pointer: number;
  private readonly isPulledApart: boolean;
  private readonly target: Target;
  private readonly name: string;
  protected readonly bodyName: string;
  private readonly inPlane: boolean;
  protected readonly local: Vector3;
  private readonly start: Pixel;
  private goal: Vector3;
  /** A drag along an axis stays on the line through this. */
  private through: Vector3;
  /** Where the hand turns what it holds to; none while it turns nothing. */
  private turn: Quaternion | null = null;
  /** Where the pointer was last, and by how much turning has led it away from the goal, px. */
  private last: Pixel;
  private astray: Pixel = { x: 0, y: 0 };
  private isHolding = false;
  /** The engine does not let it be held. */
  private isRefused = false;
  protected isMoved = false;
  private isDue = false;
  /** When the hand was moved last, ms. */
  private lastMoved = Infinity;
  private snap: Snap | null = null;

  constructor(
    protected readonly bench: Bench,
    event: PointerEvent,
    protected body: number,
    { point, target, isBeside }: Hit,
  ) {
    const look = bench.look as Look;
    const own = look.bodies[body] as BodyLook;
    this.pointer = event.pointerId;
    this.target = target;
    this.isPulledApart = event.altKey;
    this.start = { x: event.clientX, y: event.clientY };
    this.last = this.start;
    this.name = freeName(look);
    this.bodyName = own.name;
    this.inPlane = own.planar;
    this.local = bench.stage.toBody(body, point);
    if (own.planar) this.local.z = 0;
    if (!isExtended(own) && own.curve === undefined) this.local.set(0, 0, 0);
    this.goal = this.held();
    this.through = this.goal.clone();
    if (isBeside === true) {
      // The hand and the nearest body keep their distance: nothing jumps to the pointer.
      const seen = bench.stage.project(this.goal);
      this.astray = { x: this.start.x - seen.x, y: this.start.y - seen.y };
    }
    state.held.value = own.name;
    // A body that moves is caught at once. While time stands a press alone does nothing: it may be a click.
    if (state.running.value) this.grab();
  }

  move(event: PointerEvent): void {
    const { stage } = this.bench;
    const now = { x: event.clientX, y: event.clientY };
    const way = distance(now, this.start);
    if (!this.isMoved && way >= CLICK) {
      this.isMoved = true;
      if (this.isPulledApart) void edits.pullApart(this.bodyName);
    }
    // What was caught follows from the first pixel on; what was not may still be clicked.
    if (!this.isMoved && (!this.isHolding || way === 0)) return;
    if (!this.isHolding) this.grab();
    if (!this.isHolding) return;
    if (event.shiftKey && state.grip.value === 'frame') {
      const { right, down } = viewAxes(stage, this.goal);
      const [dx, dy] = [now.x - this.last.x, now.y - this.last.y];
      this.turnFurther(turnBy(dx, dy, right, down, this.isFlat()));
      this.astray = { x: this.astray.x + dx, y: this.astray.y + dy };
    } else {
      this.goal = this.reach(now.x - this.astray.x, now.y - this.astray.y) ?? this.goal;
      this.aimed();
    }
    this.last = now;
  }

  /** The wheel rolls a frame that is held; tells whether it did. */
  roll(wheel: number): boolean {
    if (state.grip.value !== 'frame' || wheel === 0) return false;
    if (!this.isHolding) this.grab();
    this.turnFurther(rollBy(wheel, viewAxes(this.bench.stage, this.goal).into, this.isFlat()));
    return true;
  }

  update(): void {
    const { stage } = this.bench;
    if (!this.isHolding && state.running.value) this.grab();
    if (!this.isHolding) return;
    this.sendGoal();
    // While time stands nothing pulls: things are put where the hand is.
    const report = state.certificate.value;
    const own = report?.hands.find(({ name }) => name === this.name);
    // A goal out of reach is met in least squares: no force would bring it there, and the one found says nothing.
    const isOut = report?.gave_way.some(({ joint }) => joint === this.name) ?? false;
    const force = own === undefined || isOut || !state.running.value ? null : new Vector3(...own.force_n);
    state.effort.value = force?.length() ?? null;
    stage.showHand(this.held(), this.goal, force);
    this.look();
  }

  end(event: PointerEvent): void {
    const { bench, snap } = this;
    if (!this.isMoved) state.selection.value = this.target;
    this.sendGoal();
    const isJoined = this.isMoved && snap !== null && !event.altKey;
    const release = this.isHolding ? [{ release: this.name }] : [];
    this.forget();
    if (!isJoined) {
      void bench.send(...release);
      return;
    }
    // Joined while it is still held, the drag and the joint are one edit.
    void edits
      .join(this.meeting(snap), (joint) => [joint, ...release])
      .then((isMade) => {
        if (!isMade) void bench.send(...release);
      });
  }

  cancel(): void {
    if (this.isHolding) void this.bench.send({ release: this.name });
    this.forget();
  }

  relook(look: Look): boolean {
    this.body = look.bodies.findIndex(({ name }) => name === this.bodyName);
    this.snap = null;
    return this.body >= 0;
  }

  forget(): void {
    const { stage, marks } = this.bench;
    this.isHolding = false;
    marks.set('snap', []);
    stage.showHand(null, null);
    state.held.value = null;
    state.effort.value = null;
  }

  /** The held point in the world. */
  held(): Vector3 {
    return this.bench.stage.worldOf(this.body, this.local);
  }

  get bodyHeld(): number {
    return this.body;
  }

  /** Holds on in the way that is chosen now. */
  changeDrag(): void {
    const { look } = this.bench;
    if (this.isHolding && look !== null)
      void this.bench.send({ hold: { hand: this.name, drag: dragEntry(state.drag.value, look) } });
  }

  /** Holds a point or all of it, from where it is now. */
  changeGrip(): void {
    if (!this.isHolding) return;
    this.turn = null;
    this.goal = this.held();
    const grab = this.grabbing();
    if (grab !== null) void this.bench.send({ release: this.name }, grab);
  }

  /** Goes on along the axis that is chosen now, from where the goal is. */
  changeAxis(): void {
    this.through = this.goal.clone();
  }

  private isFlat(): boolean {
    return this.inPlane || (this.bench.look?.flat ?? false);
  }

  private reach(x: number, y: number): Vector3 | null {
    const { stage } = this.bench;
    const axis = state.axis.value;
    if (axis !== null && !(this.inPlane && axis === 'z')) return stage.onAxis(x, y, this.through, AXES[axis]);
    return stage.onPlane(x, y, this.goal, this.isFlat());
  }

  private turnFurther(by: Quaternion): void {
    this.turn = by.multiply(this.turn ?? this.bench.rotation(this.body));
    this.aimed();
  }

  /** There is a new goal to send. */
  private aimed(): void {
    this.isDue = true;
    this.lastMoved = performance.now();
    this.bench.moved();
  }

  private grabbing(): Command | null {
    const { look } = this.bench;
    const own = look?.bodies[this.body];
    if (look === null || own === undefined) return null;
    const { x, y, z } = this.local;
    const held = heldEntry(own, [x, y, z], state.grip.value);
    return { grab: { name: this.name, held, drag: dragEntry(state.drag.value, look) } };
  }

  private grab(): void {
    const grab = this.grabbing();
    if (grab === null || this.isRefused) return;
    this.isHolding = true;
    void this.bench.send(grab).then((isHeld) => {
      this.isRefused = !isHeld;
      if (!isHeld) this.forget();
    });
  }

  private sendGoal(): void {
    if (!this.isDue || !this.isHolding) return;
    this.isDue = false;
    const { x, y, z } = this.goal;
    const turn = this.turn;
    void this.bench.send({
      drag: {
        hand: this.name,
        goal: this.inPlane ? [x, y] : [x, y, z],
        ...(turn === null ? {} : { quaternion: [turn.w, turn.x, turn.y, turn.z] }),
      },
    });
  }

  /** Looks for a place to join. */
  protected look(): void {
    const { bench } = this;
    const { look, stage, marks } = bench;
    this.snap = null;
    // Of a large scene places take long, and what is dragged would wait: they are asked for when the hand rests.
    if (performance.now() > this.lastMoved + REST) bench.catalog.ask();
    if (look !== null && this.isMoved) {
      this.snap = offered(bench.catalog, look, this.body, stage.project(this.held()), bench.depth(), (spot) =>
        bench.see(spot),
      );
    }
    marks.set('snap', this.snap === null ? [] : this.marksOf(this.snap));
  }

  private meeting({ own, other }: Snap): Meeting {
    const { bench } = this;
    return bench.meeting(bench.side(other.spot), bench.side(own.spot), own.world.distanceTo(other.world), own.world);
  }

  private marksOf({ own, other }: Snap): Mark[] {
    return [
      { type: 'ring', at: own.world },
      { type: 'ring', at: other.world },
      { type: 'line', points: [own.world, other.world], style: 'rubber' },
      { type: 'label', at: other.world, text: jointLabel(this.meeting({ own, other })) },
    ];
  }
}
