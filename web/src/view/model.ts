// A scene as three.js objects: made after an edit, moved after every step.

import { Box3, Group, type Raycaster, Sphere, Vector3 } from 'three';
import type { Look, TraceLook } from '../engine/border';
import { Bodies } from './bodies';
import type { Brush } from './colors';
import { Curves, cornersOf } from './curves';
import { Cutouts } from './cutouts';
import { Drawings } from './drawings';
import { type Ball, lowestReach } from './floor';
import { Groups, HELD, LEGIBLE, seenTogether } from './groups';
import type { FixedInstances } from './instances';
import { type Segments, through } from './line';
import { Marks, type Spot } from './marks';
import { Frames } from './poses';
import type { Shapes } from './shapes';
import { Skin } from './skin';
import { Solids } from './solids';
import { Surfaces } from './surfaces';
import type { Textures } from './textures';
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

/** Where everything is: the box and the ball around it, and the bodies in it, unless something holds them. */
export interface Bounds {
  box: Box3;
  sphere: Sphere;
  free: number[];
  /** Whether all of it is points, without a size of their own. */
  isDots: boolean;
}

/** How far bodies reach, and how low and high. */
interface Reach {
  bodies: Set<number>;
  isDots: boolean;
  box: Box3;
  lowest: number;
  highest: number;
}

/** What is so many times further away than the scene is large is not near it. */
const NEARBY = 6;
/** Mechanisms with loops stand so high above the floor, as a part of the scene's extent, if they might need it. */
const LOOP = 0.5;

export class Model {
  readonly root = new Group();
  readonly frames: Frames;
  private readonly bodies: Bodies;
  private readonly marks: Marks;
  private readonly drawings: Drawings;
  private readonly cutouts: Cutouts;
  private readonly curves: Curves;
  private readonly wires: Wires;
  private readonly surfaces: Surfaces;
  private readonly skins: Skin[];
  private readonly solids: Solids;
  private readonly paths: Segments[];
  private readonly traces: { look: TraceLook; trace: Trace }[];
  private readonly up: Vector3;
  private readonly groups: Groups;
  private readonly branches: Branches;
  private tree: TreeArrows | null = null;
  private readonly spot = new Vector3();

  /** Paths of points go on where those of `before` ended. */
  constructor(
    readonly look: Look,
    poses: Float64Array,
    shapes: Shapes,
    textures: Textures,
    before: Model | null = null,
  ) {
    this.frames = new Frames(
      // What sits on something that deforms keeps its own directions.
      look.bodies.map((body) => !body.turns || body.rings !== undefined),
      cornersOf(look),
    );
    this.frames.set(poses);
    this.up = new Vector3(...look.up).normalize();
    this.groups = new Groups(look, this.frames);
    this.bodies = new Bodies(look, shapes);
    this.marks = new Marks(look, this.frames, shapes, before?.marks ?? null);
    this.drawings = new Drawings(look);
    this.cutouts = new Cutouts(look, textures);
    this.curves = new Curves(look, this.frames);
    this.skins = look.skins.map((skin) => new Skin(skin, shapes));
    this.solids = new Solids(look, this.frames, shapes);
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
    this.root.add(this.curves.group, this.solids.group, this.cutouts.group);
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
    this.cutouts.update(frames);
    this.curves.update();
    this.wires.update(frames);
    this.surfaces.update(frames);
    for (const skin of this.skins) skin.update(frames);
    this.solids.update();
    this.tree?.update(frames);
  }

  /** Colors what deforms by numbers of its corners, in a range from zero on; or as it is. */
  shade(numbers: Float64Array | null, top: number): void {
    this.solids.shade(numbers, top);
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
    this.curves.paint(brush);
    this.wires.paint(brush);
    this.surfaces.paint(brush);
    for (const skin of this.skins) skin.paint(brush);
    this.solids.paint(brush);
    for (const path of this.paths) path.color = brush.color('quiet');
    for (const { look, trace } of this.traces) trace.color = brush.color(look.color ?? TRACE);
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
    const hit = this.solids.pick(ray);
    if (hit !== null && (best === null || hit.distance < best.distance)) best = hit;
    return best;
  }

  /** The curve nearest to a place of the window, within so many pixels; `away` tells how far a point is. */
  pickCurve(away: (point: Vector3) => number, within: number): { body: number; point: Vector3 } | null {
    return this.curves.pick(this.look, away, within);
  }

  /** The movable body that the first of some rays meets, all of them within `slack` of `middle`. */
  pickBeside(middle: Raycaster, slack: (center: Vector3) => number, rays: Iterable<Raycaster>): BodyHit | null {
    const isMovable = (body: number | null): body is number =>
      body !== null && this.look.bodies[body]?.movable === true;
    const near = this.bodies.instances.flatMap((instances) => {
      const among = instances.beside(middle, slack).filter((k) => isMovable(instances.items[k]?.body ?? null));
      return among.length === 0 ? [] : [{ instances, among }];
    });
    const smooth = [...this.skins.filter((skin) => skin.isBeside(middle, slack)), ...this.solids.beside(middle, slack)];
    if (near.length === 0 && smooth.length === 0) return null;
    for (const ray of rays) {
      let best: BodyHit | null = null;
      for (const own of smooth) {
        const hit = own.pick(ray);
        if (hit !== null && isMovable(hit.body) && (best === null || hit.distance < best.distance)) best = hit;
      }
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

  /** Whether any ball around something of the scene is as wanted. */
  isAny(wanted: (center: Vector3, radius: number) => boolean): boolean {
    let isFound = false;
    this.balls((_, center, radius) => {
      isFound ||= wanted(center, radius);
    });
    const box = new Box3();
    this.curves.bound(box);
    this.solids.bound(box);
    if (isFound || box.isEmpty()) return isFound;
    const { center, radius } = box.getBoundingSphere(new Sphere());
    return wanted(center, radius);
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

  /** Where everything is that can be seen at once; or, above a height, everything near what is held. */
  bounds(above: number | null = null): Bounds {
    const groups = this.grouped();
    if (above !== null) for (const [group, { highest }] of groups) if (highest < above) groups.delete(group);
    const seen = seenTogether(groups, above === null ? LEGIBLE : NEARBY);
    const box = new Box3();
    for (const own of seen) box.union(own.box);
    if (above === null) {
      this.curves.bound(box);
      this.solids.bound(box);
    }
    if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const sphere = box.getBoundingSphere(new Sphere());
    sphere.radius = Math.max(sphere.radius, 1e-6);
    const free = seen.some((own) => own === groups.get(HELD)) ? [] : seen.flatMap(({ bodies }) => [...bodies]);
    return { box, sphere, free, isDots: seen.every((own) => own.isDots) };
  }

  /** What points stay on: curves and surfaces. */
  rails(): Box3 {
    const box = new Box3().setFromObject(this.surfaces.group);
    for (const { path = [], enabled } of this.look.joints)
      if (enabled) for (const [x, y, z] of path) box.expandByPoint(this.spot.set(x, y, z));
    return box;
  }

  /** How high bodies and the floor reach within a radius of the line through a point; −∞ if none are there. */
  topAround(point: Vector3, radius: number): number {
    const { up, look } = this;
    let top = look.floor === undefined ? -Infinity : new Vector3(...look.floor.point).dot(up);
    const [away, wide] = [new Vector3(), new Vector3()];
    for (const instances of this.bodies.instances)
      instances.spans(up, (_, { center, across, height, depth }) => {
        away.subVectors(center, point).projectOnPlane(up);
        wide.copy(across).projectOnPlane(up);
        if (away.length() < radius + wide.length()) top = Math.max(top, height + depth);
      });
    return top;
  }

  /** How high a floor is that nothing of the scene comes to by itself, if it begins here; what nothing holds may turn
   * but not fall. */
  floor(): number {
    const { look, up } = this;
    const groups = this.grouped();
    const near = seenTogether(groups, NEARBY);
    if (near.length === 0) return -look.extent;
    const balls: Ball[][] = look.bodies.map(() => []);
    for (const instances of this.bodies.instances)
      instances.spans(up, ({ body }, { center, radius }) => {
        if (body !== null) balls[body]?.push({ center: center.clone(), radius });
      });
    const held = groups.get(HELD);
    const lowest = near.map((own) =>
      own === held ? own.lowest : up.dot(own.box.getCenter(this.spot)) - 0.5 * own.box.getSize(new Vector3()).length(),
    );
    if (held !== undefined && near.includes(held)) {
      const reach = Math.min(...lowestReach(look, up, balls).filter(Number.isFinite));
      // On a loop bodies come nowhere near as far as their lengths would let them.
      const isLoop = look.joints.some(({ closes_loop }) => closes_loop === true);
      lowest.push(isLoop ? Math.max(reach, held.lowest - LOOP * look.extent) : reach);
    }
    return Math.min(...lowest);
  }

  dispose(): void {
    this.tree?.dispose();
    this.bodies.dispose();
    this.marks.dispose();
    this.drawings.dispose();
    this.cutouts.dispose();
    this.curves.dispose();
    this.solids.dispose();
    this.wires.dispose();
    this.surfaces.dispose();
    for (const own of [...this.skins, ...this.paths]) own.dispose();
    for (const { trace } of this.traces) trace.dispose();
  }

  /** How far each group of bodies reaches, and the ground with what it holds. */
  private grouped(): Map<number, Reach> {
    const groups = new Map<number, Reach>();
    const groupOf = this.groups.now();
    const reachOf = (body: number | null): Reach => {
      const group = groupOf(body);
      let own = groups.get(group);
      if (own === undefined) {
        own = { bodies: new Set(), isDots: true, box: new Box3(), lowest: Infinity, highest: -Infinity };
        groups.set(group, own);
      }
      return own;
    };
    for (const instances of this.instances)
      instances.spans(this.up, ({ body }, { center, across, height, depth }) => {
        const own = reachOf(body);
        if (body !== null) {
          own.bodies.add(body);
          own.isDots &&= this.look.bodies[body]?.turns === false;
        }
        own.box.expandByPoint(this.spot.addVectors(center, across));
        own.box.expandByPoint(this.spot.subVectors(center, across));
        own.lowest = Math.min(own.lowest, height - depth);
        own.highest = Math.max(own.highest, height + depth);
      });
    for (const { anchor } of this.marks.spots)
      reachOf(anchor.body).box.expandByPoint(this.frames.toWorld(anchor.body, anchor.local, this.spot));
    return groups;
  }

  private takeTrace(name: string): Trace | null {
    const at = this.traces.findIndex(({ look }) => look.name === name);
    return at < 0 ? null : (this.traces.splice(at, 1)[0]?.trace ?? null);
  }
}
