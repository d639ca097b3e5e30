// What a hand does: the point it holds, where it pulls to, the line between, and its effort.

import {
  type BufferGeometry,
  type Color,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  TorusGeometry,
  Vector3,
} from 'three';
import type { Eye } from './eye';
import { stretch } from './instances';
import { Segments } from './line';
import type { Shapes } from './shapes';

export class Grip {
  readonly group = new Group();
  private readonly held = new Vector3();
  private readonly goal = new Vector3();
  private readonly effort = new Vector3();
  private readonly line = new Segments(1, 2);
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly ball: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly ring: Mesh<TorusGeometry, MeshBasicMaterial>;
  private readonly arrow: InstancedMesh;

  constructor(shapes: Shapes) {
    this.ball = new Mesh(shapes.form('ball'), this.material);
    this.ring = new Mesh(new TorusGeometry(1, 0.16, 8, 32), this.material);
    this.arrow = new InstancedMesh(shapes.form('arrow'), this.material, 1);
    this.arrow.frustumCulled = false;
    this.line.line.material.depthTest = false;
    this.line.line.material.transparent = true;
    this.group.add(this.line.line, this.ball, this.ring, this.arrow);
    for (const thing of this.group.children) thing.renderOrder = 2;
    this.group.visible = false;
  }

  /** Puts it where nothing is seen of it, to be drawn once: shaders are made then, which takes longer than a
   * picture may. */
  rehearse(): void {
    this.show(zero, zero, one);
    this.group.scale.setScalar(0);
  }

  /** `effort` is the force of the hand as an arrow, m. */
  show(held: Vector3, goal: Vector3, effort: Vector3 | null): void {
    this.held.copy(held);
    this.goal.copy(goal);
    this.effort.copy(effort ?? zero);
    this.line.set(0, held, goal);
    this.group.scale.setScalar(1);
    this.group.visible = true;
  }

  hide(): void {
    this.group.visible = false;
  }

  paint(color: Color): void {
    this.material.color.copy(color);
    this.line.color = color;
  }

  /** Signs keep their size in the window. */
  face(eye: Eye): void {
    if (!this.group.visible) return;
    const [near, far] = [eye.pixel(this.held), eye.pixel(this.goal)];
    this.ball.position.copy(this.held);
    this.ball.scale.setScalar(5 * near);
    this.ring.position.copy(this.goal);
    this.ring.scale.setScalar(9 * far);
    this.ring.quaternion.copy(eye.camera.quaternion);
    this.arrow.visible = this.effort.lengthSq() > 0;
    stretch(
      this.held,
      tip.addVectors(this.held, this.effort),
      7 * near,
      this.arrow.instanceMatrix.array as Float32Array,
      0,
    );
    this.arrow.instanceMatrix.needsUpdate = true;
  }
}

const zero = new Vector3();
const one = new Vector3(1, 1, 1);
const tip = new Vector3();
