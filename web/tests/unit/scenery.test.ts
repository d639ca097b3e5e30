import { type Box3, type Group, Matrix4, type Mesh, Raycaster, Vector3 } from 'three';
import { expect, test } from 'vitest';
import type { BodyLook, JointLook, Look } from '../../src/engine/border';
import { Brush } from '../../src/view/colors';
import { Model } from '../../src/view/model';
import { Scenery } from '../../src/view/scenery';
import { Shapes } from '../../src/view/shapes';
import { Textures } from '../../src/view/textures';

const LENGTH = 1;

/** A bar along x, a meter long. */
const bar = (name: string): BodyLook => ({
  id: 0,
  name,
  type: 'rod',
  planar: false,
  turns: true,
  deforms: false,
  movable: true,
  enabled: true,
  mass: 1,
  color: null,
  parts: [
    {
      shape: { type: 'cylinder', length: LENGTH, radius: 0.02 },
      position: [0, 0, 0],
      quaternion: [1, 0, 0, 0],
      color: null,
    },
  ],
});

/** A hinge at the left end of a body, on the ground or on another body, where they are now. */
const hinge = (name: string, body: number, to: number | null, at: [number, number, number]): JointLook => ({
  id: 0,
  name,
  type: 'hinge',
  enabled: true,
  ends: [
    { body: to, point: at },
    { body, point: at },
  ],
  axis: [0, 0, 1],
});

const look = (bodies: BodyLook[], joints: JointLook[], more: Partial<Look> = {}): Look => ({
  name: null,
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat: false,
  camera: null,
  extent: 1,
  ground: [],
  bodies,
  joints,
  behaviors: [],
  traces: [],
  skins: [],
  ...more,
});

/** Bodies that are not turned, with their middles here; or hanging, with x down. */
const poses = (...at: [x: number, y: number, hangs?: boolean][]): Float64Array =>
  new Float64Array(
    at.flatMap(([x, y, hangs]) =>
      hangs ? [0, 1, 0, x, -1, 0, 0, y, 0, 0, 1, 0] : [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0],
    ),
  );

/** A pendulum that is held out level at the origin, and a bar that nothing holds. */
const pendulum = look([bar('arm')], [hinge('pin', 0, null, [0, 0, 0])]);
const level = poses([0.5, 0]);
const withStone = look([bar('arm'), bar('stone')], [hinge('pin', 0, null, [0, 0, 0])]);

/** The surface of a tetrahedron. */
const TETRAHEDRON: NonNullable<BodyLook['mesh']> = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  triangles: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
};

const shapes = new Shapes(true);
const textures = new Textures(() => {});
const scenery = () =>
  new Scenery(new Shapes(false), new Brush({ background: '#fff', ink: '#000', hand: '#f80' }), textures);
/** How far around it the light throws shadows. */
const litReach = (of: Scenery): number => {
  const sun = of.scene.children.find((own) => 'castShadow' in own && own.castShadow) as unknown as {
    shadow: { camera: { right: number } };
  };
  return sun.shadow.camera.right;
};

test('the floor is below all that a pendulum can reach, and stays there whatever falls', () => {
  const all = scenery();
  all.show(pendulum, level, true);
  const start = all.ground.height;
  expect(start).toBeLessThan(-LENGTH);
  expect(start).toBeGreaterThan(-1.2 * LENGTH);
  const lit = litReach(all);
  // A part is dropped while time runs, and falls and falls.
  all.show(withStone, poses([0, -0.5, true], [0, -0.2]), false);
  for (let k = 0; k < 200; k += 1) all.move(poses([0, -0.5, true], [0, -0.2 - 10 * k]), null);
  expect(all.ground.height).toBe(start);
  all.ground.under(new Vector3(), 5);
  const floor = (all.ground.group as Group).children[0] as Mesh;
  expect(floor.position.y).toBeCloseTo(start, 9);
  // Shadows are as fine as they were.
  expect(litReach(all)).toBeLessThan(2 * lit);
});

test('a scene that is opened after something fell has its floor where the rest is', () => {
  const all = scenery();
  all.show(withStone, poses([0.5, 0], [0, -500]), true);
  expect(all.ground.height).toBeGreaterThan(-1.2 * LENGTH);
  // An empty scene has one too, below what is dropped into it.
  all.show(look([], []), new Float64Array(), true);
  expect(all.ground.height).toBeLessThan(-0.5);
});

test('what is shown together can be seen', () => {
  const size = (of: Look, at: Float64Array): { box: Box3; free: number[] } =>
    new Model(of, at, shapes, textures).bounds();
  // Near enough to see both.
  expect(size(withStone, poses([0.5, 0], [0, -4])).box.min.y).toBeLessThan(-4);
  // What is held is seen, and what fell far away is not.
  const fallen = size(withStone, poses([0.5, 0], [0, -300]));
  expect(fallen.box.min.y).toBeGreaterThan(-2);
  expect(fallen.free).toEqual([]);
  // Where nothing is held, some of it is seen, and gone along with.
  const loose = look([bar('one'), bar('other')], []);
  const found = size(loose, poses([0, -100], [0, -300]));
  expect(found.box.getSize(new Vector3()).length()).toBeLessThan(2);
  expect(found.free).toHaveLength(1);
  expect(size(loose, poses([0, -100], [0, -101])).free).toEqual([0, 1]);
  // A chain is one thing, however long it is and wherever its end is.
  const bars = Array.from({ length: 60 }, (_, k) => bar(`${k}`));
  const chain = look(
    bars,
    bars.map((_, k) => hinge(`j${k}`, k, k === 0 ? null : k - 1, [k, 0, 0])),
    { extent: 30 },
  );
  const { box } = size(chain, poses(...bars.map((_, k): [number, number] => [k + 0.5, 0])));
  expect(box.max.x).toBeGreaterThan(59.9);
});

/** Which way the support of the ground points: 1 on the floor, −1 on a ceiling. */
const support = (model: Model): number => {
  const found = model.instances.find(({ items }) =>
    items.some(({ key, body }) => key === 'joint pin' && body === null),
  );
  const at = found?.items.findIndex(({ key, body }) => key === 'joint pin' && body === null) ?? -1;
  const matrix = new Matrix4();
  found?.mesh.getMatrixAt(at, matrix);
  return Math.sign(matrix.elements[5] ?? 0);
};

test('a support stays as it is while somebody edits, however things swing', () => {
  const start = new Model(pendulum, level, shapes, textures);
  expect(support(start)).toBe(1);
  const edited = new Model(withStone, poses([0, -0.5, true], [3, 0]), shapes, textures, start);
  expect(support(edited)).toBe(1);
  // What hangs when it is opened hangs from a ceiling, and goes on to.
  const hanging = new Model(pendulum, poses([0, -0.5, true]), shapes, textures);
  expect(support(hanging)).toBe(-1);
  expect(support(new Model(withStone, poses([0.5, 0], [3, 0]), shapes, textures, hanging))).toBe(-1);
  // A joint that is another one is looked at anew.
  const none = new Model(look([bar('arm')], []), level, shapes, textures, hanging);
  expect(support(new Model(pendulum, level, shapes, textures, none))).toBe(1);
});

test('a hinge is legible on a slim rod in an empty scene', () => {
  // As the palette makes it: half a meter, seen from four meters in a window of 500 px.
  const camera = { eye: [0, 0, 4], target: [0, 0, 0] } as Look['camera'];
  const rod = {
    ...bar('arm'),
    parts: [{ ...bar('arm').parts[0], shape: { type: 'cylinder', length: 0.5, radius: 0.01 } }],
  };
  const model = new Model(look([rod as BodyLook], pendulum.joints, { camera, extent: 0.144 }), level, shapes, textures);
  const pixel = (2 * 4 * Math.tan(Math.PI / 9)) / 500;
  const radius = (model.spots[0]?.size ?? 0) / pixel;
  expect(2 * radius).toBeGreaterThan(8);
  expect(2 * radius).toBeLessThan(16);
});

test('a picture on a sheet goes where the sheet goes, and is seen once its pixels are there', () => {
  const sheet: BodyLook = {
    ...bar('sheet'),
    turns: false,
    planar: true,
    picture: {
      name: 'photo',
      corners: [
        [0, 0],
        [1, 0],
        [0, 2],
      ],
      places: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      triangles: [[0, 1, 2]],
    },
  };
  const own = new Textures(() => {});
  // Stretched to twice its width, and moved.
  const model = new Model(look([sheet], []), new Float64Array([2, 0, 0, 5, 0, 1, 0, 7, 0, 0, 1, 0]), shapes, own);
  const meshes: Mesh[] = [];
  model.root.traverse((object) => {
    const mesh = object as Mesh;
    if (mesh.isMesh && mesh.geometry.getAttribute('uv')?.count === 3) meshes.push(mesh);
  });
  const [mesh] = meshes as [Mesh];
  const corner = new Vector3().fromBufferAttribute(mesh.geometry.getAttribute('position') as never, 1);
  corner.applyMatrix4(mesh.matrix);
  expect([corner.x, corner.y]).toEqual([7, 7]);
  expect((mesh.material as { opacity: number }).opacity).toBe(0);
  model.dispose();
});

test('a press beside what deforms takes hold of it', () => {
  const ball: BodyLook = { ...bar('ball'), parts: [], deforms: true, corners: 4, mesh: TETRAHEDRON };
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const at = new Float64Array([...poses([0, 0], [-2, 0.5]), ...corners]);
  const ray = (x: number): Raycaster => new Raycaster(new Vector3(x, 0.1, 5), new Vector3(0, 0, -1));
  /** What is met by rays ever further to either side. */
  const beside = (bodies: BodyLook[], x: number): number | null => {
    const model = new Model(look(bodies, []), at, shapes, textures);
    const rays = [0.1, 0.2, 0.3].flatMap((away) => [ray(x - away), ray(x + away)]);
    const hit = model.pickBeside(ray(x), () => 0.3, rays);
    model.dispose();
    return hit?.body ?? null;
  };
  expect(beside([ball, bar('bar')], -0.15)).toBe(0);
  expect(beside([ball, bar('bar')], -0.5)).toBeNull();
  expect(beside([{ ...ball, movable: false }, bar('bar')], -0.15)).toBeNull();
});
