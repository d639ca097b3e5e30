// Points that pull bodies, and lines to the places that they belong to. They are seen through bodies: half of them lie
// inside.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DataTexture,
  DynamicDrawUsage,
  Group,
  Points,
  PointsMaterial,
  Vector3,
} from 'three';
import { AT, OF_POINT, OFF, PLACE } from '../points';
import { Segments } from './line';
import { shadeInto } from './ramp';

/** How wide a point is drawn, px. */
const SIZE = 7;
/** How wide a line is drawn, px. */
const WIDTH = 1.5;

/** A disc: points are round. */
const disc = (): DataTexture => {
  const n = 16;
  const bytes = new Uint8Array(4 * n * n).fill(255);
  for (let k = 0; k < n * n; k += 1) {
    const away = Math.hypot((k % n) - (n - 1) / 2, Math.floor(k / n) - (n - 1) / 2);
    bytes[4 * k + 3] = away < n / 2 - 0.5 ? 255 : 0;
  }
  const texture = new DataTexture(bytes, n, n);
  texture.needsUpdate = true;
  return texture;
};

export class Dots {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly material = new PointsMaterial({
    size: SIZE,
    sizeAttenuation: false,
    vertexColors: true,
    map: disc(),
    alphaTest: 0.5,
    depthTest: false,
    transparent: true,
  });
  private lines = new Segments(1, WIDTH);
  private numbers: Float64Array = new Float64Array();
  private top: number | null = null;
  private own: readonly number[] = [0, 0, 0];
  private stray: readonly number[] = [0, 0, 0];

  constructor() {
    const dots = new Points(this.geometry, this.material);
    dots.frustumCulled = false;
    dots.renderOrder = 3;
    this.group.add(dots);
    this.put(this.lines);
    this.group.visible = false;
  }

  /**
   * Points of this moment; those that are off by `top` have the last color of the ramp, or all have one where there is
   * none.
   */
  show(numbers: Float64Array | null, top: number | null): void {
    this.numbers = numbers ?? new Float64Array();
    this.top = top;
    this.group.visible = this.numbers.length > 0;
    if (this.group.visible) this.draw();
  }

  paint(own: Color, stray: Color, line: Color): void {
    this.own = own.toArray();
    this.stray = stray.toArray();
    this.lines.color = line;
    if (this.group.visible) this.draw();
  }

  private draw(): void {
    const { numbers, top } = this;
    const n = numbers.length / OF_POINT;
    const [places, colors] = this.room(n);
    this.lines.clear();
    for (let k = 0, line = 0; k < n; k += 1) {
      const at = OF_POINT * k;
      for (let axis = 0; axis < 3; axis += 1) places[3 * k + axis] = numbers[at + AT + axis] ?? 0;
      const off = numbers[at + OFF] ?? Number.NaN;
      if (!Number.isFinite(off)) colors.set(this.stray, 3 * k);
      else if (top === null) colors.set(this.own, 3 * k);
      else shadeInto(top > 0 ? off / top : 0, colors, 3 * k);
      if (!Number.isFinite(numbers[at + PLACE] ?? Number.NaN)) continue;
      from.fromArray(numbers, at + AT);
      this.lines.set(line, from, to.fromArray(numbers, at + PLACE));
      line += 1;
    }
    for (const name of ['position', 'color']) {
      const attribute = this.geometry.getAttribute(name);
      if (attribute instanceof BufferAttribute) attribute.needsUpdate = true;
    }
    this.geometry.setDrawRange(0, n);
  }

  /** Room for so many. */
  private room(n: number): [Float32Array, Float32Array] {
    const known = this.geometry.getAttribute('position');
    if (known === undefined || known.count < n) {
      const most = 2 ** Math.ceil(Math.log2(Math.max(n, 16)));
      for (const name of ['position', 'color'])
        this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * most), 3).setUsage(DynamicDrawUsage));
      const old = this.lines;
      this.lines = new Segments(most, WIDTH);
      this.lines.color = old.line.material.color;
      this.group.remove(old.line);
      old.dispose();
      this.put(this.lines);
    }
    const array = (name: string): Float32Array => this.geometry.getAttribute(name).array as Float32Array;
    return [array('position'), array('color')];
  }

  private put({ line }: Segments): void {
    line.material.depthTest = false;
    line.material.transparent = true;
    line.renderOrder = 2;
    this.group.add(line);
  }
}

const [from, to] = [new Vector3(), new Vector3()];
