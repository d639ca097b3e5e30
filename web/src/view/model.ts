// A scene as three.js objects: made after an edit, moved after every step.

import { Box3, Group, type Raycaster, Sphere, Vector3 } from 'three';
import type { Look, TraceLook } from '../engine/border';
import { Bodies } from './bodies';
import type { Brush } from './colours';
import { Drawings } from './drawings';
import type { FixedInstances } from './instances';
import { type Segments, through } from './line';
import { Marks, type Spot } from './marks';
import { Frames } from './poses';
import type { Shapes } from './shapes';
import { Skin } from './skin';
import { Surfaces } from './surfaces';
import { Trace } from './trace';
import { type Branches, branchesOf, TreeArrows } from './tree';
import { Wires } from './wires';

const TRACE = '#e07a3f';

export interface BodyHit {
  body: number;
  distance: number;
  /** World. */
  point: Vector3;
}

/** Where everything is: the box and the ball around all bodies, and how low they reach. */
export interface Bounds {
  box: Box3;
  sphere: Sphere;
  lowest: number;
}

export class Model {
  readonly root = new Group();
  readonly frames: Frames;
  private readonly bodies: Bodies;
  private readonly marks: Marks;
  private readonly drawings: Drawings;
  private readonly wires: Wires;
  private readonly surfaces: Surfaces;
  private readonly skins: Skin[];
  private readonly paths: Segments[];
  private readonly traces: { look: TraceLook; trace: Trace }[];
  private readonly up: Vector3;
  private readonly branches: Branches;
  private tree: TreeArrows | null = null;
  private readonly spot = new Vector3();

  /** Paths of points go on where those of `before` ended. */
  constructor(
    readonly look: Look,
    poses: Float64Array,
    shapes: Shapes,
    before: Model | null = null,
  ) {
    this.frames = new Frames(look.bodies.map((body) => !body.turns));
    this.frames.set(poses);
    this.up = new Vector3(...look.up).normalize();
    this.bodies = new Bodies(look, shapes);
    this.marks = new Marks(look, this.frames, shapes);
    this.drawings = new Drawings(look);
    this.skins = look.skins.map((skin) => new Skin(skin, shapes));
    this.paths = look.joints.flatMap((joint) => {
      if (!joint.enabled || joint.path === undefined || joint.path.length < 2) return [];
      return [
        through(
          joint.path.map(([x, y, z]) => new Vector3(x, y, z - (look.flat ? 0.02 * look.extent : 0))),
          1.5,
        ),
      ];
    });
    this.traces = look.traces.map((trace) => ({
      look: trace,
      trace: before?.takeTrace(trace.name) ?? new Trace(),
    }));
    this.branches = branchesOf(look, this.frames);
    this.wires = new Wires(look);
    this.surfaces = new Surfaces(look, this.frames, shapes.low);
    this.root.add(this.bodies.group, this.wires.lines, this.marks.group, this.drawings.group, this.surfaces.group);
    for (const { mesh } of this.skins) this.root.add(mesh);
    for (const { line } of this.paths) this.root.add(line);
    for (const { trace } of this.traces) this.root.add(trace.line);
    this.update(poses);
  }

  /** Where poses have moved everything. */
  update(poses: Float64Array): void {
    const { frames } = this;
    frames.set(poses);
    this.bodies.update(frames);
    this.marks.update(frames);
    this.drawings.update(frames);
    this.wires.update(frames);
    this.surfaces.update(frames);
    for (const skin of this.skins) skin.update(frames);
    this.tree?.update(frames);
  }

  /** Paths go on by what the engine has traced. */
  trace(rows: Float64Array): void {
    for (const [k, { trace }] of this.traces.entries()) trace.go(rows, k, this.traces.length);
  }

  /** Arrows along the spanning tree, or none. They are made when they are first wanted. */
  showTree(on: boolean, shapes: Shapes, brush: Brush): void {
    if (on && this.tree === null) {
      this.tree = new TreeArrows(this.branches, shapes);
      this.tree.update(this.frames);
      this.tree.paint(brush);
      this.root.add(this.tree.group);
    }
    if (this.tree !== null) this.tree.group.visible = on;
  }

  paint(brush: Brush): void {
    this.bodies.paint(brush);
    this.marks.paint(brush);
    this.drawings.paint(brush);
    this.wires.paint(brush);
    this.surfaces.paint(brush);
    for (const skin of this.skins) skin.paint(brush);
    for (const path of this.paths) path.colour = brush.colour('quiet');
    for (const { look, trace } of this.traces) trace.colour = brush.colour(look.colour ?? TRACE);
  }

  /** The nearest body that a ray meets. */
  pickBody(ray: Raycaster): BodyHit | null {
    let best: BodyHit | null = null;
    for (const instances of this.bodies.instances) {
      const hit = instances.pick(ray);
      if (hit === null || hit.item.body === null) continue;
      if (best === null || hit.distance < best.distance)
        best = { body: hit.item.body, distance: hit.distance, point: hit.point };
    }
    for (const skin of this.skins) {
      const hit = skin.pick(ray);
      if (hit !== null && (best === null || hit.distance < best.distance)) best = hit;
    }
    return best;
  }

  /** The movable body that the first of some rays meets, all of them within `slack` of `middle`. */
  pickBeside(middle: Raycaster, slack: (center: Vector3) => number, rays: Iterable<Raycaster>): BodyHit | null {
    const isMovable = (body: number | null): body is number =>
      body !== null && this.look.bodies[body]?.movable === true;
    const near = this.bodies.instances.flatMap((instances) => {
      const among = instances.beside(middle, slack).filter((k) => isMovable(instances.items[k]?.body ?? null));
      return among.length === 0 ? [] : [{ instances, among }];
    });
    if (near.length === 0) return null;
    for (const ray of rays) {
      let best: BodyHit | null = null;
      for (const { instances, among } of near) {
        const hit = instances.pick(ray, among);
        if (hit === null || !isMovable(hit.item.body)) continue;
        if (best === null || hit.distance < best.distance)
          best = { body: hit.item.body, distance: hit.distance, point: hit.point };
      }
      if (best !== null) return best;
    }
    return null;
  }

  /** The ball around each part of a body. */
  balls(see: (body: number, center: Vector3, radius: number) => void): void {
    for (const instances of this.bodies.instances)
      instances.balls(({ body }, center, radius) => {
        if (body !== null) see(body, center, radius);
      });
  }

  /** Bodies and signs on them. */
  get instances(): FixedInstances[] {
    return [...this.bodies.instances, ...this.marks.instances];
  }

  get spots(): readonly Spot[] {
    return this.marks.spots;
  }

  /** A world point in the coordinates of a body. */
  toBody(body: number | null, point: Vector3): Vector3 {
    return this.frames.toBody(body, point, new Vector3());
  }

  toWorld(body: number | null, point: Vector3): Vector3 {
    return this.frames.toWorld(body, point, new Vector3());
  }

  bounds(): Bounds {
    const box = new Box3();
    let lowest = Infinity;
    for (const instances of this.instances) lowest = Math.min(lowest, instances.reach(box, this.up));
    for (const { anchor } of this.marks.spots)
      box.expandByPoint(this.frames.toWorld(anchor.body, anchor.local, this.spot));
    if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const sphere = box.getBoundingSphere(new Sphere());
    sphere.radius = Math.max(sphere.radius, 1e-6);
    return { box, sphere, lowest: Number.isFinite(lowest) ? lowest : 0 };
  }

  dispose(): void {
    this.tree?.dispose();
    this.bodies.dispose();
    this.marks.dispose();
    this.drawings.dispose();
    this.wires.dispose();
    this.surfaces.dispose();
    for (const own of [...this.skins, ...this.paths]) own.dispose();
    for (const { trace } of this.traces) trace.dispose();
  }

  private takeTrace(name: string): Trace | null {
    const at = this.traces.findIndex(({ look }) => look.name === name);
    return at < 0 ? null : (this.traces.splice(at, 1)[0]?.trace ?? null);
  }
}
