// What a pointer can meet: places of bodies and ends of joints, each in the coordinates of its body. Anew after
// every edit; between edits bodies move and these do not.

import { Vector3 } from 'three';
import * as actions from '../actions';
import type { Look } from '../engine/border';
import type { Stage } from '../view/stage';

/** A place of a body; no body is the ground, whose coordinates are those of the world. */
export interface Spot {
  body: number | null;
  name: string;
  local: Vector3;
}

/** A joint and the spots it holds. */
export interface Tie {
  joint: string;
  type: string | null;
  ends: Spot[];
}

/** Scenes of more bodies are asked for their places only when something is dragged. */
const EAGER = 500;

export class Catalog {
  private ofBodies = new Map<number | null, { spots: Spot[]; reach: number }>();
  ties: Tie[] = [];
  private look: Look | null = null;
  private isAsked = false;

  constructor(
    private readonly stage: Stage,
    private readonly changed: () => void,
  ) {}

  /** The scene was edited: the stage shows it already. */
  refresh(look: Look): void {
    this.look = look;
    this.ofBodies = new Map();
    this.isAsked = false;
    this.ties = look.joints
      .filter(({ enabled }) => enabled)
      .map(({ name, type, ends }) => ({
        joint: name,
        type,
        ends: ends.map(({ body, point }) => {
          const world = new Vector3(...point);
          return { body, name, local: body === null ? world : this.stage.toBody(body, world) };
        }),
      }));
    this.changed();
    if (look.bodies.length <= EAGER) this.ask();
  }

  /** Asks for the places, once for each look. */
  ask(): void {
    const { look } = this;
    if (look === null || this.isAsked) return;
    this.isAsked = true;
    actions
      .places()
      .then((places) => {
        if (look !== this.look) return;
        for (const { body, name, point } of places) {
          const of = this.ofBodies.get(body) ?? { spots: [], reach: 0 };
          of.spots.push({ body, name, local: new Vector3(...point) });
          of.reach = Math.max(of.reach, Math.hypot(...point));
          this.ofBodies.set(body, of);
        }
        this.changed();
      })
      .catch(actions.say);
  }

  /** Places of bodies that are, with all they reach, within a distance of a point of the world; of the ground all. */
  around(center: Vector3, distance: number): Spot[] {
    const origin = new Vector3();
    return [...this.ofBodies].flatMap(([body, { spots, reach }]) => {
      if (body !== null && this.stage.worldOf(body, origin).distanceTo(center) > reach + distance) return [];
      return spots;
    });
  }

  placesOf(body: number | null): Spot[] {
    return this.ofBodies.get(body)?.spots ?? [];
  }

  /** How far from its origin a body can be fastened, m. */
  reachOf(body: number): number {
    return this.ofBodies.get(body)?.reach ?? 0;
  }

  /** Whether a connector or a place has this name. */
  isTaken(name: string): boolean {
    return [...this.ofBodies.values()].some(({ spots }) => spots.some((spot) => spot.name === name));
  }

  /** Joints that hold a body. */
  tiesOf(body: number): Tie[] {
    return this.ties.filter(({ ends }) => ends.some((end) => end.body === body));
  }

  /** Where a spot is now. */
  world(spot: Spot): Vector3 {
    return spot.body === null ? spot.local.clone() : this.stage.worldOf(spot.body, spot.local);
  }
}
