// Surfaces that points stay on, so thin that what is behind them is seen.

import {
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import type { JointLook, Look, SurfaceLook } from '../engine/border';
import { unreachable } from '../exhaustive';
import type { Brush } from './colors';
import type { Frames } from './poses';

/** With x as axis; what has no end is as large as the scene. */
export const surfaceGeometry = (of: SurfaceLook, extent: number, low: boolean): BufferGeometry => {
  const fine = low ? 24 : 64;
  switch (of.type) {
    case 'plane':
      return new PlaneGeometry(2.5 * extent, 2.5 * extent).rotateY(Math.PI / 2);
    case 'sphere':
      return new SphereGeometry(of.radius ?? 0, fine, fine / 2);
    case 'cylinder':
      return new CylinderGeometry(of.radius, of.radius, 2.5 * extent, fine, 1, true).rotateZ(Math.PI / 2);
    case 'ellipsoid':
      return new SphereGeometry(1, fine, fine / 2).scale(...(of.semi_axes ?? [1, 1, 1]));
    case 'torus':
      return new TorusGeometry(of.major, of.minor, fine / 2, fine).rotateY(Math.PI / 2);
    case 'formula': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(of.mesh?.vertices.flat() ?? [], 3));
      geometry.setIndex(of.mesh?.triangles.flat() ?? []);
      return geometry;
    }
    default:
      return unreachable(of);
  }
};

export class Surfaces {
  readonly group = new Group();
  private readonly all: { body: number | null; local: Matrix4; mesh: Mesh }[] = [];
  private readonly material = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.07,
    side: DoubleSide,
    depthWrite: false,
  });
  private readonly map = new Float32Array(16);

  constructor(
    look: Look,
    private readonly frames: Frames,
    low: boolean,
  ) {
    for (const joint of look.joints) {
      if (!joint.enabled || joint.surface === undefined) continue;
      this.add(joint, joint.surface, surfaceGeometry(joint.surface, look.extent, low));
    }
  }

  update(frames: Frames): void {
    for (const { body, local, mesh } of this.all) {
      frames.write(body, local, this.map, 0);
      mesh.matrix.fromArray(this.map);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  paint(brush: Brush): void {
    this.material.color.copy(brush.color('ink'));
  }

  dispose(): void {
    for (const { mesh } of this.all) mesh.geometry.dispose();
    this.material.dispose();
  }

  private add({ ends }: JointLook, { axes }: SurfaceLook, geometry: BufferGeometry): void {
    const [end] = ends;
    if (end === undefined) return;
    const columns = axes.map((axis) => new Vector3(...axis));
    const place = new Vector3(...end.point);
    if (end.body !== null) {
      for (const column of columns) this.frames.turnBack(end.body, column);
      this.frames.toBody(end.body, place, place);
    }
    const [x, y, z] = columns as [Vector3, Vector3, Vector3];
    const mesh = new Mesh(geometry, this.material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.all.push({ body: end.body, local: new Matrix4().makeBasis(x, y, z).setPosition(place), mesh });
    this.group.add(mesh);
  }
}
