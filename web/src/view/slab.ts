// The floor that things stand on, as a slab: its upper side is where the floor is.

import { BoxGeometry, type Color, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import type { FloorLook } from '../engine/border';
import { Segments } from './line';

const Z = new Vector3(0, 0, 1);

/** How thick it is where it is seen in space, as a part of how far it is away. */
const THIN = 0.004;
/** How far it reaches in space, as a multiple of the grid. */
const FAR = 5;
/** How wide it is across the plane of a flat scene, as a part of the scene's extent. */
const ACROSS = 0.25;

export class Slab {
  readonly group = new Group();
  private readonly shape = new BoxGeometry(1, 1, 1).translate(0, 0, -0.5);
  private readonly material = new MeshBasicMaterial({ transparent: true, depthWrite: false });
  private readonly body = new Mesh(this.shape, this.material);
  private readonly edge = new Segments(1, 2);
  private readonly normal = new Vector3(0, 1, 0);
  private readonly turn = new Quaternion();
  private height = 0;

  constructor() {
    this.group.visible = false;
    // Behind whatever stands on it or is seen through it.
    this.body.renderOrder = -2;
    this.group.add(this.body, this.edge.line);
  }

  /** Where it is from now on; nowhere without a floor. */
  put(floor: FloorLook | undefined): void {
    this.group.visible = floor !== undefined;
    if (floor === undefined) return;
    this.normal.set(...floor.normal);
    this.turn.setFromUnitVectors(Z, this.normal);
    this.height = new Vector3(...floor.point).dot(this.normal);
  }

  /** Around what is looked at, so far out that no end of it is seen. In a flat scene all below it is filled. */
  under(target: Vector3, size: number, flat: number | null): void {
    const { body, edge, normal, height } = this;
    if (!this.group.visible) return;
    const middle = target.clone().addScaledVector(normal, height - target.dot(normal));
    body.position.copy(middle);
    body.quaternion.copy(this.turn);
    if (flat === null) body.scale.set(FAR * size, FAR * size, THIN * size);
    else body.scale.set(size, ACROSS * flat, size);
    edge.line.visible = flat !== null;
    if (flat === null) return;
    const along = new Vector3(0.5 * size, 0, 0).applyQuaternion(this.turn);
    const front = new Vector3(0, 0, 0.5 * ACROSS * flat);
    edge.set(0, middle.clone().sub(along).add(front), middle.clone().add(along).add(front));
  }

  paint(ink: Color, isDark: boolean): void {
    this.material.color.copy(ink);
    this.material.opacity = isDark ? 0.16 : 0.1;
    this.edge.color = ink;
  }

  dispose(): void {
    this.shape.dispose();
    this.material.dispose();
    this.edge.dispose();
  }
}
