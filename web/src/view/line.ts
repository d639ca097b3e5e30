// Lines of a width in pixels, with room to grow.

import { type Color, InstancedInterleavedBuffer, InterleavedBufferAttribute, type Vector3 } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export class Segments {
  readonly line: LineSegments2;
  private readonly numbers: Float32Array;
  private readonly buffer: InstancedInterleavedBuffer;

  /** At most so many segments. */
  constructor(
    readonly most: number,
    width: number,
  ) {
    this.numbers = new Float32Array(6 * most);
    this.buffer = new InstancedInterleavedBuffer(this.numbers, 6, 1);
    const geometry = new LineSegmentsGeometry();
    geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(this.buffer, 3, 0));
    geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(this.buffer, 3, 3));
    geometry.instanceCount = 0;
    this.line = new LineSegments2(geometry, new LineMaterial({ linewidth: width }));
    this.line.frustumCulled = false;
  }

  get count(): number {
    return this.line.geometry.instanceCount;
  }

  set(at: number, from: Vector3, to: Vector3): void {
    from.toArray(this.numbers, 6 * at);
    to.toArray(this.numbers, 6 * at + 3);
    this.line.geometry.instanceCount = Math.max(this.count, at + 1);
    this.buffer.needsUpdate = true;
  }

  /** Forgets the first so many. */
  drop(n: number): void {
    this.numbers.copyWithin(0, 6 * n);
    this.line.geometry.instanceCount = this.count - n;
    this.buffer.needsUpdate = true;
  }

  /** Where a segment starts and ends. */
  at(k: number): number[] {
    return [...this.numbers.subarray(6 * k, 6 * k + 6)];
  }

  clear(): void {
    this.line.geometry.instanceCount = 0;
  }

  set color(color: Color) {
    this.line.material.color.copy(color);
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.line.material.dispose();
  }
}

/** A line through points that do not move. */
export const through = (points: readonly Vector3[], width: number): Segments => {
  const segments = new Segments(Math.max(points.length - 1, 1), width);
  points.forEach((point, k) => {
    const next = points[k + 1];
    if (next !== undefined) segments.set(k, point, next);
  });
  return segments;
};
