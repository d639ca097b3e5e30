// A scene as three.js objects: made after an edit, moved after every step.

import {
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  type Object3D,
  Quaternion,
  Raycaster,
  Vector3,
} from 'three';
import type { End, JointLook, Look } from '../engine/words';
import { matrixOf } from './poses';
import { Shapes } from './shapes';
import { Trace } from './trace';

/** Joints that are seen as a line from end to end. */
const LINES = ['distance', 'spring', 'distance-drive'];
/** Joints that turn about an axis. */
const PINS = ['hinge', 'cylindrical', 'screw', 'angle-drive'];
const X = new Vector3(1, 0, 0);

export interface Hit {
  body: number;
  /** World. */
  point: Vector3;
}

interface Anchor {
  body: number | null;
  /** On the body; world for the ground. */
  local: Vector3;
}

export class Model {
  readonly root = new Group();
  private readonly bodies: Group[] = [];
  private readonly isTroid: boolean[];
  private readonly lines: { from: Anchor; to: Anchor; line: Line }[] = [];
  private readonly traces: { anchor: Anchor; trace: Trace }[] = [];
  private readonly own: { dispose(): void }[] = [];
  private readonly spot = new Vector3();

  constructor(
    readonly look: Look,
    poses: Float64Array,
    private readonly shapes: Shapes,
    ink: string,
  ) {
    this.isTroid = look.bodies.map((body) => body.type === 'troid');
    for (const part of look.ground) this.root.add(shapes.part(part, '#9a9a94', 0));
    look.bodies.forEach((body, order) => {
      const group = new Group();
      group.matrixAutoUpdate = false;
      for (const part of body.parts) {
        const mesh = shapes.part(part, body.colour, order);
        mesh.userData.body = order;
        group.add(mesh);
      }
      group.visible = body.enabled;
      this.bodies.push(group);
      this.root.add(group);
    });
    this.place(poses);
    for (const joint of look.joints) if (joint.enabled) this.addJoint(joint, ink);
    for (const look_ of look.traces) {
      const trace = new Trace(look_.colour ?? '#e07a3f');
      this.root.add(trace.line);
      this.own.push(trace);
      this.traces.push({ anchor: this.anchor(look_.at), trace });
    }
    this.update(poses, true);
  }

  /** Where poses have moved everything; traces go on only while time does. */
  update(poses: Float64Array, traces: boolean): void {
    this.place(poses);
    for (const { from, to, line } of this.lines) {
      const points = line.geometry.getAttribute('position');
      this.world(from, this.spot);
      points.setXYZ(0, this.spot.x, this.spot.y, this.spot.z);
      this.world(to, this.spot);
      points.setXYZ(1, this.spot.x, this.spot.y, this.spot.z);
      points.needsUpdate = true;
    }
    if (!traces) return;
    for (const { anchor, trace } of this.traces) trace.add(this.world(anchor, this.spot));
  }

  /** The body under a ray. */
  pick(ray: Raycaster): Hit | null {
    const meshes = this.bodies.flatMap((group) => group.children);
    const seen = ray.intersectObjects(meshes, false);
    for (const { object, point } of seen) {
      const body: unknown = object.userData.body;
      if (typeof body === 'number') return { body, point };
    }
    return null;
  }

  /** A world point in the coordinates of a body. */
  toBody(body: number, point: Vector3): Vector3 {
    const group = this.bodies[body];
    if (group === undefined) return point.clone();
    return point.clone().applyMatrix4(new Matrix4().copy(group.matrix).invert());
  }

  toWorld(body: number, point: Vector3): Vector3 {
    const group = this.bodies[body];
    return group === undefined ? point.clone() : point.clone().applyMatrix4(group.matrix);
  }

  dispose(): void {
    for (const thing of this.own) thing.dispose();
  }

  private place(poses: Float64Array): void {
    this.bodies.forEach((group, body) => {
      matrixOf(poses, body, this.isTroid[body] ?? false, group.matrix);
      group.matrixWorldNeedsUpdate = true;
    });
  }

  private anchor(end: End): Anchor {
    const point = new Vector3(...end.point);
    const local = end.body === null ? point : this.toBody(end.body, point);
    return { body: end.body, local };
  }

  private world(anchor: Anchor, out: Vector3): Vector3 {
    out.copy(anchor.local);
    const group = anchor.body === null ? undefined : this.bodies[anchor.body];
    return group === undefined ? out : out.applyMatrix4(group.matrix);
  }

  private addJoint(joint: JointLook, ink: string): void {
    const [a, b] = joint.ends;
    const size = 0.014 * this.look.extent;
    const markSize = Math.max(2.2 * size, 0.6 * this.thickness(joint));
    for (const end of joint.ends) if (end.body === null) this.addGroundMark(end, markSize, ink);
    if (a !== undefined && b !== undefined && LINES.includes(joint.type ?? '')) {
      this.addLine(this.anchor(a), this.anchor(b), ink);
    }
    const end = joint.ends.findLast((own) => own.body !== null);
    if (end === undefined) return;
    const isPin = joint.axis !== null && PINS.includes(joint.type ?? '');
    const mark = isPin
      ? this.shapes.pinMesh(ink, Math.max(3 * size, 1.25 * this.thickness(joint)), 0.8 * size)
      : this.shapes.ballMesh(ink, size);
    const point = new Vector3(...end.point);
    if (joint.axis !== null && isPin) {
      mark.quaternion.setFromUnitVectors(X, new Vector3(...joint.axis).normalize());
    }
    this.hang(mark, end.body, point);
  }

  /** Of the bodies a joint holds: marks are larger than that, or they are not seen. */
  private thickness(joint: JointLook): number {
    let most = 0;
    for (const { body } of joint.ends) {
      const parts = body === null ? [] : (this.look.bodies[body]?.parts ?? []);
      for (const { shape } of parts) {
        if (shape.type === 'box') most = Math.max(most, Math.min(...shape.size));
        if (shape.type === 'cylinder') most = Math.max(most, Math.min(shape.length, 2 * shape.radius));
      }
    }
    return most;
  }

  /** Fastens something that is placed in the world to a body. */
  private hang(thing: Object3D, body: number | null, point: Vector3): void {
    const group = body === null ? undefined : this.bodies[body];
    thing.position.copy(point);
    if (group === undefined) {
      this.root.add(thing);
      return;
    }
    // A troid's map is no rotation; its marks are in its plane and need only their place.
    const inverse = new Matrix4().copy(group.matrix).invert();
    thing.position.applyMatrix4(inverse);
    if (!this.isTroid[body ?? 0]) {
      thing.quaternion.premultiply(new Quaternion().setFromRotationMatrix(inverse));
    }
    group.add(thing);
  }

  private addGroundMark(end: End, size: number, ink: string): void {
    const cone = new ConeGeometry(size, 1.6 * size, 4);
    this.own.push(cone);
    const mark = new Mesh(cone, this.shapes.material(ink));
    const up = new Vector3(...this.look.up).normalize();
    mark.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
    mark.position.set(...end.point).addScaledVector(up, -0.8 * size);
    this.root.add(mark);
  }

  private addLine(from: Anchor, to: Anchor, ink: string): void {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
    const material = new LineBasicMaterial({ color: ink });
    const line = new Line(geometry, material);
    line.frustumCulled = false;
    this.own.push(geometry, material);
    this.root.add(line);
    this.lines.push({ from, to, line });
  }
}
