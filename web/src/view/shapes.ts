// Shapes of parts: one geometry for all boxes, one for all balls, one for all cylinders.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  SphereGeometry,
} from 'three';
import type { Part, Shape } from '../engine/words';

/** Quiet colours that can be told apart, for bodies without a hint. */
const COLOURS = ['#5b7fa6', '#a8763e', '#6d8f5a', '#8d6a9f', '#a35d5d', '#5f9090', '#8a8f98'];

/** Where a shape deforms or has holes, both sides are seen. */
const isOpen = (shape: Shape): boolean => shape.type === 'quad' || shape.type === 'mesh';

export class Shapes {
  private readonly box = new BoxGeometry(1, 1, 1);
  private readonly ball: SphereGeometry;
  /** Along x. */
  private readonly cylinder: CylinderGeometry;
  private readonly materials = new Map<string, MeshLambertMaterial | MeshStandardMaterial>();
  private readonly own: BufferGeometry[] = [];

  constructor(private readonly low: boolean) {
    this.ball = new SphereGeometry(1, low ? 12 : 32, low ? 8 : 20);
    this.cylinder = new CylinderGeometry(1, 1, 1, low ? 12 : 40);
    this.cylinder.rotateZ(-Math.PI / 2);
  }

  material(colour: string, bothSides = false): MeshLambertMaterial | MeshStandardMaterial {
    const key = `${colour} ${bothSides}`;
    let material = this.materials.get(key);
    if (material === undefined) {
      const looks = { color: new Color(colour), ...(bothSides ? { side: DoubleSide } : {}) };
      material = this.low
        ? new MeshLambertMaterial(looks)
        : new MeshStandardMaterial({ ...looks, roughness: 0.75, metalness: 0 });
      this.materials.set(key, material);
    }
    return material;
  }

  /** The part of a body that is the `order`-th of its scene. */
  part(part: Part, bodyColour: string | null, order: number): Mesh {
    const { shape } = part;
    const colour = part.colour ?? bodyColour ?? COLOURS[order % COLOURS.length] ?? '#888888';
    const mesh = new Mesh(this.geometry(shape), this.material(colour, isOpen(shape)));
    const [x, y, z] = part.position;
    const [qw, qx, qy, qz] = part.quaternion;
    mesh.position.set(x, y, z);
    mesh.quaternion.set(qx, qy, qz, qw);
    if (shape.type === 'box') mesh.scale.set(...shape.size);
    else if (shape.type === 'sphere') mesh.scale.setScalar(shape.radius);
    else if (shape.type === 'cylinder') mesh.scale.set(shape.length, shape.radius, shape.radius);
    return mesh;
  }

  private geometry(shape: Shape): BufferGeometry {
    switch (shape.type) {
      case 'box':
        return this.box;
      case 'sphere':
        return this.ball;
      case 'cylinder':
        return this.cylinder;
      case 'mesh':
        return this.triangles(shape.vertices.flat(), shape.triangles.flat());
      case 'quad':
        return this.triangles(
          shape.corners.flatMap(([x, y]) => [x, y, 0]),
          [0, 1, 2, 0, 2, 3],
        );
    }
  }

  private triangles(corners: number[], indices: number[]): BufferGeometry {
    const indexed = new BufferGeometry();
    indexed.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
    indexed.setIndex(indices);
    // Faces are flat: no corner is shared.
    const geometry = indexed.toNonIndexed();
    geometry.computeVertexNormals();
    indexed.dispose();
    this.own.push(geometry);
    return geometry;
  }

  ballMesh(colour: string, radius: number): Mesh {
    const mesh = new Mesh(this.ball, this.material(colour));
    mesh.scale.setScalar(radius);
    return mesh;
  }

  pinMesh(colour: string, length: number, radius: number): Mesh {
    const mesh = new Mesh(this.cylinder, this.material(colour));
    mesh.scale.set(length, radius, radius);
    return mesh;
  }

  /** Forgets what belonged to one scene. */
  clear(): void {
    for (const geometry of this.own) geometry.dispose();
    this.own.length = 0;
    for (const material of this.materials.values()) material.dispose();
    this.materials.clear();
  }
}
