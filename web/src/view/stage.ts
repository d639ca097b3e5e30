// The picture. Everything here may be called at any time, also without a graphics card, and is cheap; what can
// be seen is drawn at the next frame of the window, and only if something changed.
//
//   show, move, setColors        a scene after an edit, poses after a step, the colors of the page
//   pick(x, y)                    what is under a place of the window: a joint's sign within a few pixels, else
//                                 a body; `body` is what a hand can hold there
//   reach(x, y)                   the same, or else the nearest body that can be held within a finger's breadth
//   onPlane, onPlaneAcross, onAxis, project
//                                 between the window and the world
//   worldOf, toBody               between a body's coordinates and the world
//   setHover, setSelection        points out a body, joint or behavior; `null` for nothing
//   setTints(map)                 tints joints by name
//   shade(numbers, top)           colors bodies by numbers of their corners, from zero to there
//   showPoints(points, top)       points that pull bodies, with lines to them
//   treeShown                     whether arrows show the spanning tree, from root to leaves
//   showForces(joints, contacts)  arrows at points of the world, N, all in one scale; points where bodies touch
//   up, topAround(point, radius)  which way is up, and how high things reach there
//   floorBelow()                  how high a floor would be that nothing of the scene comes to by itself
//   showHand(held, goal, effort)  the pulled point, the line to its target, and the force of the hand in N
//   overlay, invalidate()         a group for other tools' objects; say when they changed
//   sizes()                       how large the bodies of each joint are in the window
//   fit(), flat                   all in view; seen along z or in space
//   picture(look, poses, w, h)    another scene as a data URL, in the same materials
//   turning                       whether the pointer moves the view
//
// Trouble with the graphics card is told to `onTrouble` in words, and `null` when it is over.

import { Box3, Group, MeshBasicMaterial, type Object3D, PCFShadowMap, Vector3, WebGLRenderer } from 'three';
import type { Look } from '../engine/border';
import { type Arrow, Arrows, ForceScale, largestOf } from './arrows';
import { Brush, type Colors, keyOf, type Target, type Tint } from './colors';
import { Contacts } from './contacts';
import { Dots } from './dots';
import { Drift } from './drift';
import { Eye } from './eye';
import { Grip } from './grip';
import type { Model } from './model';
import { Outline } from './outline';
import { AROUND, meets, NEAR, ON_CURVE, REACH } from './picking';
import { Scenery } from './scenery';
import { Shapes } from './shapes';
import { Textures } from './textures';

export type { Arrow, Colors, Target };

export interface Hit {
  target: Target;
  /** The place in the look of a body that can be held here. */
  body: number | null;
  /** World. */
  point: Vector3;
  /** Beside the pointer, not under it. */
  isBeside?: true;
}

const NO_GRAPHICS =
  'This browser shows no 3D graphics (WebGL 2 is missing or switched off), so there is no picture. Everything else works.';
const LOST = 'The graphics context was lost; the picture comes back when it is restored. Time goes on.';

/** The longest arrow of a force is at least so long, px. */
const LEGIBLE = 70;
/** Around points there is so much room, as a part of the scene's extent. */
const DOTS = 0.5;
/** How often it is looked whether anything is in the picture, ms. */
const CALM = 200;

const isSame = (a: Target | null, b: Target | null): boolean => a?.kind === b?.kind && a?.name === b?.name;

export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly overlay = new Group();
  readonly textures = new Textures(() => this.invalidate());
  private readonly renderer: WebGLRenderer | null;
  private readonly shapes: Shapes;
  private readonly brush: Brush;
  private readonly scenery: Scenery;
  private readonly eye: Eye;
  private readonly grip: Grip;
  private readonly arrows: Arrows;
  private readonly contacts: Contacts;
  private readonly dots = new Dots();
  /** Arrows of contacts. */
  private readonly pushes: Arrows;
  private forces = new ForceScale();
  private readonly hoverRim = new Outline(2);
  private readonly selectionRim = new Outline(3.5);
  private colors: Colors = { background: '#ffffff', ink: '#222222', hand: '#c2410c' };
  private readonly drift = new Drift();
  private followed: string | null = null;
  private efforts = new ForceScale();
  /** The frame of the window that was asked for. */
  private frame: number | null = null;
  private isLost = false;
  /** The first picture of a scene has been drawn. */
  private isRehearsed = false;
  private isLeft = false;
  private lookedAt = 0;
  /** All bodies have left the picture, or some are in it again. */
  onLeft: (isLeft: boolean) => void = () => {};

  constructor(
    private readonly holder: HTMLElement,
    low: boolean,
    private readonly onTrouble: (text: string | null) => void = () => {},
  ) {
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute(
      'aria-label',
      'The scene. Press and drag a body to move it; drag elsewhere to turn the view.',
    );
    holder.append(this.canvas);
    this.shapes = new Shapes(low);
    this.brush = new Brush(this.colors);
    this.scenery = new Scenery(this.shapes, this.brush, this.textures);
    this.eye = new Eye(this.canvas, () => this.invalidate());
    this.grip = new Grip(this.shapes);
    const replace = (mesh: Object3D, old: Object3D | null): void => {
      if (old !== null) this.scenery.scene.remove(old);
      this.scenery.scene.add(mesh);
    };
    this.arrows = new Arrows(this.shapes, replace);
    this.contacts = new Contacts(this.shapes, replace);
    this.pushes = new Arrows(this.shapes, replace, new MeshBasicMaterial({ depthTest: false, transparent: true }));
    this.scenery.scene.add(
      this.overlay,
      this.dots.group,
      this.grip.group,
      this.hoverRim.group,
      this.selectionRim.group,
    );
    this.renderer = this.newRenderer(low);
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    this.invalidate();
  }

  get model(): Model | null {
    return this.scenery.model;
  }

  show(look: Look, poses: Float64Array, opened: boolean): void {
    this.scenery.show(look, poses, opened);
    // Numbers of what was there before are none of what is there now; the next frame has them.
    this.model?.shade(null, 0);
    this.drift.show(look, poses, opened);
    if (opened) {
      this.eye.open(look, (this.model as Model).bounds());
      this.hideForces();
    }
    this.surround();
    this.invalidate();
  }

  move(poses: Float64Array, timePassed: boolean, traced: Float64Array | null): void {
    this.scenery.move(poses, traced);
    const by = this.model === null ? null : this.drift.since(poses);
    // A hand that holds something wants a view that keeps still.
    if (by !== null && timePassed && this.eye.turning) this.eye.shift(by);
    this.invalidate();
  }

  setColors(colors: Colors): void {
    this.colors = colors;
    this.brush.setColors(colors);
    this.scenery.paint(colors.background);
    this.grip.paint(this.brush.color('drive'));
    this.arrows.paint(this.brush.color('drive'));
    this.contacts.paint(this.brush.color('drive'));
    this.pushes.paint(this.brush.color('drive'));
    this.dots.paint(this.brush.color('drive'), this.brush.color('quiet'), this.brush.color('ink'));
    this.invalidate();
  }

  setHover(target: Target | null): void {
    if (isSame(target, this.brush.hovered)) return;
    this.brush.hovered = target;
    this.pointOut();
  }

  setSelection(target: Target | null): void {
    if (isSame(target, this.brush.selected)) return;
    this.brush.selected = target;
    this.pointOut();
  }

  setTints(tints: ReadonlyMap<string, Tint>): void {
    this.brush.tints = tints;
    this.pointOut();
  }

  shade(numbers: Float64Array | null, top: number): void {
    this.model?.shade(numbers, top);
    this.invalidate();
  }

  showPoints(points: Float64Array | null, top: number | null): void {
    this.dots.show(points, top);
    this.invalidate();
  }

  set treeShown(on: boolean) {
    this.scenery.treeShown = on;
    this.invalidate();
  }

  showForces(joints: readonly Arrow[], contacts: readonly Arrow[]): void {
    this.forces.see(Math.max(largestOf(joints), largestOf(contacts)));
    // Of small scenes too much would be too short to be read.
    const longest = Math.max(0.35 * (this.model?.look.extent ?? 1), LEGIBLE * this.eye.pixel(this.eye.target()));
    this.arrows.set(joints, longest, this.forces);
    this.pushes.set(contacts, longest, this.forces);
    this.contacts.set(contacts.map(({ point }) => point));
    this.invalidate();
  }

  /** Nothing of them is shown. What comes next may be another scene's: its forces have a scale of their own. */
  hideForces(): void {
    this.showForces([], []);
    this.forces = new ForceScale();
  }

  /** Which way is up, of length 1. */
  get up(): Vector3 {
    return new Vector3(...(this.model?.look.up ?? [0, 1, 0])).normalize();
  }

  /** How high bodies and the floor reach that are above or below a point, within a radius; −∞ if none are. */
  topAround(point: Vector3, radius: number): number {
    return this.model?.topAround(point, radius) ?? -Infinity;
  }

  floorBelow(): number {
    return this.model?.floor() ?? 0;
  }

  /** Without a point and a goal nothing is held. */
  showHand(held: Vector3 | null, goal: Vector3 | null, effort: Vector3 | null = null): void {
    if (held === null || goal === null) {
      this.grip.hide();
      this.efforts = new ForceScale();
    } else {
      this.grip.show(held, goal, effort === null ? null : this.effort(effort));
    }
    this.invalidate();
  }

  /** Asks for a picture. While nothing changes no frame of the window is asked for, and the browser rests. */
  invalidate(): void {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  pick(x: number, y: number): Hit | null {
    const { model } = this;
    if (model === null) return null;
    let found = null;
    for (const [dx, dy] of NEAR) {
      found = model.pickBody(this.eye.ray(x + dx, y + dy));
      if (found !== null) break;
    }
    const mark = this.pickMark(model, x, y, found?.distance ?? Infinity);
    if (mark !== null)
      return { target: mark.target, body: found?.body ?? mark.body, point: found?.point ?? mark.point };
    if (found === null) return this.pickCurve(x, y, ON_CURVE);
    const name = model.look.bodies[found.body]?.name ?? '';
    return { target: { kind: 'body', name }, body: found.body, point: found.point };
  }

  /** The curve that is nearest in the window, within so many pixels. */
  private pickCurve(x: number, y: number, within: number): Hit | null {
    const { model, eye } = this;
    const away = (point: Vector3): number => {
      const seen = eye.project(point);
      return Math.hypot(seen.x - x, seen.y - y);
    };
    const found = model?.pickCurve(away, within) ?? null;
    if (model === null || found === null) return null;
    const name = model.look.bodies[found.body]?.name ?? '';
    return { target: { kind: 'body', name }, body: found.body, point: found.point };
  }

  reach(x: number, y: number): Hit | null {
    const under = this.pick(x, y);
    const { model, eye } = this;
    if (under !== null || model === null) return under;
    const rays = function* () {
      for (const [dx, dy] of AROUND) yield eye.ray(x + dx, y + dy);
    };
    const found = model.pickBeside(eye.ray(x, y), (center) => REACH * eye.pixel(center), rays());
    if (found === null) {
      const curve = this.pickCurve(x, y, REACH);
      return curve === null ? null : { ...curve, isBeside: true };
    }
    const name = model.look.bodies[found.body]?.name ?? '';
    return { target: { kind: 'body', name }, body: found.body, point: found.point, isBeside: true };
  }

  onPlane(x: number, y: number, through: Vector3, inPlane: boolean): Vector3 | null {
    return this.eye.onPlane(x, y, through, inPlane);
  }

  onPlaneAcross(x: number, y: number, through: Vector3, normal: Vector3): Vector3 | null {
    return this.eye.onPlaneAcross(x, y, through, normal);
  }

  onAxis(x: number, y: number, through: Vector3, axis: Vector3): Vector3 | null {
    return this.eye.onAxis(x, y, through, axis);
  }

  project(point: Vector3): { x: number; y: number } {
    return this.eye.project(point);
  }

  /** A point of a body, by its place in the look, in the world; of the ground where there is no body. */
  worldOf(body: number | null, point: Vector3): Vector3 {
    return this.model?.toWorld(body, point) ?? point.clone();
  }

  toBody(body: number | null, point: Vector3): Vector3 {
    return this.model?.toBody(body, point) ?? point.clone();
  }

  /** How large a pixel is at a point of the world, m. */
  pixel(point: Vector3): number {
    return this.eye.pixel(point);
  }

  /** How large the largest body of each joint is in the window, px, by the joint's name; zero out of sight. */
  sizes(): Map<string, number> {
    const { model, eye } = this;
    if (model === null) return new Map();
    const largest = new Float64Array(model.look.bodies.length);
    model.balls((body, center, radius) => {
      const size = radius / eye.pixel(center);
      if (this.isSeen(center, size)) largest[body] = Math.max(largest[body] ?? 0, size);
    });
    const of = (body: number | null): number => (body === null ? 0 : (largest[body] ?? 0));
    return new Map(model.look.joints.map(({ name, ends }) => [name, Math.max(0, ...ends.map(({ body }) => of(body)))]));
  }

  /** Tells when all bodies have left the picture, and when some are in it again. */
  private watchForAll(): void {
    const { model, eye } = this;
    const now = performance.now();
    if (model === null || (!this.isLeft && now < this.lookedAt + CALM)) return;
    this.lookedAt = now;
    const isSeen = model.isAny((center, radius) => this.isSeen(center, radius / eye.pixel(center)));
    const isLeft = model.look.bodies.length > 0 && !isSeen;
    if (isLeft === this.isLeft) return;
    this.isLeft = isLeft;
    this.onLeft(isLeft);
  }

  /** Whether a ball of so many pixels is in the picture. */
  private isSeen(center: Vector3, size: number): boolean {
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = this.eye.project(center);
    return Math.max(box.left - x, x - box.right, box.top - y, y - box.bottom) < size && Number.isFinite(size);
  }

  fit(): void {
    if (this.model === null) return;
    const bounds = this.model.bounds();
    const beside = new Box3().setFromObject(this.overlay).union(this.model.rails());
    if (!beside.isEmpty()) {
      if (this.model.look.bodies.length === 0) bounds.box.makeEmpty();
      bounds.box.union(beside);
    }
    // A point alone would fill the picture.
    if (bounds.isDots) bounds.box.expandByScalar(DOTS * this.model.look.extent);
    bounds.box.getBoundingSphere(bounds.sphere);
    // What falls would be out of the picture at once; with some room around it is seen to fall.
    if (bounds.free.length > 0) bounds.box.expandByScalar(0.5 * bounds.sphere.radius);
    this.eye.fit(bounds);
    if (this.followed === null) this.drift.follow(bounds.free, this.model.frames.maps);
  }

  /** The eye goes along with this body; with none, as scenes do by themselves. */
  follow(name: string | null): void {
    this.followed = name;
    if (this.model !== null) this.drift.choose(name, this.model.look, this.model.frames.maps);
  }

  get flat(): boolean {
    return this.eye.isFlat;
  }

  set flat(on: boolean) {
    this.eye.setFlat(on);
  }

  set turning(on: boolean) {
    this.eye.turning = on;
  }

  /** Empty where there are no graphics. */
  picture(look: Look, poses: Float64Array, width: number, height: number): string {
    const { renderer } = this;
    if (renderer === null || this.isLost) return '';
    const scenery = new Scenery(this.shapes, new Brush(this.colors), new Textures(() => {}));
    const eye = new Eye(document.createElement('canvas'), () => {});
    try {
      scenery.show(look, poses, true);
      scenery.paint(this.colors.background);
      eye.resize(width, height);
      eye.open(look, (scenery.model as Model).bounds());
      this.lay(scenery, eye);
      renderer.setPixelRatio(1);
      renderer.setSize(width, height, false);
      renderer.render(scenery.scene, eye.camera);
      const url = this.canvas.toDataURL();
      // The window is painted after this task: nobody sees the canvas in between.
      this.resize();
      this.draw();
      return url;
    } finally {
      scenery.dispose();
      eye.dispose();
    }
  }

  private pickMark(
    model: Model,
    x: number,
    y: number,
    behind: number,
  ): { target: Target; body: number | null; point: Vector3 } | null {
    const { eye } = this;
    const spot = new Vector3();
    const { origin } = eye.ray(x, y).ray;
    let best: { target: Target; body: number | null; point: Vector3 } | null = null;
    let least = Infinity;
    const seen = { x: 0, y: 0, radius: 0, depth: 0 };
    for (const { anchor, target, size, body } of model.spots) {
      model.frames.toWorld(anchor.body, anchor.local, spot);
      eye.project(spot, seen);
      seen.radius = size / eye.pixel(spot);
      const away = meets(seen, x, y);
      // Marks are inside the bodies they hold; what is much further back is hidden.
      if (away === null || away >= least || origin.distanceTo(spot) > behind + 8 * size) continue;
      least = away;
      best = { target, body, point: spot.clone() };
    }
    return best;
  }

  /** Recolors what is drawn. */
  private pointOut(): void {
    this.model?.paint(this.brush);
    this.surround();
    this.invalidate();
  }

  private surround(): void {
    const { selected, hovered } = this.brush;
    const rim = (outline: Outline, target: Target | null): void => {
      const key = target === null ? null : keyOf(target);
      outline.around(this.model, key, (key === null ? null : this.brush.accent(key)) ?? '#000000');
    };
    rim(this.selectionRim, selected);
    rim(this.hoverRim, isSame(selected, hovered) ? null : hovered);
  }

  /** As long as it is large beside the largest since the hand took hold. */
  private effort(force: Vector3): Vector3 {
    const size = force.length();
    this.efforts.see(size);
    const length = 0.25 * (this.model?.look.extent ?? 1) * this.efforts.length(size);
    return size === 0 ? force.clone() : force.clone().multiplyScalar(length / size);
  }

  private newRenderer(low: boolean): WebGLRenderer | null {
    // Asked for here, because a renderer that gets none throws and writes to the console.
    const context = this.canvas.getContext('webgl2', {
      antialias: !low,
      alpha: false,
      powerPreference: 'high-performance',
    });
    if (context === null) {
      this.onTrouble(NO_GRAPHICS);
      return null;
    }
    try {
      const renderer = new WebGLRenderer({ canvas: this.canvas, context });
      renderer.shadowMap.enabled = !low;
      renderer.shadowMap.type = PCFShadowMap;
      this.canvas.addEventListener('webglcontextlost', () => {
        this.isLost = true;
        this.onTrouble(LOST);
      });
      this.canvas.addEventListener('webglcontextrestored', () => {
        this.isLost = false;
        this.onTrouble(null);
        this.invalidate();
      });
      return renderer;
    } catch (error) {
      this.onTrouble(`${NO_GRAPHICS} (${error instanceof Error ? error.message : String(error)})`);
      return null;
    }
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    if (this.renderer === null) {
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    } else {
      // A window may have moved to another screen.
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.shapes.low ? 1 : 2));
      this.renderer.setSize(width, height);
    }
    this.eye.resize(width, height);
  }

  /** Lays the ground out below what is seen. Lines of the grid are some finger's breadth apart. */
  private lay({ ground }: Scenery, eye: Eye): void {
    const target = eye.target();
    ground.spacing = 36 * eye.pixel(target);
    ground.under(target, eye.distance());
  }

  private draw(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    if (this.isLost || this.renderer === null) return;
    this.eye.prepare();
    this.lay(this.scenery, this.eye);
    const isRehearsal = !this.isRehearsed && this.model !== null;
    if (isRehearsal) this.grip.rehearse();
    this.grip.face(this.eye);
    this.contacts.face(this.eye);
    this.hoverRim.update(this.model, this.eye);
    this.selectionRim.update(this.model, this.eye);
    this.renderer.render(this.scenery.scene, this.eye.camera);
    this.watchForAll();
    if (isRehearsal) {
      this.isRehearsed = true;
      this.grip.hide();
    }
  }
}
