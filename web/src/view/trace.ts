// The path of a point: its last places, as a line.

import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Vector3 } from 'three';

const MOST = 1200;

export class Trace {
  readonly line: Line;
  private readonly points = new Float32Array(3 * MOST);
  private n = 0;

  constructor(colour: string) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(this.points, 3));
    geometry.setDrawRange(0, 0);
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour }));
    this.line.frustumCulled = false;
  }

  add(point: Vector3): void {
    if (this.n === MOST) {
      // Half of it at once: moving all at every step would cost more than the step.
      this.points.copyWithin(0, (3 * MOST) / 2);
      this.n = MOST / 2;
    }
    point.toArray(this.points, 3 * this.n);
    this.n += 1;
    this.line.geometry.setDrawRange(0, this.n);
    this.line.geometry.getAttribute('position').needsUpdate = true;
  }

  dispose(): void {
    this.line.geometry.dispose();
    (this.line.material as LineBasicMaterial).dispose();
  }
}
