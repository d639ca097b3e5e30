// The picture: camera, light, what is drawn, and what is under the pointer.

import {
  AmbientLight,
  Color,
  DirectionalLight,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Look } from '../engine/words';
import type { Target } from '../state';
import { Model } from './model';
import { Shapes } from './shapes';
import { Trace } from './trace';

export interface Colours {
  background: string;
  ink: string;
  hand: string;
}

export interface Hit {
  target: Target;
  /** The place in the look of a body that can be held here. */
  body: number | null;
  /** World. */
  point: Vector3;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  model: Model | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly light = new DirectionalLight('#ffffff', 2);
  private readonly shapes: Shapes;
  private controls: OrbitControls;
  private colours: Colours = { background: '#ffffff', ink: '#222222', hand: '#c2410c' };
  private hand: Trace | null = null;
  private poses = new Float64Array();
  private isDirty = true;

  constructor(private readonly holder: HTMLElement, low: boolean) {
    this.renderer = new WebGLRenderer({ antialias: !low, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(low ? 1 : Math.min(window.devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The scene. Press and drag a body to move it; drag elsewhere to turn the view.');
    holder.append(this.canvas);
    this.shapes = new Shapes(low);
    this.scene.add(this.camera, new AmbientLight('#ffffff', 1.4));
    // The light comes with the camera, from above its left: whatever is looked at is lit.
    this.camera.add(this.light, this.light.target);
    this.light.position.set(-1, 2, 1.5);
    this.light.target.position.set(0, 0, -1);
    this.controls = this.newControls();
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    this.renderer.setAnimationLoop(() => this.draw());
  }

  show(look: Look, poses: Float64Array, opened: boolean): void {
    this.poses = poses.slice();
    this.remake(look);
    if (opened) this.lookAt(look);
  }

  move(poses: Float64Array, timePassed: boolean): void {
    this.poses.set(poses);
    this.model?.update(poses, timePassed);
    this.isDirty = true;
  }

  setColours(colours: Colours): void {
    this.colours = colours;
    this.scene.background = new Color(colours.background);
    if (this.model !== null) this.remake(this.model.look);
    this.isDirty = true;
  }

  /** A line from what is held to where the hand is; none when nothing is held. */
  showHand(held: Vector3 | null, goal: Vector3 | null, _effort: Vector3 | null = null): void {
    if (this.hand !== null) {
      this.scene.remove(this.hand.line);
      this.hand.dispose();
      this.hand = null;
    }
    if (held !== null && goal !== null) {
      this.hand = new Trace(this.colours.hand);
      this.hand.add(held);
      this.hand.add(goal);
      this.scene.add(this.hand.line);
    }
    this.isDirty = true;
  }

  /** What is under a place of the window. */
  pick(x: number, y: number): Hit | null {
    const hit = this.model?.pick(this.ray(x, y)) ?? null;
    if (hit === null) return null;
    return { ...hit, target: { kind: 'body', name: this.model?.look.bodies[hit.body]?.name ?? '' } };
  }

  /** A point of a body, by its place in the look, in the world; of the ground where there is no body. */
  worldOf(body: number | null, point: Vector3): Vector3 {
    return body === null ? point.clone() : (this.model?.toWorld(body, point) ?? point.clone());
  }

  toBody(body: number | null, point: Vector3): Vector3 {
    return body === null ? point.clone() : (this.model?.toBody(body, point) ?? point.clone());
  }

  /** Where a place of the window is on a line: the point of it that is nearest to the line of sight. */
  onAxis(x: number, y: number, through: Vector3, axis: Vector3): Vector3 | null {
    const { origin, direction } = this.ray(x, y).ray;
    const across = new Vector3().crossVectors(axis, direction);
    const size = across.lengthSq();
    if (size < 1e-9) return null;
    // t = ((o − p)×d)·(a×d) / |a×d|²
    const t = new Vector3().crossVectors(origin.clone().sub(through), direction).dot(across) / size;
    return through.clone().addScaledVector(axis, t);
  }

  /** Where a place of the window is on the plane through a point that faces the camera, or on z = const. */
  onPlane(x: number, y: number, through: Vector3, inPlane: boolean): Vector3 | null {
    const normal = inPlane ? new Vector3(0, 0, 1) : this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, through);
    return this.ray(x, y).ray.intersectPlane(plane, new Vector3());
  }

  /** Where a point of the world is in the window. */
  project(point: Vector3): { x: number; y: number } {
    this.camera.updateMatrixWorld();
    const seen = point.clone().project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return {
      x: box.left + (0.5 + 0.5 * seen.x) * box.width,
      y: box.top + (0.5 - 0.5 * seen.y) * box.height,
    };
  }

  set turning(on: boolean) {
    this.controls.enabled = on;
  }

  private ray(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const place = new Vector2(
      (2 * (x - box.left)) / box.width - 1,
      1 - (2 * (y - box.top)) / box.height,
    );
    this.scene.updateMatrixWorld();
    const ray = new Raycaster();
    ray.setFromCamera(place, this.camera);
    return ray;
  }

  private remake(look: Look): void {
    if (this.model !== null) {
      this.scene.remove(this.model.root);
      this.model.dispose();
      this.shapes.clear();
    }
    this.model = new Model(look, this.poses, this.shapes, this.colours.ink);
    this.scene.add(this.model.root);
    this.isDirty = true;
  }

  private lookAt(look: Look): void {
    const reach = Math.max(look.extent, 1e-6);
    const middle = this.middle(look);
    const target = look.camera === null ? middle : new Vector3(...look.camera.target);
    const eye = look.camera === null
      ? middle.clone().add(look.flat ? new Vector3(0, 0, 3 * reach) : new Vector3(1.2, 1, 2.6).multiplyScalar(reach))
      : new Vector3(...look.camera.eye);
    // Hints are for a wide window; a narrow one sees as much from further away.
    const { clientWidth: width, clientHeight: height } = this.holder;
    const narrow = Math.max(1, (1.2 * height) / Math.max(width, 1));
    eye.sub(target).multiplyScalar(narrow).add(target);
    this.camera.up.set(...look.up).normalize();
    const distance = eye.distanceTo(target);
    this.camera.near = 0.005 * distance;
    this.camera.far = 40 * Math.max(distance, reach);
    this.camera.position.copy(eye);
    // The controls take their idea of up from the camera when they are made.
    this.controls.dispose();
    this.controls = this.newControls();
    this.controls.target.copy(target);
    this.controls.update();
    this.resize();
  }

  private middle(look: Look): Vector3 {
    const middle = new Vector3();
    const origin = new Vector3();
    look.bodies.forEach((_, body) => {
      middle.add(this.model?.toWorld(body, origin) ?? origin);
    });
    return middle.divideScalar(Math.max(look.bodies.length, 1));
  }

  private newControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.addEventListener('change', () => {
      this.isDirty = true;
    });
    return controls;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.isDirty = true;
  }

  private draw(): void {
    if (!this.isDirty) return;
    this.isDirty = false;
    this.renderer.render(this.scene, this.camera);
  }
}
