// Press and drag: a hand of the engine under the pointer.

import { effect } from '@preact/signals';
import type { Vector3 } from 'three';
import type { Engine } from './engine/client';
import type { BodyLook, Look } from './engine/words';
import { say } from './actions';
import type { Drag } from './state';
import * as state from './state';
import type { Stage } from './view/stage';

/** How fast a pull by force answers, rad/s. */
const PULL = 12;

/** How a hand holds. A spring is as stiff as everything that moves is heavy, and nearly critically damped. */
export const dragEntry = (drag: Drag, look: Look): Record<string, unknown> => {
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

/** The point of a body that is held, in the words of a file. */
export const heldEntry = (body: BodyLook, local: [number, number, number]): Record<string, unknown> => {
  const [x, y, z] = local;
  // A particle is a point.
  if (body.type === 'particle') return { body: body.name };
  return { body: body.name, point: body.planar ? [x, y] : [x, y, z] };
};

interface Holding {
  pointer: number;
  name: string;
  body: number;
  inPlane: boolean;
  local: Vector3;
  goal: Vector3;
  /** Whether the goal was moved since it was last sent. */
  moved: boolean;
}

export class Hand {
  private holding: Holding | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly engine: Engine,
  ) {
    const { canvas } = stage;
    effect(() => {
      void state.drag.value;
      this.changeDrag();
    });
    // Before the view's own controls, which would turn the camera.
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.pull(event), { capture: true });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.letGo(event), { capture: true });
    }
  }

  /** Holds on in the way that is chosen now. */
  private changeDrag(): void {
    const { holding } = this;
    const look = this.stage.model?.look;
    if (holding === null || look === undefined) return;
    this.send({ hold: { hand: holding.name, drag: dragEntry(state.drag.value, look) } });
  }

  /** Sends the goal, at most once for each picture, and shows the hand. */
  update(): void {
    const { holding } = this;
    const { model } = this.stage;
    if (holding === null || model === null) return;
    if (holding.moved) {
      holding.moved = false;
      const { x, y, z } = holding.goal;
      this.send({ drag: { hand: holding.name, goal: holding.inPlane ? [x, y] : [x, y, z] } });
    }
    this.stage.showHand(model.toWorld(holding.body, holding.local), holding.goal);
  }

  /** The scene is another one: nothing is held. */
  forget(): void {
    this.holding = null;
    this.stage.turning = true;
    this.stage.showHand(null, null);
    state.held.value = null;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || this.holding !== null) return;
    const { model } = this.stage;
    const hit = this.stage.pick(event.clientX, event.clientY);
    const held = hit?.body ?? null;
    const body = held === null ? undefined : model?.look.bodies[held];
    if (hit === null || held === null || model === null || body === undefined || !body.movable) return;
    this.stage.turning = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    const local = model.toBody(held, hit.point);
    if (body.planar) local.z = 0;
    if (body.type === 'particle') local.set(0, 0, 0);
    const name = freeName(model.look);
    const goal = model.toWorld(held, local);
    this.holding = {
      pointer: event.pointerId,
      name,
      body: held,
      inPlane: body.planar,
      local,
      goal,
      moved: false,
    };
    const entry = { name, held: heldEntry(body, [local.x, local.y, local.z]), drag: dragEntry(state.drag.value, model.look) };
    this.send({ grab: entry });
    state.held.value = body.name;
  }

  private pull(event: PointerEvent): void {
    const { holding } = this;
    if (holding === null || event.pointerId !== holding.pointer) return;
    const goal = this.stage.onPlane(event.clientX, event.clientY, holding.goal, holding.inPlane);
    if (goal === null) return;
    holding.goal = goal;
    // While time stands no frame may come by itself.
    if (!holding.moved) requestAnimationFrame(() => this.update());
    holding.moved = true;
  }

  private letGo(event: PointerEvent): void {
    const { holding } = this;
    if (holding === null || event.pointerId !== holding.pointer) return;
    this.update();
    this.forget();
    this.send({ release: holding.name });
  }

  private send(command: Record<string, unknown>): void {
    this.engine.apply(command).catch(say);
  }
}
