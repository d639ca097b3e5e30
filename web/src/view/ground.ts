// A quiet grid: below a scene in space, where shadows fall too, or behind one of the plane.

import { type Color, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3 } from 'three';
import type { Look } from '../engine/border';
import type { Bounds } from './model';

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
  uniform vec3 colour;
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
    gl_FragColor = vec4(colour, strength * line * rim);
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
      colour: { value: [0, 0, 0] },
    },
    transparent: true,
    depthWrite: false,
  });
  private readonly shade = new ShadowMaterial({ opacity: 0.22 });
  private readonly plane = new PlaneGeometry(1, 1);
  private readonly grid = new Mesh(this.plane, this.material);
  private readonly floor = new Mesh(this.plane, this.shade);
  private level = 0;
  private start = 0;

  constructor(private readonly shadows: boolean) {
    this.floor.receiveShadow = true;
    this.grid.renderOrder = -1;
    this.group.add(this.grid, this.floor);
  }

  open(look: Look, bounds: Bounds): void {
    this.start = bounds.lowest;
    this.level = bounds.lowest;
    this.group.visible = true;
    this.place(look, bounds);
  }

  /** What falls below the ground takes it along; what has left the scene for good has none. */
  follow(look: Look, bounds: Bounds): void {
    if (look.flat || bounds.lowest >= this.level - 1e-9 * look.extent) return;
    this.level = bounds.lowest - 0.5 * look.extent;
    this.group.visible = this.start - this.level < 4 * look.extent;
    this.place(look, bounds);
  }

  /** Lines are at least so far apart, m. */
  set spacing(least: number) {
    const { step } = this.material.uniforms;
    if (step !== undefined) step.value = roundStep(least);
  }

  paint(ink: Color, isDark: boolean): void {
    const { colour, strength } = this.material.uniforms;
    if (colour !== undefined) colour.value = ink.toArray();
    if (strength !== undefined) strength.value = isDark ? 0.2 : 0.16;
    this.shade.opacity = isDark ? 0.4 : 0.2;
  }

  dispose(): void {
    this.plane.dispose();
    this.material.dispose();
    this.shade.dispose();
  }

  private place(look: Look, { sphere }: Bounds): void {
    const up = look.flat ? Z.clone() : new Vector3(...look.up).normalize();
    const reach = Math.max(sphere.radius, look.extent);
    const size = (look.flat ? 40 : 12) * reach;
    const turn = new Quaternion().setFromUnitVectors(Z, up);
    const middle = sphere.center.clone();
    // A hair below what stands on it, and in the plane behind everything.
    const height = look.flat ? -0.5 * look.extent : this.level - 2e-3 * look.extent;
    middle.addScaledVector(up, height - middle.dot(up));
    for (const mesh of [this.grid, this.floor]) {
      mesh.position.copy(middle);
      mesh.quaternion.copy(turn);
      mesh.scale.setScalar(size);
      mesh.updateMatrix();
    }
    this.floor.visible = this.shadows && !look.flat;
    // Lines go through the world's origin, wherever the middle is.
    const shift = middle.applyQuaternion(turn.invert());
    const { uniforms } = this.material;
    if (uniforms.size !== undefined) uniforms.size.value = size;
    if (uniforms.shift !== undefined) uniforms.shift.value = [shift.x, shift.y];
  }
}
