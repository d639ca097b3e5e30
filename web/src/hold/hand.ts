// The pointer on the stage: what a press begins, what is under it, and what keys do to what it holds.

import { effect, type Signal, untracked } from '@preact/signals';
import * as actions from '../actions';
import * as edits from '../build/edits';
import type { Command, Look } from '../engine/border';
import { offerNamed } from '../engine/catalogue';
import type { Engine } from '../engine/client';
import * as state from '../state';
import { tracks } from '../tracks';
import type { Stage } from '../view/stage';
import { Bench, type Gesture } from './bench';
import { Carry } from './carry';
import { Catalog, type Spot } from './catalog';
import { Draw } from './draw';
import { Limits, Stop } from './limits';
import { addMotor, Link } from './link';
import { Marks } from './marks';
import { Perform } from './perform';
import { CLICK, Pull } from './pull';
import { Sketch } from './sketch';
import { distance, NEAR, type Pixel } from './snap';
import { Stroke } from './stroke';

const isThere = (target: state.Target | null, look: Look): boolean => {
  if (target === null) return true;
  const all = { body: look.bodies, joint: look.joints, behavior: look.behaviors }[target.kind];
  return all.some(({ name }) => name === target.name);
};

export class Hand {
  private readonly bench: Bench;
  private readonly limits: Limits;
  private gesture: Gesture | null = null;
  /** Where a press on nothing was: if it does not move it deselects. */
  private pressedOn: Pixel | null = null;
  private pointer: Pixel = { x: 0, y: 0 };
  private isHoverDue = false;
  /** Until the next picture: whether an input has gone to the engine, and whether another came after it. */
  private isSent = false;
  private isStale = false;
  private dropped = 0;
  private carried: Carry | null = null;
  /** Places of the ground that have a name. */
  private anchors: Spot[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly engine: Engine,
  ) {
    const { canvas } = stage;
    const marks = new Marks(stage);
    const catalog = new Catalog(stage, () => this.showAnchors());
    const send = (...commands: Command[]): Promise<boolean> => this.send(...commands);
    this.bench = new Bench(stage, catalog, marks, send, () => engine.latency.input());
    this.limits = new Limits(this.bench);
    const whileHeld = (chosen: Signal<unknown>, change: (pull: Pull) => void): void => {
      effect(() => {
        void chosen.value;
        untracked(() => {
          if (this.pull !== null) change(this.pull);
        });
      });
    };
    whileHeld(state.drag, (pull) => pull.changeDrag());
    whileHeld(state.grip, (pull) => pull.changeGrip());
    whileHeld(state.axis, (pull) => pull.changeAxis());
    effect(() => stage.setHover(state.hover.value));
    effect(() => stage.setSelection(state.selection.value));
    effect(() => {
      const isAiming = state.linking.value !== null || state.tool.value !== 'hold';
      const isOver = state.hover.value === null && this.limits.over.value === null ? '' : 'hold';
      canvas.dataset.cursor = isAiming ? 'aim' : state.held.value === null ? isOver : 'holding';
    });
    // Before the view's own controls, which would turn the camera.
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', (event) => this.lift(event), { capture: true });
    canvas.addEventListener(
      'pointercancel',
      (event) => {
        if (event.pointerId === this.gesture?.pointer) this.letGo();
      },
      { capture: true },
    );
    canvas.addEventListener('pointerleave', () => this.hover(null));
    canvas.addEventListener('wheel', (event) => this.roll(event), { capture: true, passive: false });
  }

  /** A frame has passed. */
  update(): void {
    this.isStale = false;
    this.gesture?.update();
  }

  /** The scene was edited, or is another one, and the stage shows it. */
  relook(look: Look, opened: boolean): void {
    if (opened) edits.joined.value = null;
    if (!isThere(state.selection.value, look)) state.selection.value = null;
    this.bench.catalog.refresh(look);
    this.limits.relook(look);
    if (this.gesture !== null && (opened || !this.gesture.relook(look))) {
      this.gesture.forget();
      this.finish();
    }
  }

  /** Ends what goes on, and nothing comes of it; without that, tools are put away. */
  letGo(): void {
    this.carried?.cancel();
    if (this.gesture !== null) {
      this.gesture.cancel();
      this.finish();
      return;
    }
    state.linking.value = null;
    state.tool.value = 'hold';
    edits.joined.value = null;
  }

  /** Takes apart the joint that is nearest to the hand, or the selected one, or the nearest of the selected body. */
  detach(): void {
    const selected = state.selection.value;
    if (this.pull === null && selected?.kind === 'joint') {
      void edits.detach(selected.name);
      return;
    }
    const body = this.pull?.bodyHeld ?? this.bodyNamed(selected?.kind === 'body' ? selected.name : null);
    const from = this.pull === null ? this.pointer : this.stage.project(this.pull.held());
    const ties = this.bench.catalog
      .tiesOf(body)
      .flatMap((tie) => tie.ends.map((end) => ({ joint: tie.joint, away: distance(this.bench.see(end), from) })));
    const [nearest] = ties.sort((a, b) => a.away - b.away);
    if (nearest === undefined)
      actions.say('Nothing to take apart: hold or select a body with joints, or select a joint.');
    else void edits.detach(nearest.joint);
  }

  /** Removes what is selected; without that, the anchor under the pointer. */
  async remove(): Promise<void> {
    const near = (spot: Spot): boolean => distance(this.bench.see(spot), this.pointer) <= NEAR;
    const anchor = state.selection.value === null ? this.anchors.find(near) : undefined;
    if (anchor === undefined) await edits.removeSelected();
    else await actions.edit({ remove_connector: anchor.name });
  }

  /** Begins to carry a part from the palette. */
  carry(part: string): Carry {
    state.tool.value = 'hold';
    state.linking.value = null;
    this.carried = new Carry(this.bench, part);
    return this.carried;
  }

  /** Keys are for the stage from now on, not for the button that was pressed last. */
  focus(): void {
    this.stage.canvas.focus({ preventScroll: true });
  }

  /** Whether a place of the window is on the stage and nothing is in front of it. */
  isOver({ x, y }: Pixel): boolean {
    return document.elementFromPoint(x, y) === this.stage.canvas;
  }

  /** Drops a part in the middle of the view, each a little further from the last. */
  drop(part: string): void {
    const { left, right, top, bottom } = this.stage.canvas.getBoundingClientRect();
    const carried = this.carry(part);
    // What collides is put on top of what is there.
    const shift = carried.collides ? 0 : 14 * (this.dropped % 8);
    this.dropped += 1;
    carried.over({ x: 0.5 * (left + right) + shift, y: 0.5 * (top + bottom) + shift }, false);
    if (carried.collides) carried.raise();
    void carried.drop();
  }

  private get pull(): Pull | null {
    return this.gesture instanceof Pull ? this.gesture : null;
  }

  private bodyNamed(name: string | null): number {
    return this.bench.look?.bodies.findIndex((body) => body.name === name) ?? -1;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || this.gesture !== null) return;
    const pixel = { x: event.clientX, y: event.clientY };
    this.pressedOn = null;
    this.gesture = this.begun(event, pixel);
    if (this.gesture === null) return;
    this.stage.turning = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.hover(null);
  }

  private begun(event: PointerEvent, pixel: Pixel): Gesture | null {
    const { bench, stage } = this;
    const link = state.linking.value;
    if (link !== null) {
      state.linking.value = null;
      const joint = offerNamed(link, 'joint');
      if (joint !== null) return new Link(bench, event, joint);
      const behavior = offerNamed(link, 'behavior');
      if (behavior !== null) addMotor(bench, pixel, behavior);
      return null;
    }
    const stop = this.limits.at(pixel);
    if (stop !== null) return new Stop(bench, this.limits, event, stop);
    if (state.tool.value === 'curve') return new Stroke(bench, event);
    const hit = stage.reach(pixel.x, pixel.y);
    if (hit === null && state.tool.value === 'path') return new Sketch(bench, event);
    if (hit === null) {
      this.pressedOn = pixel;
      return null;
    }
    const body = hit.body === null ? undefined : bench.look?.bodies[hit.body];
    if (hit.body === null || body === undefined || !body.movable) {
      state.selection.value = hit.target;
      return null;
    }
    if (state.tool.value === 'path') return new Draw(bench, event, hit.body, hit.point);
    if (state.tool.value === 'perform') return new Perform(bench, event, hit.body, hit, tracks.value);
    return new Pull(bench, event, hit.body, hit);
  }

  private move(event: PointerEvent): void {
    this.pointer = { x: event.clientX, y: event.clientY };
    if (this.gesture !== null) {
      if (event.pointerId === this.gesture.pointer) this.gesture.move(event);
      this.passOn();
      return;
    }
    if (event.buttons !== 0 || this.isHoverDue) return;
    // Once for each picture.
    this.isHoverDue = true;
    requestAnimationFrame(() => {
      this.isHoverDue = false;
      if (this.gesture !== null) return;
      this.limits.hover(this.pointer);
      const isFree = this.limits.over.value === null;
      this.hover(isFree ? (this.stage.reach(this.pointer.x, this.pointer.y)?.target ?? null) : null);
    });
  }

  /** An input goes to the engine at once, which works while the page draws; more wait for the next picture. */
  private passOn(): void {
    this.isStale = true;
    if (this.isSent) return;
    this.isSent = true;
    this.update();
    requestAnimationFrame(() => {
      this.isSent = false;
      if (this.isStale) this.update();
    });
  }

  private hover(target: state.Target | null): void {
    const now = state.hover.value;
    if (now?.kind !== target?.kind || now?.name !== target?.name) state.hover.value = target;
  }

  private lift(event: PointerEvent): void {
    const { gesture, pressedOn } = this;
    this.pressedOn = null;
    if (gesture === null) {
      const now = { x: event.clientX, y: event.clientY };
      if (pressedOn !== null && distance(now, pressedOn) < CLICK) state.selection.value = null;
      return;
    }
    if (event.pointerId !== gesture.pointer) return;
    gesture.end(event);
    this.finish();
  }

  private finish(): void {
    this.gesture = null;
    this.stage.turning = true;
    // Of what nobody holds no pose may ever tell.
    this.engine.latency.forget();
  }

  private roll(event: WheelEvent): void {
    if (!event.altKey || this.pull?.roll(event.deltaY) !== true) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.passOn();
  }

  private showAnchors(): void {
    const { catalog, marks } = this.bench;
    const joints = new Set(catalog.ties.map(({ joint }) => joint));
    this.anchors = catalog.placesOf(null).filter(({ name }) => !joints.has(name));
    // Where a joint holds on to the ground its support is seen, which says more.
    const supports = catalog.ties.flatMap(({ ends }) => ends.filter(({ body }) => body === null));
    const touch = 1e-6 * (this.bench.look?.extent ?? 1);
    const isFree = ({ local }: Spot): boolean => supports.every((end) => end.local.distanceTo(local) > touch);
    marks.set(
      'anchors',
      this.anchors.filter(isFree).map(({ local }) => ({ type: 'anchor', at: local })),
    );
  }

  private async send(...commands: Command[]): Promise<boolean> {
    if (commands.length === 0) return true;
    try {
      await this.engine.apply(...commands);
      return true;
    } catch (error) {
      actions.say(error);
      return false;
    }
  }
}
