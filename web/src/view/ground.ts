// A quiet grid: below a scene in space, where shadows fall too, or behind one of the plane; and the floor of the
// scene, if it has one.

import { type Color, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3 } from 'three';
import type { Look } from '../engine/border';
import { Slab } from './slab';

const Z = new Vector3(0, 0, 1);

/** 1, 2 or 5 times a power of ten that is not less than a length. */
export const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
};

const vertex = `
  uniform float size;
  uniform vec2 shift;
  varying vec2 place;
  varying vec2 share;
  void main() {
    share = position.xy * 2.0;
    place = position.xy * size + shift;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

// Lines a pixel wide wherever the plane is seen from; they fade where they would crowd, and at the rim.
const fragment = `
  uniform vec3 color;
  uniform float step;
  uniform float strength;
  varying vec2 place;
  varying vec2 share;
  float lines(float every) {
    vec2 width = fwidth(place) / every;
    vec2 away = abs(fract(place / every - 0.5) - 0.5) / max(width, vec2(1e-9));
    float crowd = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
    return (1.0 - min(min(away.x, away.y), 1.0)) * crowd;
  }
  void main() {
    float line = max(0.45 * lines(step), lines(5.0 * step));
    float rim = 1.0 - smoothstep(0.35, 1.0, length(share));
    gl_FragColor = vec4(color, strength * line * rim);
    #include <colorspace_fragment>
  }`;

export class Ground {
  readonly group = new Group();
  private readonly material = new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: {
      size: { value: 1 },
      shift: { value: [0, 0] },
      step: { value: 1 },
      strength: { value: 0.16 },
      color: { value: [0, 0, 0] },
    },
    transparent: true,
    depthWrite: false,
  });
  private readonly shade = new ShadowMaterial({ opacity: 0.22 });
  private readonly plane = new PlaneGeometry(1, 1);
  private readonly grid = new Mesh(this.plane, this.material);
  private readonly floor = new Mesh(this.plane, this.shade);
  private readonly slab = new Slab();
  private isFlat = false;
  private extent = 1;
  private readonly up = new Vector3(0, 1, 0);
  private readonly turn = new Quaternion();
  private level = 0;
  /** The height of the grid where there is no floor. */
  private lowest = 0;

  constructor(private readonly shadows: boolean) {
    this.floor.receiveShadow = true;
    this.grid.renderOrder = -1;
    this.group.add(this.grid, this.floor, this.slab.group);
  }

  /** A scene without a floor has its grid at this height, whatever comes. */
  open(look: Look, level: number): void {
    this.isFlat = look.flat;
    this.extent = look.extent;
    // A hair below what stands on it, and in the plane behind everything.
    this.lowest = look.flat ? -0.5 * look.extent : level - 2e-3 * look.extent;
    this.floor.visible = this.shadows && !look.flat;
    this.stand(look);
  }

  /** The scene was edited: a floor that things stand on is where the scene has it, and in space so is the grid. */
  stand({ flat, floor, up }: Look): void {
    this.slab.put(floor);
    const isHere = floor !== undefined && !flat;
    this.up.set(...(flat ? Z.toArray() : isHere ? floor.normal : up)).normalize();
    this.turn.setFromUnitVectors(Z, this.up);
    this.level = isHere ? new Vector3(...floor.point).dot(this.up) : this.lowest;
  }

  get height(): number {
    return this.level;
  }

  /** Below what is looked at, from so far away: it has no end. */
  under(target: Vector3, distance: number): void {
    const size = (this.isFlat ? 8 : 4) * Math.max(distance, this.extent);
    const middle = target.clone().addScaledVector(this.up, this.level - target.dot(this.up));
    for (const mesh of [this.grid, this.floor]) {
      mesh.position.copy(middle);
      mesh.quaternion.copy(this.turn);
      mesh.scale.setScalar(size);
    }
    this.slab.under(target, size, this.isFlat ? this.extent : null);
    // Lines go through the world's origin, wherever the middle is.
    const shift = middle.applyQuaternion(this.turn.clone().invert());
    const { uniforms } = this.material;
    if (uniforms.size !== undefined) uniforms.size.value = size;
    if (uniforms.shift !== undefined) uniforms.shift.value = [shift.x, shift.y];
  }

  /** Lines are at least so far apart, m. */
  set spacing(least: number) {
    const { step } = this.material.uniforms;
    if (step !== undefined) step.value = roundStep(least);
  }

  paint(ink: Color, isDark: boolean): void {
    const { color, strength } = this.material.uniforms;
    if (color !== undefined) color.value = ink.toArray();
    if (strength !== undefined) strength.value = isDark ? 0.2 : 0.16;
    this.shade.opacity = isDark ? 0.4 : 0.2;
    this.slab.paint(ink, isDark);
  }

  dispose(): void {
    this.slab.dispose();
    this.plane.dispose();
    this.material.dispose();
    this.shade.dispose();
  }
}
