// Small pictures of scenes, drawn out of sight by a renderer of their own.

import { AmbientLight, Color, DirectionalLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import type { Look } from '../engine/words';
import { Model } from './model';
import { Shapes } from './shapes';

/** The style sheet's colours as they are now. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Looks at a scene as it is looked at when it is opened. */
const lookAt = (camera: PerspectiveCamera, look: Look, model: Model): void => {
  const reach = Math.max(look.extent, 1e-6);
  const target = new Vector3();
  if (look.camera === null) {
    look.bodies.forEach((_, body) => target.add(model.toWorld(body, new Vector3())));
    target.divideScalar(Math.max(look.bodies.length, 1));
  } else {
    target.set(...look.camera.target);
  }
  const away = look.flat ? new Vector3(0, 0, 3 * reach) : new Vector3(1.2, 1, 2.6).multiplyScalar(reach);
  camera.position.copy(look.camera === null ? away.add(target) : new Vector3(...look.camera.eye));
  camera.up.set(...look.up).normalize();
  const distance = camera.position.distanceTo(target);
  camera.near = 0.005 * distance;
  camera.far = 40 * Math.max(distance, reach);
  camera.lookAt(target);
  camera.updateProjectionMatrix();
};

export class PicturePainter {
  private readonly renderer = new WebGLRenderer({ antialias: true });
  private readonly camera: PerspectiveCamera;
  private readonly shapes = new Shapes(true);

  constructor(width: number, height: number) {
    this.renderer.setSize(width, height, false);
    this.camera = new PerspectiveCamera(40, width / height);
    const light = new DirectionalLight('#ffffff', 2);
    light.position.set(-1, 2, 1.5);
    light.target.position.set(0, 0, -1);
    this.camera.add(light, light.target);
  }

  /** The picture as the address of an image. */
  paint(look: Look, poses: Float64Array): string {
    const scene = new Scene();
    scene.background = new Color(colour('--stage'));
    const model = new Model(look, poses, this.shapes, colour('--joint'));
    scene.add(this.camera, new AmbientLight('#ffffff', 1.4), model.root);
    lookAt(this.camera, look, model);
    this.renderer.render(scene, this.camera);
    const address = this.renderer.domElement.toDataURL();
    model.dispose();
    this.shapes.clear();
    return address;
  }

  dispose(): void {
    this.renderer.dispose();
    // Browsers have few contexts; this one is given back now, not when memory is cleared.
    this.renderer.forceContextLoss();
  }
}
