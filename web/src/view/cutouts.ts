// Pictures on sheets. Their corners are kept in the body's coordinates and moved by its map: a sheet deforms its
// picture.

import { BufferGeometry, DoubleSide, Float32BufferAttribute, Group, Matrix4, Mesh, MeshBasicMaterial } from 'three';
import type { Look, SheetPictureLook } from '../engine/border';
import { layer } from './bodies';
import type { Frames } from './poses';
import type { Textures } from './textures';

const IDENTITY = new Matrix4();
/** What is more transparent than this hides nothing that is behind it. */
const CLEAR = 0.02;

const geometryOf = ({ corners, places, triangles }: SheetPictureLook, height: number): BufferGeometry => {
  const geometry = new BufferGeometry();
  const positions = corners.flatMap(([x, y]) => [x, y, height]);
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(places.flat(), 2));
  geometry.setIndex(triangles.flat());
  return geometry;
};

export class Cutouts {
  readonly group = new Group();
  private readonly all: { body: number; mesh: Mesh<BufferGeometry, MeshBasicMaterial> }[] = [];
  private readonly map = new Float32Array(16);

  constructor(
    look: Look,
    private readonly textures: Textures,
  ) {
    look.bodies.forEach((body, order) => {
      if (!body.enabled || body.picture === undefined) return;
      const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, alphaTest: CLEAR });
      // Between the sheet and what is drawn on it.
      const mesh = new Mesh(geometryOf(body.picture, layer(order + 0.25, look.extent)), material);
      mesh.matrixAutoUpdate = false;
      textures.cover(material, body.picture.name);
      this.group.add(mesh);
      this.all.push({ body: order, mesh });
    });
  }

  update(frames: Frames): void {
    for (const { body, mesh } of this.all) {
      frames.write(body, IDENTITY, this.map, 0);
      mesh.matrix.fromArray(this.map);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  dispose(): void {
    for (const { mesh } of this.all) {
      this.textures.uncover(mesh.material);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}
