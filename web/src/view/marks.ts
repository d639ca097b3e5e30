// Joints and forces as signs on the bodies they hold, and the ground where they hold on to it.

import { Matrix4, Vector3 } from 'three';
import type { BehaviorLook, EndLook, GlyphInfo, JointLook, Look } from '../engine/border';
import { glyphOf } from '../engine/catalogue';
import type { Vec3 } from '../engine/messages';
import { Batch } from './batch';
import { type Brush, keyOf, type Target } from './colors';
import { HALF } from './eye';
import { behaviorGlyph, type Glyph, jointGlyph, type Measure, measure, type Piece } from './glyphs';
import { type Anchor, complete, type Fixed } from './instances';
import type { Frames } from './poses';
import { dimensions, type Shapes } from './shapes';

/** Where a mark can be met by the pointer. */
export interface Spot {
  target: Target;
  anchor: Anchor;
  /** Of the mark, m. */
  size: number;
  /** A body that moves with it, if there is one. */
  body: number | null;
}

type Sign = (JointLook | BehaviorLook) & { axis_b?: Vec3 };

export class Marks {
  readonly spots: Spot[] = [];
  private readonly batch: Batch;
  private readonly supports = new Set<string>();
  private readonly sizes: { thickness: number; length: number }[];
  /** How far one sees from the middle of the first picture, m. */
  private readonly scope: number;
  /** In the plane lines are above the bodies. */
  private readonly lift: number;
  private readonly up: Vector3;
  /** Which supports are above what they hold, by key, and which were before an edit. */
  private readonly hanging = new Map<string, boolean>();
  private readonly before: ReadonlyMap<string, boolean>;

  constructor(
    private readonly look: Look,
    private readonly frames: Frames,
    shapes: Shapes,
    before: Marks | null = null,
  ) {
    this.before = before?.hanging ?? new Map();
    this.batch = new Batch(shapes);
    const { camera } = look;
    const away = camera === null ? 0 : new Vector3(...camera.eye).distanceTo(new Vector3(...camera.target));
    this.scope = Math.max(look.extent, HALF * away);
    this.lift = look.flat ? 0.03 * look.extent : 0;
    this.up = new Vector3(...look.up).normalize();
    this.sizes = look.bodies.map(({ parts }) => {
      const all = parts.map((part) => dimensions(part.shape));
      return {
        thickness: Math.max(0, ...all.map((one) => one.thickness)),
        length: Math.max(0, ...all.map((one) => one.length)),
      };
    });
    for (const joint of look.joints) {
      if (!joint.enabled) continue;
      const glyph = glyphOf('joint', joint.type);
      const of = this.measure(joint, glyph);
      this.add({ kind: 'joint', name: joint.name }, this.seated(joint, glyph), jointGlyph(joint, of), of);
      this.addSupports(keyOf({ kind: 'joint', name: joint.name }), joint, glyph, of);
    }
    for (const behavior of look.behaviors) {
      if (!behavior.enabled) continue;
      const glyph = glyphOf('behavior', behavior.type);
      const of = this.measure(behavior, glyph);
      const target: Target = { kind: 'behavior', name: behavior.name };
      this.add(target, this.seated(behavior, glyph), behaviorGlyph(behavior, of), of);
      this.addSupports(keyOf(target), behavior, glyph, of);
      if (behavior.force !== undefined) this.addForce(behavior, behavior.force, of);
    }
    this.batch.finish(false);
  }

  get group(): Batch['group'] {
    return this.batch.group;
  }

  get instances(): Batch['fixed'] {
    return this.batch.fixed;
  }

  update(frames: Frames): void {
    this.batch.update(frames);
  }

  paint(brush: Brush): void {
    this.batch.paint(brush);
  }

  dispose(): void {
    this.batch.dispose();
  }

  /** What turns one body about another is seen at the bearing between them, wherever its own frames are. */
  private seated<T extends Sign>(of: T, { seated }: GlyphInfo): T {
    const [a, b] = of.ends;
    if (!seated || a === undefined || b === undefined) return of;
    const bearing = this.look.joints.find(
      ({ type, ends: [c, d] }) =>
        glyphOf('joint', type).bearing &&
        c !== undefined &&
        d !== undefined &&
        ((c.body === a.body && d.body === b.body) || (c.body === b.body && d.body === a.body)),
    );
    const point = bearing?.ends[0]?.point;
    return point === undefined
      ? of
      : {
          ...of,
          ends: [
            { ...a, point },
            { ...b, point },
          ],
        };
  }

  private measure({ ends, axis }: Sign, glyph: GlyphInfo): Measure {
    const { extent } = this.look;
    const bodies = ends.flatMap(({ body }) => (body === null ? [] : [this.sizes[body] ?? { thickness: 0, length: 0 }]));
    const drawn = bodies.filter((body) => body.length > 0);
    const { size, span, thickness } = measure(drawn, this.scope, this.look.flat);
    const [a, b] = [ends[0], ends.at(-1)];
    let [reach, middle] = [6 * size, 0];
    if (a !== undefined && b !== undefined && axis && glyph.rail) {
      const way = new Vector3(...b.point).sub(new Vector3(...a.point)).dot(new Vector3(...axis).normalize());
      // A rail on the ground is around what slides on it; one on a body is as long as the body.
      if (a.body === null) [reach, middle] = [Math.max(8 * size, 0.35 * extent), way];
      else reach = Math.max(Math.abs(way) + 4 * size, 0.48 * (this.sizes[a.body]?.length ?? 0));
    }
    return { size, span, thickness, reach, middle };
  }

  private add(target: Target, of: Sign, glyph: Glyph, { size }: Measure): void {
    const [a, b] = [of.ends[0], of.ends.at(-1)];
    if (a === undefined || b === undefined) return;
    const key = keyOf(target);
    for (const piece of glyph.pieces)
      this.batch.addForm(piece.form, this.fixed(of, piece, piece.side === 0 ? a : b, key));
    for (const { form, color, radius } of glyph.links) {
      this.batch.addLink(form, { from: this.anchor(a, this.lift), to: this.anchor(b, this.lift), radius, color, key });
    }
    if (glyph.pieces.length === 0 && glyph.links.length === 0) return;
    const body = of.ends.findLast((end) => end.body !== null)?.body ?? null;
    this.spots.push({ target, anchor: this.anchor(b, 0), size, body });
    // A line is met at both ends.
    if (glyph.pieces.length === 0) this.spots.push({ target, anchor: this.anchor(a, 0), size, body });
  }

  /** A piece in world axes, fastened to the body of its end. */
  private fixed(of: Sign, piece: Piece, end: EndLook, key: string): Fixed {
    const x = this.direction(of, piece, end);
    const [y, z] = [new Vector3(), new Vector3()];
    complete(x, y, z);
    const place = new Vector3(...end.point).addScaledVector(x, piece.shift ?? 0);
    const [sx, sy, sz] = piece.scale;
    return this.fasten(
      end.body,
      [x.multiplyScalar(sx), y.multiplyScalar(sy), z.multiplyScalar(sz)],
      place,
      piece.color,
      key,
    );
  }

  /** What stands in the world as part of a body, or (upright) only where the body is. */
  private fasten(
    body: number | null,
    columns: [Vector3, Vector3, Vector3],
    place: Vector3,
    color: string,
    key: string,
    upright = this.frames.isUpright(body),
  ): Fixed {
    if (body !== null) {
      this.frames.toBody(body, place, place);
      if (!upright) for (const column of columns) this.frames.turnBack(body, column);
    }
    const local = new Matrix4().makeBasis(...columns).setPosition(place);
    return { body, local, upright, color, key };
  }

  private direction(of: Sign, piece: Piece, end: EndLook): Vector3 {
    const given = piece.along === 'axis_b' ? of.axis_b : of.axis;
    const axis = given ? new Vector3(...given) : new Vector3(1, 0, 0);
    if (piece.along === 'inward') {
      const origin = new Vector3();
      if (end.body === null) axis.copy(this.up).negate();
      else axis.copy(this.frames.toWorld(end.body, origin, origin)).sub(new Vector3(...end.point));
      // The shell is about −x.
      axis.negate();
    }
    return axis.lengthSq() > 0 ? axis.normalize() : axis.set(1, 0, 0);
  }

  private anchor(end: EndLook, lift: number): Anchor {
    const local = new Vector3(...end.point);
    local.z += lift;
    return { body: end.body, local: this.frames.toBody(end.body, local, local) };
  }

  /** The ground's sign where a joint holds on to it: beside a thick body, under both ends of a rail. */
  private addSupports(key: string, joint: Sign, glyph: GlyphInfo, { size, span, reach, middle }: Measure): void {
    if (!glyph.holds) return;
    // Once and for all: a support does not turn over because somebody edits while things swing.
    const ground = joint.ends.find(({ body }) => body === null);
    const hangs = ground !== undefined && (this.before.get(key) ?? this.hangs(joint, glyph, ground));
    this.hanging.set(key, hangs);
    const axis = new Vector3(...(joint.axis ?? [0, 0, 1])).normalize();
    let places = [0];
    if (glyph.rail) places = [middle - 0.92 * reach, middle + 0.92 * reach];
    else if (glyph.sign === 'pin' && !this.look.flat && span > 2.7 * size) places = [-0.5 * span, 0.5 * span];
    for (const end of joint.ends) {
      if (end.body !== null) continue;
      for (const far of places) {
        const place = new Vector3(...end.point).addScaledVector(axis, far);
        // Several joints may hold on to one point.
        const where = place
          .toArray()
          .map((x) => Math.round((200 * x) / this.look.extent))
          .join(' ');
        if (this.supports.has(where)) continue;
        this.supports.add(where);
        this.addSupport(place, axis, hangs ? -1.7 * size : 1.7 * size, key);
      }
    }
  }

  /** Whether what a joint holds is below it: then the ground is above. */
  private hangs(joint: Sign, glyph: GlyphInfo, ground: EndLook): boolean {
    const held = joint.ends.find((end) => end.body !== null);
    if (held === undefined || glyph.rail) return false;
    const origin = new Vector3();
    const way = this.frames.toWorld(held.body, origin, origin).sub(new Vector3(...ground.point));
    return way.dot(this.up) < -0.7 * way.length() && way.lengthSq() > 0;
  }

  private addSupport(place: Vector3, axis: Vector3, size: number, key: string): void {
    const y = this.up.clone();
    // The sign faces along the joint's axis, or where that points up, wherever.
    const x = this.look.flat ? new Vector3(0, 0, 1) : axis.clone().addScaledVector(y, -axis.dot(y));
    const z = new Vector3();
    if (x.length() < 0.1) complete(y, z, x);
    x.normalize();
    z.crossVectors(x, y).normalize();
    if (this.look.flat) place.z -= 0.02 * this.look.extent;
    // Upside down it is turned about x, not mirrored.
    const columns: [Vector3, Vector3, Vector3] = [
      x.multiplyScalar(Math.abs(size)),
      y.multiplyScalar(size),
      z.multiplyScalar(size),
    ];
    this.batch.addForm('support', this.fasten(null, columns, place, 'quiet', key));
  }

  /** A constant force: an arrow of one length, since it says a direction. */
  private addForce(of: BehaviorLook, force: Vec3, { size }: Measure): void {
    const end = of.ends[0];
    const x = new Vector3(...force);
    if (end === undefined || x.lengthSq() === 0) return;
    x.normalize();
    const [y, z] = [new Vector3(), new Vector3()];
    complete(x, y, z);
    const length = Math.max(5 * size, 0.06 * this.look.extent);
    const columns: [Vector3, Vector3, Vector3] = [
      x.multiplyScalar(length),
      y.multiplyScalar(size),
      z.multiplyScalar(size),
    ];
    const target: Target = { kind: 'behavior', name: of.name };
    const place = new Vector3(...end.point);
    place.z += this.lift;
    this.batch.addForm('arrow', this.fasten(end.body, columns, place, 'drive', keyOf(target), of.turns !== true));
    this.spots.push({ target, anchor: this.anchor(end, 0), size, body: end.body });
  }
}
