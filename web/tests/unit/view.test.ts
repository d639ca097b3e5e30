import { Box3, Color, Matrix4, Vector3 } from 'three';
import { expect, test } from 'vitest';
import type { Look } from '../../src/engine/border';
import { ForceScale } from '../../src/view/arrows';
import { Brush } from '../../src/view/colors';
import { behaviorGlyph, jointGlyph, measure, springLinks } from '../../src/view/glyphs';
import { roundStep } from '../../src/view/ground';
import { HELD, seenTogether } from '../../src/view/groups';
import { stretch } from '../../src/view/instances';
import { through } from '../../src/view/line';
import { AROUND, meets, nearestOnLine, REACH } from '../../src/view/picking';
import { Frames } from '../../src/view/poses';
import { smoothNormals } from '../../src/view/skin';
import { branchesOf } from '../../src/view/tree';

const rounded = (numbers: Iterable<number>): number[] => [...numbers].map((x) => Math.round(x * 1e6) / 1e6 + 0);

test('twelve numbers are the rows of a map', () => {
  const frames = new Frames([false, false]);
  // The second body: a quarter turn about z.
  frames.set(new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3]));
  const moved = frames.toWorld(1, new Vector3(1, 0, 0), new Vector3());
  expect(rounded(moved)).toEqual([1, 3, 3]);
  expect(rounded(frames.toBody(1, moved, new Vector3()))).toEqual([1, 0, 0]);
  const out = new Float32Array(16);
  frames.write(1, new Matrix4().makeTranslation(1, 0, 0), out, 0);
  expect(rounded(out)).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 3, 3, 1]);
});

test('marks on what deforms do not follow its map', () => {
  const frames = new Frames([true]);
  frames.set(new Float64Array([1, 2, 0, 10, 3, 4, 0, 20, 0, 0, 1, 0]));
  const moved = frames.toWorld(0, new Vector3(1, 1, 0), new Vector3());
  expect(moved.toArray()).toEqual([13, 27, 0]);
  expect(rounded(frames.toBody(0, moved, new Vector3()))).toEqual([1, 1, 0]);
  const out = new Float32Array(16);
  frames.writeUpright(0, new Matrix4().makeTranslation(1, 1, 0), out, 0);
  expect([...out]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 13, 27, 0, 1]);
});

test('a link is laid from one point to the other, and is as wide as it should be', () => {
  const out = new Float32Array(16);
  stretch(new Vector3(1, 1, 1), new Vector3(1, 1, -2), 0.5, out, 0);
  const matrix = new Matrix4().fromArray(out);
  expect(rounded(new Vector3(1, 0, 0).applyMatrix4(matrix))).toEqual([1, 1, -2]);
  expect(new Vector3(0, 1, 0).applyMatrix4(matrix).distanceTo(new Vector3(1, 1, 1))).toBeCloseTo(0.5, 6);
  // Right-handed, else it is seen from inside.
  expect(matrix.determinant()).toBeCloseTo(3 * 0.5 * 0.5, 6);
  stretch(new Vector3(2, 0, 0), new Vector3(2, 0, 0), 0.5, out, 0);
  expect([...out].every(Number.isFinite)).toBe(true);
});

test('a path goes through its points in order', () => {
  const path = through([new Vector3(0, 0, 0), new Vector3(1, 0, 0), new Vector3(1, 2, 0)], 1);
  expect(path.count).toBe(2);
  expect(path.at(0)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(path.at(1)).toEqual([1, 0, 0, 1, 2, 0]);
});

test('joints are drawn as what they are', () => {
  const of = { size: 1, span: 4, thickness: 1, reach: 6, middle: 2 };
  const forms = (type: string | null): string[] => jointGlyph({ type }, of).pieces.map((piece) => piece.form);
  expect(forms('hinge')).toEqual(['cylinder', 'cylinder']);
  expect(forms('ball')).toEqual(['socket', 'ball']);
  expect(forms('prismatic')).toEqual(['box', 'box']);
  expect(forms('screw')).toEqual(['thread', 'nut']);
  expect(forms('rolling-ball')).toEqual(['diamond']);
  expect(forms(null)).toEqual(['diamond']);
  expect(forms('scalar')).toEqual([]);
  const universal = jointGlyph({ type: 'universal' }, of).pieces;
  expect(universal.map(({ side, along }) => [side, along])).toEqual([
    [0, undefined],
    [1, 'axis_b'],
    [1, undefined],
  ]);
  // A rail belongs to the first body, what slides on it to the second.
  expect(jointGlyph({ type: 'prismatic' }, of).pieces.map((piece) => piece.side)).toEqual([0, 1]);
  expect(jointGlyph({ type: 'prismatic' }, of).pieces[0]).toMatchObject({ scale: [12, 0.7, 0.7], shift: 2 });
  expect(jointGlyph({ type: 'distance' }, of).links.map((link) => link.form)).toEqual(['bar']);
  expect(behaviorGlyph({ type: 'motor' }, of).pieces.map((piece) => piece.form)).toEqual(['arc', 'arc']);
  expect(behaviorGlyph({ type: 'drag' }, of)).toEqual({ pieces: [], links: [] });
});

test('what is stiff is a coil, what resists a dashpot', () => {
  const forms = (stiffness: number, damping: number): string[] =>
    springLinks(1, stiffness, damping).map((link) => link.form);
  expect(forms(10, 0)).toEqual(['coil']);
  expect(forms(0, 2)).toEqual(['dashpot']);
  expect(forms(10, 2)).toEqual(['coil', 'dashpot']);
});

test('marks are seen beside their bodies, and small beside a long chain', () => {
  const rod = { thickness: 0.02, length: 0.4 };
  expect(measure([rod, rod], 1).size).toBeCloseTo(0.018, 9);
  expect(measure([rod, rod], 500).size).toBeLessThanOrEqual(0.16 * 0.4);
  expect(measure([{ thickness: 1, length: 2 }], 3).span).toBeGreaterThan(1);
  expect(measure([], 1).size).toBeGreaterThan(0);
});

test('arrows follow the largest force, up quickly and down slowly', () => {
  const scale = new ForceScale();
  expect(scale.length(5)).toBe(0);
  scale.see(100);
  expect([scale.length(100), scale.length(50), scale.length(0.5)]).toEqual([1, 0.5, 0]);
  for (let k = 0; k < 10; k += 1) scale.see(1000);
  expect(scale.length(1000)).toBeCloseTo(1, 1);
  for (let k = 0; k < 10; k += 1) scale.see(100);
  expect(scale.length(100)).toBeLessThan(0.15);
  const before = scale.length(100);
  // A blow lasts one moment.
  scale.see(1e6);
  scale.see(100);
  expect(scale.length(100)).toBeCloseTo(before, 2);
  scale.see(Number.NaN);
  expect(scale.length(1e9)).toBe(1.5);
  expect(scale.length(Number.NaN)).toBe(0);
});

test('the point of an axis under the pointer is the one nearest to its ray', () => {
  const down = new Vector3(0, 0, -1);
  const on = nearestOnLine(new Vector3(3, 5, 10), down, new Vector3(0, 1, 0), new Vector3(2, 0, 0));
  expect(rounded(on ?? [])).toEqual([3, 1, 0]);
  expect(nearestOnLine(new Vector3(3, 5, 10), down, new Vector3(), new Vector3(0, 0, 3))).toBeNull();
});

test('a joint is met within a few pixels, unless it is a speck', () => {
  const mark = { x: 100, y: 100, radius: 3, depth: 1 };
  expect(meets(mark, 103, 104)).toBe(5);
  expect(meets(mark, 106, 100)).toBeNull();
  expect(meets({ ...mark, radius: 10 }, 111, 100)).toBe(11);
  expect(meets({ ...mark, radius: 0.5 }, 100, 100)).toBeNull();
});

test('normals of a skin are smooth: a corner has the mean of its faces', () => {
  // A roof: two unit squares' worth of triangles that meet at a right angle.
  const places = new Float32Array([0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1]);
  const out = new Float32Array(12);
  smoothNormals(places, [0, 2, 1, 0, 1, 3], out);
  expect(rounded(out.subarray(6, 9))).toEqual([0, 0, 1]);
  expect(rounded(out.subarray(9, 12))).toEqual([1, 0, 0]);
  expect(rounded(out.subarray(0, 3))).toEqual(rounded([Math.SQRT1_2, 0, Math.SQRT1_2]));
});

test('what is pointed out and warned of has a color of its own in both themes', () => {
  const brush = new Brush({ background: '#ffffff', ink: '#000000', hand: '#ff8800' });
  const paint = (kind: string, name: string): string =>
    brush.paint({ color: 'ink', key: `${kind} ${name}` }, new Color()).getHexString();
  expect(paint('joint', 'A')).toBe('000000');
  brush.tints = new Map([['A', 'contradictory']]);
  const warned = paint('joint', 'A');
  expect(warned).toBe('e0433a');
  expect(paint('body', 'A')).toBe('000000');
  brush.selected = { kind: 'joint', name: 'A' };
  expect(paint('joint', 'A')).not.toBe(warned);
  brush.selected = null;
  brush.setColors({ background: '#000000', ink: '#ffffff', hand: '#ff8800' });
  expect(paint('joint', 'A')).toBe(warned);
  expect(paint('joint', 'B')).toBe('ffffff');
});

test('lines of the grid are round numbers apart', () => {
  expect([0.7, 1, 1.2, 2.5, 6, 0.03].map(roundStep)).toEqual([1, 1, 2, 5, 10, 0.05]);
});

test('a tree is drawn from root to leaves, over its joints', () => {
  const frames = new Frames([false, false]);
  frames.set(new Float64Array([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0]));
  const end = (body: number | null, x: number) => ({ body, point: [x, 0, 0] });
  const joints = [
    { name: 'hook', holds: 0, ends: [end(null, 0), end(0, 0)] },
    { name: 'elbow', holds: 1, ends: [end(0, 2), end(1, 2)] },
    { name: 'loop', closes_loop: true, ends: [end(1, 4), end(null, 4)] },
  ];
  const { arrows, stems } = branchesOf({ extent: 1, joints } as unknown as Look, frames);
  const ends = ({ from, to }: (typeof arrows)[number]) => [from.body, from.local.x, to.body, to.local.x];
  expect(arrows.map(ends)).toEqual([
    [0, -1, 0, 0],
    [1, -1, 1, 0],
  ]);
  // The ground is no body: its tree begins at the joint.
  expect(stems.map(ends)).toEqual([[0, 0, 1, -1]]);
});

test('a pointer reaches as far as a finger is wide, nearest first', () => {
  const away = AROUND.map(([x, y]) => Math.round(Math.hypot(x, y)));
  expect(away).toEqual([...away].sort((a, b) => a - b));
  expect(Math.max(...away)).toBe(REACH);
  // No gap is wider than the thinnest rod that is easily seen, px.
  for (const radius of new Set(away)) {
    const count = away.filter((own) => own === radius).length;
    expect((2 * Math.PI * radius) / count).toBeLessThan(7);
  }
});

test('fit begins with what is held, else in the midst of most, and shows points that are small', () => {
  const ball = (x: number, radius: number, isDots = false) => ({
    x,
    isDots,
    box: new Box3(new Vector3(x - radius, -radius, -radius), new Vector3(x + radius, radius, radius)),
  });
  const seen = (...all: ReturnType<typeof ball>[]): number[] =>
    seenTogether(new Map(all.map((own, k) => [k + 1, own])))
      .map(({ x }) => x)
      .sort((a, b) => a - b);
  // The largest has rolled away.
  expect(seen(ball(0, 0.1), ball(-40, 0.3), ball(0.3, 0.1), ball(0.6, 0.1))).toEqual([0, 0.3, 0.6]);
  expect(seen(ball(0, 0.1), ball(-40, 0.3))).toEqual([-40]);
  // Four points of a meter's square are dots, and all of it.
  const corners = [-0.5, -0.4, 0.4, 0.5];
  expect(seen(...corners.map((x) => ball(x, 0.02, true)))).toEqual(corners);
  expect(
    seenTogether(
      new Map([
        [HELD, ball(9, 0.1)],
        [1, ball(0, 5)],
      ]),
    ).map(({ x }) => x),
  ).toContain(9);
});
