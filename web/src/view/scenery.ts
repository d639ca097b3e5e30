// What is rendered of one scene: the model, the ground below it, and the light that fits both.

import { Color, DirectionalLight, HemisphereLight, Scene, Sphere, Vector3 } from 'three';
import type { Look } from '../engine/border';
import type { Brush } from './colors';
import { Ground } from './ground';
import { complete } from './instances';
import { Model } from './model';
import type { Shapes } from './shapes';
import type { Textures } from './textures';

/** Between looks at how far the scene reaches, in steps. */
const PATIENCE = 12;
/** Light that reaches so many times further than the scene is drawn in. */
const WIDE = 4;

export class Scenery {
  readonly scene = new Scene();
  model: Model | null = null;
  readonly ground: Ground;
  private readonly sun = new DirectionalLight('#ffffff', 2.1);
  private readonly lit = new Sphere();
  private age = 0;
  private isTreeShown = false;

  constructor(
    private readonly shapes: Shapes,
    private readonly brush: Brush,
    private readonly textures: Textures,
  ) {
    this.ground = new Ground(!shapes.low);
    this.sun.castShadow = !shapes.low;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(new HemisphereLight('#ffffff', '#b9b4aa', 1.5), this.sun, this.sun.target, this.ground.group);
  }

  set treeShown(on: boolean) {
    this.isTreeShown = on;
    this.model?.showTree(on, this.shapes, this.brush);
  }

  /** Shows a scene; one that was only edited keeps its traces and its ground. */
  show(look: Look, poses: Float64Array, opened: boolean): void {
    const before = this.model;
    this.model = new Model(look, poses, this.shapes, this.textures, opened ? null : before);
    if (before !== null) {
      this.scene.remove(before.root);
      before.dispose();
    }
    this.scene.add(this.model.root);
    if (opened) {
      this.ground.open(look, this.model.floor());
      this.lit.makeEmpty();
    } else {
      this.ground.stand(look);
    }
    this.light();
    this.model.showTree(this.isTreeShown, this.shapes, this.brush);
    this.model.paint(this.brush);
  }

  move(poses: Float64Array, traced: Float64Array | null): void {
    const { model } = this;
    if (model === null) return;
    model.update(poses);
    if (traced !== null) model.trace(traced);
    this.age += 1;
    if (this.age < PATIENCE) return;
    this.age = 0;
    this.light();
  }

  paint(background: string): void {
    const paper = new Color(background);
    this.scene.background = paper;
    this.ground.paint(this.brush.color('ink'), paper.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5);
    this.model?.paint(this.brush);
  }

  dispose(): void {
    this.model?.dispose();
    this.ground.dispose();
    this.sun.dispose();
  }

  /** The light reaches as far as the scene does above the floor, and some way around it, so that it seldom has to
   * move. What fell away does not count: shadows would be as coarse as it is far. */
  private light(): void {
    const { model, lit } = this;
    if (model === null) return;
    const { look } = model;
    const { sphere } = model.bounds(look.flat ? -Infinity : this.ground.height);
    const isInside = lit.center.distanceTo(sphere.center) + sphere.radius <= lit.radius;
    if (!lit.isEmpty() && isInside && lit.radius < WIDE * sphere.radius) return;
    lit.set(sphere.center, 1.35 * sphere.radius);
    const { center, radius } = lit;
    const up = new Vector3(...look.up).normalize();
    const [side, front] = [new Vector3(), new Vector3()];
    complete(up, side, front);
    const way = look.flat
      ? new Vector3(-0.4, 0.7, 1.6)
      : up
          .clone()
          .multiplyScalar(1.6)
          .addScaledVector(front, look.camera === null ? 0.8 : 0)
          .addScaledVector(side, -0.5);
    // From the side of the reader: what is looked at is lit.
    if (look.camera !== null && !look.flat) {
      const seen = new Vector3(...look.camera.eye).sub(new Vector3(...look.camera.target));
      seen.addScaledVector(up, -seen.dot(up)).normalize();
      way.addScaledVector(seen, 0.8).addScaledVector(seen.cross(up), -0.5);
    }
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).addScaledVector(way.normalize(), 2.5 * radius);
    const { camera } = this.sun.shadow;
    // Shadows on the ground fall beside the scene.
    Object.assign(camera, { left: -1.5 * radius, right: 1.5 * radius, top: 1.5 * radius, bottom: -1.5 * radius });
    camera.near = 0.1 * radius;
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = (3 * radius) / 2048;
    this.sun.shadow.bias = -2e-4;
  }
}
