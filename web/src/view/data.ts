// Data behind the scene: pictures that lie in the plane, and the points of tables.

import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
  SRGBColorSpace,
  Texture,
} from 'three';
import type { Data, PictureLook, TableLook } from '../engine/border';

/** How wide a point is drawn, px. */
const SIZE = 5;
/** How far behind the plane pictures lie, in parts of their width: what lies on them is seen. */
const BEHIND = 2e-3;

/** The bytes of a data URI, without asking the network for them. */
const bytesOf = (uri: string): Blob => {
  const text = atob(uri.slice(uri.indexOf(',') + 1));
  return new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))], { type: 'image/png' });
};

export class DataLayer {
  readonly group = new Group();
  private readonly pictures = new Map<string, { stamp: number; mesh: Mesh<PlaneGeometry, MeshBasicMaterial> }>();
  private readonly clouds = new Group();
  private readonly dots = new PointsMaterial({ size: SIZE, sizeAttenuation: false });

  constructor(
    /** The picture of a name as a data URI. */
    private readonly fetched: (name: string) => Promise<string>,
    private readonly changed: () => void,
  ) {
    this.group.add(this.clouds);
  }

  paint(colour: string): void {
    this.dots.color.set(colour);
  }

  show({ tables, pictures }: Data): void {
    this.clouds.clear();
    for (const table of tables) if (table.points.length > 0) this.clouds.add(this.cloud(table));
    const names = new Set(pictures.map(({ name }) => name));
    for (const [name, { mesh }] of this.pictures) if (!names.has(name)) this.drop(name, mesh);
    for (const picture of pictures) this.lay(picture);
    this.changed();
  }

  private cloud({ points }: TableLook): Points {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points.flat(), 3));
    return new Points(geometry, this.dots);
  }

  private drop(name: string, mesh: Mesh<PlaneGeometry, MeshBasicMaterial>): void {
    this.pictures.delete(name);
    this.group.remove(mesh);
    mesh.geometry.dispose();
    mesh.material.map?.dispose();
    mesh.material.dispose();
  }

  private lay({ name, stamp, position, width, height }: PictureLook): void {
    let own = this.pictures.get(name);
    if (own === undefined) {
      const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0, depthWrite: false });
      own = { stamp: Number.NaN, mesh: new Mesh(new PlaneGeometry(1, 1), material) };
      own.mesh.renderOrder = -1;
      this.pictures.set(name, own);
      this.group.add(own.mesh);
    }
    own.mesh.position.set(position[0], position[1], -BEHIND * width);
    own.mesh.scale.set(width, height, 1);
    if (own.stamp === stamp) return;
    own.stamp = stamp;
    void this.load(name, own.mesh.material).catch(() => {
      // Gone again meanwhile.
    });
  }

  private async load(name: string, material: MeshBasicMaterial): Promise<void> {
    const bitmap = await createImageBitmap(bytesOf(await this.fetched(name)), { imageOrientation: 'flipY' });
    const texture = new Texture(bitmap);
    texture.colorSpace = SRGBColorSpace;
    texture.needsUpdate = true;
    material.map?.dispose();
    material.map = texture;
    material.opacity = 1;
    material.needsUpdate = true;
    this.changed();
  }
}
