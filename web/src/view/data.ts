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
} from 'three';
import type { Data, PictureLook, TableLook } from '../engine/border';
import type { Textures } from './textures';

/** How wide a point is drawn, px. */
const SIZE = 5;
/** How far behind the plane pictures lie, in parts of their width: what lies on them is seen. */
const BEHIND = 2e-3;

export class DataLayer {
  readonly group = new Group();
  private readonly pictures = new Map<string, Mesh<PlaneGeometry, MeshBasicMaterial>>();
  private readonly clouds = new Group();
  private readonly dots = new PointsMaterial({ size: SIZE, sizeAttenuation: false });

  constructor(
    private readonly textures: Textures,
    private readonly changed: () => void,
  ) {
    this.group.add(this.clouds);
  }

  paint(color: string): void {
    this.dots.color.set(color);
  }

  /** Pictures that lie on sheets do not lie in the plane too. */
  show({ tables, pictures }: Data, onSheets: ReadonlySet<string>): void {
    this.clouds.clear();
    for (const table of tables) if (table.points.length > 0) this.clouds.add(this.cloud(table));
    const lying = pictures.filter(({ name }) => !onSheets.has(name));
    const names = new Set(lying.map(({ name }) => name));
    for (const [name, mesh] of this.pictures) if (!names.has(name)) this.drop(name, mesh);
    for (const picture of lying) this.lay(picture);
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
    this.textures.uncover(mesh.material);
    mesh.geometry.dispose();
    mesh.material.dispose();
  }

  private lay({ name, position, width, height }: PictureLook): void {
    let mesh = this.pictures.get(name);
    if (mesh === undefined) {
      const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthWrite: false });
      mesh = new Mesh(new PlaneGeometry(1, 1), material);
      mesh.renderOrder = -1;
      this.textures.cover(material, name);
      this.pictures.set(name, mesh);
      this.group.add(mesh);
    }
    mesh.position.set(position[0], position[1], -BEHIND * width);
    mesh.scale.set(width, height, 1);
  }
}
