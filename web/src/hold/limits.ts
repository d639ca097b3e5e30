// The limit of the selected joint in the picture: an arc or a line, a needle where the joint is, and stops that can be
// dragged. One drag of a stop is one edit.

import { effect, signal } from '@preact/signals';
import { Vector3 } from 'three';
import * as actions from '../actions';
import { niceBelow } from '../build/parts';
import type { JointEntry, JointLook, Look, RangeLook } from '../engine/border';
import { limitShown } from '../engine/limits';
import type { Vec3 } from '../engine/messages';
import { Series } from '../series';
import * as state from '../state';
import type { Bench, Gesture } from './bench';
import { angleOf, arcOf, type Dial, draggedTo, type End, endsOf, pointOf, turnTo, wordsOf } from './dial';
import type { Mark } from './marks';
import { distance, type Pixel } from './snap';

/** The radius of an arc, px. */
const RADIUS = 64;
/** How near to a stop one may press, px. */
const NEAR_STOP = 12;
/** Stops of hinges are put to whole degrees. */
const DEGREE = Math.PI / 180;
/** Stops of sliders are put to a step of about so many pixels. */
const STEP = 2;

/** A place or a direction that rides on a body. */
type Ride = () => Vector3;

export class Limits {
  /** Every limit of the scene, by its name. */
  private all = new Map<string, () => Dial>();
  private shown: string | null = null;
  /** The stop under the pointer. */
  readonly over = signal<End | null>(null);

  constructor(private readonly bench: Bench) {
    effect(() => {
      const target = state.wholeOf(state.selection.value);
      const look = state.look.value;
      const limit = target?.kind === 'joint' && look !== null ? limitShown(look, target.name) : null;
      this.shown = limit?.name ?? null;
      bench.marks.set('limits', this.shown === null ? [] : () => this.marks());
    });
  }

  /**
   * The scene was edited, and the stage shows it: bodies are where the look says, and limits ride on them from here.
   */
  relook(look: Look): void {
    this.all.clear();
    for (const joint of look.joints) {
      const dial = joint.range === undefined ? null : this.riding(joint, joint.range);
      if (dial !== null) this.all.set(joint.name, dial);
    }
  }

  get name(): string | null {
    return this.shown;
  }

  dial(): Dial | null {
    return this.all.get(this.shown ?? '')?.() ?? null;
  }

  /** How long a pixel is there, m. */
  pixel(dial: Dial): number {
    return this.bench.stage.pixel(dial.center);
  }

  /** The stop at a place of the window. */
  at(pixel: Pixel): End | null {
    const dial = this.dial();
    if (dial === null) return null;
    const radius = RADIUS * this.pixel(dial);
    const near = endsOf(dial)
      .map(([end, value]) => ({ end, away: distance(this.bench.stage.project(pointOf(dial, value, radius)), pixel) }))
      .filter(({ away }) => away <= NEAR_STOP)
      // Where both lie on each other, the upper one: it can be dragged away.
      .sort((a, b) => a.away - b.away || (a.end === 'upper' ? -1 : 1));
    return near[0]?.end ?? null;
  }

  hover(pixel: Pixel | null): void {
    this.over.value = pixel === null ? null : this.at(pixel);
  }

  private riding(joint: JointLook, range: RangeLook): (() => Dial) | null {
    const { stage } = this.bench;
    const [a, b] = joint.ends;
    if (a === undefined || b === undefined || joint.axis === null) return null;
    const place = (body: number | null, at: Vector3): Ride => {
      const local = stage.toBody(body, at);
      return () => stage.worldOf(body, local);
    };
    const [origin, end] = [new Vector3(...a.point), new Vector3(...b.point)];
    const center = place(a.body, origin);
    const other = place(b.body, end);
    const onto = (body: number | null, from: Vector3, base: Ride, way: Vec3): Ride => {
      const tip = place(body, from.clone().add(new Vector3(...way)));
      return () => tip().sub(base()).normalize();
    };
    const axis = onto(a.body, origin, center, joint.axis);
    const { lower, upper } = range;
    if (range.between === undefined) {
      return () => {
        const [from, along] = [center(), axis()];
        const now = other().sub(from).dot(along);
        // The line goes through the point that the stops hold.
        return { center: other().addScaledVector(along, -now), axis: along, between: null, lower, upper, now };
      };
    }
    // Frames are turned as it comes; turned to where the second body lies, the needle is seen along it.
    const about = new Vector3(...joint.axis);
    const lies = b.body === null ? null : stage.worldOf(b.body, new Vector3()).sub(end);
    const by = lies === null ? 0 : turnTo(about, new Vector3(...range.between[1]), lies);
    const turned = (way: Vec3): Vec3 => new Vector3(...way).applyAxisAngle(about, by).toArray();
    const zero = onto(a.body, origin, center, turned(range.between[0]));
    const needle = onto(b.body, end, other, turned(range.between[1]));
    return () => {
      const [about, from, to] = [axis(), zero(), needle()];
      return { center: center(), axis: about, between: [from, to], lower, upper, now: angleOf(about, from, to) };
    };
  }

  private marks(): Mark[] {
    const dial = this.dial();
    if (dial === null) return [];
    const radius = RADIUS * this.pixel(dial);
    const marks: Mark[] = [{ type: 'line', points: arcOf(dial, radius), style: 'limit' }];
    if (dial.between !== null) {
      const tip = dial.center.clone().addScaledVector(dial.between[1], 0.85 * radius);
      marks.push({ type: 'line', points: [dial.center, tip], style: 'needle' });
    }
    for (const [end, value] of endsOf(dial)) {
      const at = pointOf(dial, value, radius);
      marks.push({ type: 'stop', at, isOver: this.over.value === end, end });
      marks.push({ type: 'label', at, text: wordsOf(dial, value) });
    }
    return marks;
  }
}

/** A stop that is dragged. */
export class Stop implements Gesture {
  readonly pointer: number;
  private readonly name: string;
  private entry: JointEntry | null = null;
  private value: number | null = null;
  private readonly series = new Series<JointEntry>(
    (set_joint, again) => actions.change({ set_joint }, again),
    (words) => {
      if (words !== null) actions.say(words);
    },
  );

  constructor(
    private readonly bench: Bench,
    private readonly limits: Limits,
    event: PointerEvent,
    private readonly which: End,
  ) {
    this.pointer = event.pointerId;
    this.name = limits.name ?? '';
    actions
      .entry('joint', this.name)
      .then((entry) => {
        this.entry = entry;
        this.send();
      })
      .catch(actions.say);
  }

  move(event: PointerEvent): void {
    const dial = this.limits.dial();
    if (dial === null) return;
    const { stage } = this.bench;
    const point =
      dial.between === null
        ? stage.onAxis(event.clientX, event.clientY, dial.center, dial.axis)
        : stage.onPlaneAcross(event.clientX, event.clientY, dial.center, dial.axis);
    if (point === null) return;
    const step = dial.between === null ? niceBelow(STEP * this.limits.pixel(dial)) : DEGREE;
    // The engine may be a little behind; turns are counted from where the pointer was.
    const value = draggedTo({ ...dial, [this.which]: this.value ?? dial[this.which] }, this.which, point, step);
    if (value === this.value) return;
    this.value = value;
    this.send();
  }

  end(): void {
    this.forget();
  }

  cancel(): void {
    // What it was before.
    if (this.entry !== null && this.value !== null) this.series.put(this.entry);
    this.forget();
  }

  update(): void {}

  relook(look: Look): boolean {
    return look.joints.some(({ name }) => name === this.name);
  }

  forget(): void {
    this.limits.hover(null);
  }

  private send(): void {
    if (this.entry === null || this.value === null) return;
    this.series.put({ ...this.entry, [this.which]: this.value } as JointEntry);
  }
}
