// From where the scene is seen: two cameras, the controls that move them, and what is where in the window.

import {
  type Box3,
  type Camera,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  TOUCH,
  Vector2,
  Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Look } from '../engine/border';
import type { Bounds } from './model';
import { nearestOnLine } from './picking';

const FIELD = 40;
/** How much of the picture a scene may fill: buttons are over its rim. */
const MARGIN = 0.9;
export const HALF = Math.tan((0.5 * FIELD * Math.PI) / 180);

export class Eye {
  private readonly perspective = new PerspectiveCamera(FIELD, 1, 0.01, 1000);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  private controls: OrbitControls | null = null;
  private flat = false;
  private isTurning = true;
  private width = 1;
  private height = 1;
  private extent = 1;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly changed: () => void,
  ) {}

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.flat ? this.orthographic : this.perspective;
  }

  get isFlat(): boolean {
    return this.flat;
  }

  /** Whether the pointer moves the view. */
  get turning(): boolean {
    return this.isTurning;
  }

  set turning(on: boolean) {
    this.isTurning = on;
    if (this.controls !== null) this.controls.enabled = on;
  }

  /** As the hints of a scene say, else from the front. */
  open(look: Look, { box, sphere: bounds }: Bounds): void {
    this.extent = Math.max(look.extent, 1e-6);
    const target = look.camera === null ? bounds.center.clone() : new Vector3(...look.camera.target);
    const from = look.flat ? new Vector3(0, 0, 3) : new Vector3(1.2, 1, 2.6);
    const eye =
      look.camera === null ? target.clone().addScaledVector(from, bounds.radius) : new Vector3(...look.camera.eye);
    this.flat = look.flat;
    this.perspective.up.set(...look.up).normalize();
    // Hints are for a wide window; a narrow one sees as much from further away.
    this.back(box, target, eye.sub(target));
    this.steer(target);
  }

  /** Looks along z with parallel rays, or from where the eye is. */
  setFlat(on: boolean): void {
    if (on === this.flat) return;
    const target = this.target();
    const distance = this.distance();
    this.flat = on;
    // A little from the side, so that depth is seen at once.
    this.aim(target, new Vector3(0.25, 0.2, 0.94).setLength(distance));
    this.steer(target);
  }

  /** All of it in view, from the same side. */
  fit({ box, sphere }: Bounds): void {
    const way = this.camera.getWorldDirection(new Vector3()).negate();
    this.back(box, sphere.center, way.multiplyScalar(sphere.radius));
    this.steer(sphere.center);
  }

  /** What is near is not cut off, and what is far is not lost, wherever the eye has gone. */
  prepare(): void {
    const distance = this.distance();
    if (!this.flat && Math.abs(Math.log(this.perspective.near / (0.01 * distance))) > 0.3) this.range(distance);
    this.camera.updateMatrixWorld();
  }

  resize(width: number, height: number): void {
    const distance = this.distance();
    this.width = width;
    this.height = height;
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    if (this.flat) this.frame(distance);
    this.changed();
  }

  ray(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const place = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    this.camera.updateMatrixWorld();
    const ray = new Raycaster();
    ray.setFromCamera(place, this.camera as Camera & PerspectiveCamera);
    return ray;
  }

  /** Where a place of the window is on the plane through a point that faces the eye, or on z = const. */
  onPlane(x: number, y: number, through: Vector3, inPlane: boolean): Vector3 | null {
    return this.onPlaneAcross(
      x,
      y,
      through,
      inPlane ? new Vector3(0, 0, 1) : this.camera.getWorldDirection(new Vector3()),
    );
  }

  /** Where a place of the window is in the plane across a direction. */
  onPlaneAcross(x: number, y: number, through: Vector3, normal: Vector3): Vector3 | null {
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, through);
    return this.ray(x, y).ray.intersectPlane(plane, new Vector3());
  }

  /** The point of a line that is nearest to a place of the window. */
  onAxis(x: number, y: number, through: Vector3, axis: Vector3): Vector3 | null {
    const { ray } = this.ray(x, y);
    return nearestOnLine(ray.origin, ray.direction, through, axis);
  }

  /** Where a point of the world is in the window. */
  project(point: Vector3, out = { x: 0, y: 0 }): { x: number; y: number } {
    this.camera.updateMatrixWorld();
    const seen = scratch.copy(point).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    out.x = box.left + (0.5 + 0.5 * seen.x) * box.width;
    out.y = box.top + (0.5 - 0.5 * seen.y) * box.height;
    return out;
  }

  /** How large a pixel is at a point, m. */
  pixel(point: Vector3): number {
    if (this.flat) return (this.orthographic.top - this.orthographic.bottom) / (this.orthographic.zoom * this.height);
    const depth = scratch.copy(point).applyMatrix4(this.perspective.matrixWorldInverse).z;
    return (2 * HALF * Math.max(-depth, this.perspective.near)) / this.height;
  }

  /** Goes along with what is looked at. */
  shift(by: Vector3): void {
    this.perspective.position.add(by);
    this.orthographic.position.add(by);
    this.controls?.target.add(by);
    this.controls?.update();
  }

  target(): Vector3 {
    return this.controls?.target.clone() ?? new Vector3();
  }

  dispose(): void {
    this.controls?.dispose();
  }

  /** From the target, as if seen in perspective. */
  distance(): number {
    if (!this.flat) return Math.max(this.perspective.position.distanceTo(this.target()), 1e-9);
    return (this.orthographic.top - this.orthographic.bottom) / (2 * HALF * this.orthographic.zoom);
  }

  /** Places the eye, and then further away until a box is in the picture. */
  private back(box: Box3, target: Vector3, from: Vector3): void {
    // A hint may put the eye where it looks.
    if (from.lengthSq() === 0) from.set(0, 0, this.extent);
    this.aim(target, from);
    for (let k = 0; k < 60 && !this.holds(box); k += 1) this.aim(target, from.multiplyScalar(1.06));
  }

  /** Whether a box is in the picture. */
  private holds(box: Box3): boolean {
    const corner = new Vector3();
    for (let k = 0; k < 8; k += 1) {
      corner.set(
        (k & 1) === 0 ? box.min.x : box.max.x,
        (k & 2) === 0 ? box.min.y : box.max.y,
        (k & 4) === 0 ? box.min.z : box.max.z,
      );
      corner.project(this.camera);
      // Behind the eye z is beyond one.
      if (Math.abs(corner.x) > MARGIN || Math.abs(corner.y) > MARGIN || Math.abs(corner.z) > 1) return false;
    }
    return true;
  }

  private aim(target: Vector3, from: Vector3): void {
    const distance = from.length();
    this.perspective.position.addVectors(target, from);
    this.perspective.lookAt(target);
    this.range(distance);
    this.orthographic.position.set(target.x, target.y, target.z + 10 * this.extent);
    this.orthographic.lookAt(target);
    this.frame(distance);
    this.camera.updateMatrixWorld();
  }

  private range(distance: number): void {
    this.perspective.near = 0.01 * distance;
    this.perspective.far = 30 * Math.max(distance, this.extent);
    this.perspective.updateProjectionMatrix();
  }

  /** The controls take their idea of up from the camera when they are made. */
  private steer(target: Vector3): void {
    this.controls?.dispose();
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enabled = this.isTurning;
    controls.target.copy(target);
    if (this.flat) {
      controls.enableRotate = false;
      controls.zoomToCursor = true;
      controls.mouseButtons.LEFT = MOUSE.PAN;
      controls.touches.ONE = TOUCH.PAN;
    }
    controls.update();
    controls.addEventListener('change', this.changed);
    this.controls = controls;
    this.changed();
  }

  /** The orthographic camera sees at the target what the other one would from a distance. */
  private frame(distance: number): void {
    const half = HALF * distance;
    const aspect = this.width / this.height;
    Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, zoom: 1 });
    this.orthographic.near = 0.01 * this.extent;
    this.orthographic.far = 30 * this.extent;
    this.orthographic.updateProjectionMatrix();
  }
}

const scratch = new Vector3();
