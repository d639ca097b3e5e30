// A rim around a body or a sign: its parts once more, a few pixels larger, seen only from inside.

import { BackSide, type BufferGeometry, DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Eye } from './eye';
import type { Fixed } from './instances';
import type { Model } from './model';

const place = new Vector3();
const grown = new Matrix4();
const numbers = new Float32Array(16);

interface Rim {
  item: Fixed;
  mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  /** Half the edges of the bounds of the geometry. */
  half: Vector3;
  middle: Vector3;
}

export class Outline {
  readonly group = new Group();
  private rims: Rim[] = [];
  private readonly inside = new MeshBasicMaterial({ side: BackSide });
  /** A sheet has no inside: its rim lies a little below. */
  private readonly below = new MeshBasicMaterial({
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
  });

  constructor(private readonly width: number) {}

  /** Around what has this key; around nothing without one. */
  around(model: Model | null, key: string | null, color: string): void {
    for (const { mesh } of this.rims) this.group.remove(mesh);
    this.rims = [];
    if (model === null || key === null) return;
    this.inside.color.set(color);
    this.below.color.set(color);
    for (const {
      mesh: { geometry },
      items,
    } of model.instances) {
      for (const item of items) if (item.key === key) this.add(geometry, item);
    }
  }

  update(model: Model | null, eye: Eye): void {
    if (model === null) return;
    for (const { item, mesh, half, middle } of this.rims) {
      model.frames.write(item.body, item.local, numbers, 0);
      mesh.matrix.fromArray(numbers);
      const rim = this.width * eye.pixel(place.setFromMatrixPosition(mesh.matrix));
      // Each column is as long as a unit of its axis: a rim of the same width all around.
      const scale = [0, 1, 2].map((k) => {
        const length = place.fromArray(numbers, 4 * k).length() * half.getComponent(k);
        return length > 0 ? 1 + rim / length : 1;
      });
      grown.makeScale(scale[0] ?? 1, scale[1] ?? 1, scale[2] ?? 1);
      place.copy(middle).applyMatrix4(grown);
      grown.setPosition(place.subVectors(middle, place));
      mesh.matrix.multiply(grown);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  private add(geometry: BufferGeometry, item: Fixed): void {
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    const [half, middle] = [new Vector3(), new Vector3()];
    geometry.boundingBox?.getSize(half).multiplyScalar(0.5);
    geometry.boundingBox?.getCenter(middle);
    const mesh = new Mesh(geometry, half.z === 0 ? this.below : this.inside);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.rims.push({ item, mesh, half, middle });
    this.group.add(mesh);
  }
}
