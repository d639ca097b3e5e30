// What the pointer's tools share: the picture, what is on it, and marks over it.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Meeting, Side } from '../build/joints';
import type { Command, Look } from '../engine/border';
import type { Stage } from '../view/stage';
import { viewAxes } from './axis';
import type { Catalog, Spot } from './catalog';
import type { Marks } from './marks';
import { distance, NEAR, type Pixel, type Seen } from './snap';

/** Something that goes on from a press to a release. */
export interface Gesture {
  readonly pointer: number;
  move(event: PointerEvent): void;
  end(event: PointerEvent): void;
  /** Nothing comes of it. */
  cancel(): void;
  /** A frame has passed. */
  update(): void;
  /** The scene was edited; tells whether what it works on is still there. */
  relook(look: Look): boolean;
  /** What it works on is gone, and what the engine had of it: only what is seen of it is put away. */
  forget(): void;
}

export class Bench {
  constructor(
    readonly stage: Stage,
    readonly catalog: Catalog,
    readonly marks: Marks,
    /** Sends a command that is no edit; what goes wrong is shown. */
    readonly send: (...commands: Command[]) => Promise<boolean>,
    /** A hand was moved: how long it takes until that is seen is counted from here. */
    readonly moved: () => void,
  ) {}

  get look(): Look | null {
    return this.stage.model?.look ?? null;
  }

  see(spot: Spot): Seen {
    const world = this.catalog.world(spot);
    return { spot, world, ...this.stage.project(world) };
  }

  /** The place under the pointer: one that has a name, a point of a body, or a point of the ground. */
  spotAt(pixel: Pixel): Seen {
    const { stage, catalog } = this;
    const hit = stage.pick(pixel.x, pixel.y);
    const near = catalog
      .around(hit?.point ?? this.onMiddle(pixel), this.depth())
      .map((spot) => this.see(spot))
      .filter((seen) => distance(seen, pixel) <= NEAR)
      .sort((a, b) => distance(a, pixel) - distance(b, pixel))[0];
    if (near !== undefined) return near;
    if (hit !== null && hit.body !== null) {
      const { body } = hit;
      const local = stage.toBody(body, hit.point);
      if (this.look?.bodies[body]?.planar === true) local.z = 0;
      return this.see({ body, name: '', local });
    }
    return this.see({ body: null, name: '', local: this.onMiddle(pixel) });
  }

  /** Where a pixel is in the plane through the scene's middle: z = 0 in flat scenes, else the one that faces. */
  onMiddle(pixel: Pixel): Vector3 {
    const { stage, look } = this;
    const middle = new Vector3();
    if (look !== null && !look.flat && look.bodies.length > 0) {
      for (const body of look.bodies.keys()) middle.add(stage.worldOf(body, new Vector3()));
      middle.divideScalar(look.bodies.length);
    }
    return stage.onPlane(pixel.x, pixel.y, middle, look?.flat ?? false) ?? middle;
  }

  /** The height of the world that is seen, m. */
  viewHeight(): number {
    const { top, bottom, left, right } = this.stage.canvas.getBoundingClientRect();
    const x = 0.5 * (left + right);
    return this.onMiddle({ x, y: top }).distanceTo(this.onMiddle({ x, y: bottom }));
  }

  /** How far apart in depth places may be that look near, m. */
  depth(): number {
    return 0.25 * this.viewHeight();
  }

  /** Of a body, from where it carries its axes. */
  rotation(body: number): Quaternion {
    const origin = this.stage.worldOf(body, new Vector3());
    const axis = (k: number): Vector3 => this.stage.worldOf(body, new Vector3().setComponent(k, 1)).sub(origin);
    return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(axis(0), axis(1), axis(2)));
  }

  side(spot: Spot): Side {
    const x = new Vector3(1, 0, 0);
    if (spot.body === null) return { body: null, point: spot.local, x };
    x.applyQuaternion(this.rotation(spot.body));
    return { body: this.look?.bodies[spot.body] ?? null, point: spot.local, x };
  }

  meeting(a: Side, b: Side, gap: number, at: Vector3): Meeting {
    const { stage, look } = this;
    const flat = look?.flat ?? false;
    return { a, b, gap, reach: 0.5 * this.viewHeight(), flat, into: viewAxes(stage, at).into };
  }
}
