// Unit shapes, made once: of bodies, and of the signs by which joints are drawn. Axes are x.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  DoubleSide,
  ExtrudeGeometry,
  MeshLambertMaterial,
  MeshStandardMaterial,
  OctahedronGeometry,
  Shape as Outline,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { ShapeLook } from '../engine/border';
import { unreachable } from '../exhaustive';

/** Names of unit shapes. Those of the last line go from x = 0 to x = 1. */
export type Form =
  | 'box'
  | 'ball'
  | 'cylinder'
  | 'cone'
  | 'diamond'
  | 'nut'
  | 'ring'
  | 'socket'
  | 'arc'
  | 'spiral'
  | 'thread'
  | 'support'
  | 'bar'
  | 'coil'
  | 'dashpot'
  | 'arrow';

/** Where a shape has holes or deforms, both sides are seen. */
export type Finish = 'solid' | 'open';

const TURN = 2 * Math.PI;

class Helix extends Curve<Vector3> {
  constructor(
    private readonly turns: number,
    private readonly length: number,
    /** How far the ends run straight along the axis. */
    private readonly straight = 0,
  ) {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const { straight, turns, length } = this;
    const inside = Math.min(Math.max((t - straight) / (1 - 2 * straight), 0), 1);
    // The wire leaves the axis and comes back to it.
    const radius = straight === 0 ? 1 : Math.min(1, inside * 3 * turns, (1 - inside) * 3 * turns);
    const angle = TURN * turns * inside;
    return out.set(length * t, radius * Math.cos(angle), radius * Math.sin(angle));
  }
}

/** Across x, from the rim inwards. */
class Spiral extends Curve<Vector3> {
  // biome-ignore lint/complexity/noUselessConstructor: that of a curve is protected by its types.
  constructor() {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const [radius, angle] = [1 - 0.75 * t, 2.5 * TURN * t];
    return out.set(0, radius * Math.cos(angle), radius * Math.sin(angle));
  }
}

/** One geometry of several, without indices and with flat corners kept. */
const merged = (...parts: BufferGeometry[]): BufferGeometry => {
  const loose = parts.map((part) => (part.index === null ? part : part.toNonIndexed()));
  const whole = mergeGeometries(loose);
  for (const part of [...parts, ...loose]) part.dispose();
  return whole;
};

const rod = (radius: number, from: number, to: number, sides: number): BufferGeometry =>
  new CylinderGeometry(radius, radius, to - from, sides).rotateZ(-Math.PI / 2).translate((from + to) / 2, 0, 0);

/** The sign of a bearing on the ground: a triangle below the point, a line, and hatching. y is up, and x, the
 * axis, looks at the reader. */
const support = (): BufferGeometry => {
  const triangle = new Outline();
  triangle.moveTo(0, 0).lineTo(-1, -1.7).lineTo(1, -1.7).closePath();
  const depth = 0.5;
  const parts: BufferGeometry[] = [
    new ExtrudeGeometry(triangle, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2),
    new BoxGeometry(3.2, 0.16, depth).translate(0, -1.78, 0),
  ];
  for (let k = -2; k <= 2; k += 1) {
    parts.push(new BoxGeometry(0.12, 0.85, depth).rotateZ(-Math.PI / 4).translate(0.64 * k - 0.2, -2.14, 0));
  }
  return merged(...parts).rotateY(Math.PI / 2);
};

const make = (form: Form, low: boolean): BufferGeometry => {
  const sides = low ? 12 : 32;
  switch (form) {
    case 'box':
      return new BoxGeometry(1, 1, 1);
    case 'ball':
      return new SphereGeometry(1, sides, low ? 8 : 20);
    case 'cylinder':
      return rod(1, -0.5, 0.5, low ? 12 : 36);
    case 'cone':
      return new ConeGeometry(1, 1, sides).rotateZ(-Math.PI / 2);
    case 'diamond':
      return new OctahedronGeometry(1);
    case 'nut':
      return rod(1, -0.5, 0.5, 6);
    case 'ring':
      return new TorusGeometry(1, 0.16, low ? 6 : 10, low ? 18 : 40).rotateY(Math.PI / 2);
    case 'socket':
      // Half a shell about −x.
      return new SphereGeometry(1, sides, low ? 6 : 12, 0, TURN, 0, 0.55 * Math.PI).rotateZ(Math.PI / 2);
    case 'arc': {
      const end = 0.72 * TURN;
      const head = new ConeGeometry(0.3, 0.62, low ? 8 : 16).rotateX(0.1).translate(1, 0.2, 0).rotateZ(end);
      return merged(new TorusGeometry(1, 0.1, low ? 6 : 8, low ? 18 : 40, end), head).rotateY(Math.PI / 2);
    }
    case 'spiral':
      return new TubeGeometry(new Spiral(), low ? 30 : 80, 0.07, low ? 4 : 6);
    case 'thread':
      return merged(
        rod(0.72, -0.5, 0.5, sides),
        new TubeGeometry(new Helix(9, 9), low ? 90 : 240, 0.3, low ? 4 : 6)
          .scale(1 / 9, 1, 1)
          .scale(1, 0.8, 0.8)
          .translate(-0.5, 0, 0),
      );
    case 'support':
      return support();
    case 'bar':
      return rod(1, 0, 1, low ? 6 : 12);
    case 'coil':
      // Drawn as long as it is likely to be, so that its wire is round.
      return new TubeGeometry(new Helix(9, 12, 0.09), low ? 100 : 260, 0.14, low ? 4 : 6).scale(1 / 12, 1, 1);
    case 'arrow':
      return merged(
        rod(0.3, 0, 0.72, sides),
        new ConeGeometry(0.85, 0.3, sides).rotateZ(-Math.PI / 2).translate(0.85, 0, 0),
      );
    case 'dashpot':
      return merged(rod(0.22, 0, 1, sides), rod(1, 0.3, 0.62, sides), rod(0.75, 0.62, 0.68, sides));
  }
};

const flat = (corners: number[], indices: number[]): BufferGeometry => {
  const indexed = new BufferGeometry();
  indexed.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  indexed.setIndex(indices);
  // Faces are flat: no corner is shared.
  const geometry = indexed.toNonIndexed();
  geometry.computeVertexNormals();
  indexed.dispose();
  return geometry;
};

export class Shapes {
  private readonly forms = new Map<Form, BufferGeometry>();
  private readonly materials = new Map<Finish, MeshLambertMaterial | MeshStandardMaterial>();

  constructor(readonly low: boolean) {}

  form(form: Form): BufferGeometry {
    let geometry = this.forms.get(form);
    if (geometry === undefined) {
      geometry = make(form, this.low);
      this.forms.set(form, geometry);
    }
    return geometry;
  }

  /** White: instances bring their own colors. */
  material(finish: Finish): MeshLambertMaterial | MeshStandardMaterial {
    let material = this.materials.get(finish);
    if (material === undefined) {
      const looks = finish === 'open' ? { side: DoubleSide } : {};
      material = this.low
        ? new MeshLambertMaterial(looks)
        : new MeshStandardMaterial({ ...looks, roughness: 0.72, metalness: 0 });
      this.materials.set(finish, material);
    }
    return material;
  }

  dispose(): void {
    for (const thing of [...this.forms.values(), ...this.materials.values()]) thing.dispose();
    this.forms.clear();
    this.materials.clear();
  }
}

/** Which shapes share a geometry, and how it is scaled and finished. */
export const formOf = (shape: ShapeLook): { form: Form; scale: [number, number, number] } | null => {
  switch (shape.type) {
    case 'box':
      return { form: 'box', scale: shape.size };
    case 'sphere':
      return { form: 'ball', scale: [shape.radius, shape.radius, shape.radius] };
    case 'cylinder':
      return { form: 'cylinder', scale: [shape.length, shape.radius, shape.radius] };
    case 'mesh':
    case 'quad':
      return null;
    default:
      return unreachable(shape);
  }
};

/** The geometry of a shape that has its own. */
export const ownGeometry = (shape: ShapeLook): BufferGeometry => {
  if (shape.type === 'mesh') return flat(shape.vertices.flat(), shape.triangles.flat());
  if (shape.type === 'quad')
    return flat(
      shape.corners.flatMap(([x, y]) => [x, y, 0]),
      [0, 1, 2, 0, 2, 3],
    );
  return flat([], []);
};

/** How thick a shape is, and how long, m. */
export const dimensions = (shape: ShapeLook): { thickness: number; length: number } => {
  switch (shape.type) {
    case 'box':
      return { thickness: Math.min(...shape.size), length: Math.max(...shape.size) };
    case 'cylinder':
      return {
        thickness: Math.min(shape.length, 2 * shape.radius),
        length: Math.max(shape.length, 2 * shape.radius),
      };
    case 'sphere':
      return { thickness: 2 * shape.radius, length: 2 * shape.radius };
    case 'quad':
    case 'mesh': {
      const corners: readonly (readonly number[])[] = shape.type === 'quad' ? shape.corners : shape.vertices;
      const edges = [0, 1, 2].map((k) => {
        let [low, high] = [Infinity, -Infinity];
        for (const corner of corners) {
          low = Math.min(low, corner[k] ?? 0);
          high = Math.max(high, corner[k] ?? 0);
        }
        return high > low ? high - low : 0;
      });
      return { thickness: Math.min(...edges), length: Math.max(...edges) };
    }
  }
};
