// How joints and forces are drawn: the pieces of each sign. The catalogue says which sign a type has; nothing here
// knows types, or three.js.

import type { GlyphInfo, Link as LinkKind, Sign } from '../engine/border';
import { glyphOf } from '../engine/catalogue';
import type { Vec3 } from '../engine/messages';
import { unreachable } from '../exhaustive';
import type { Form } from './shapes';

/** A shape on one side of a joint. Its x is the joint's axis. */
export interface Piece {
  form: Form;
  /** 0 for the first end, 1 for the last. */
  side: 0 | 1;
  color: 'ink' | 'paper' | 'drive' | 'quiet';
  /** m, in axes whose x is `along`. */
  scale: Vec3;
  /** Shift along x, m. */
  shift?: number;
  /** Which axis is x: the joint's, the second of a universal joint, or the way from the joint into the body. */
  along?: 'axis' | 'axis_b' | 'inward';
}

/** Sizes at a joint, m. */
export interface Measure {
  /** Of a mark. */
  size: number;
  /** Length of a pin that is seen on both sides of the bodies. */
  span: number;
  /** Of the bodies. */
  thickness: number;
  /** Half the length of a rail. */
  reach: number;
  /** Where the middle of the rail is along the axis, from the first end. */
  middle: number;
}

/** What is stretched from the first end to the last. */
export interface Link {
  form: 'bar' | 'coil' | 'dashpot';
  color: 'ink' | 'drive' | 'quiet' | 'faint';
  /** m. */
  radius: number;
}

export interface Glyph {
  pieces: Piece[];
  links: Link[];
}

const pin = ({ size, span }: Measure): Piece[] => [
  { form: 'cylinder', side: 1, color: 'ink', scale: [span, 0.85 * size, 0.85 * size] },
  { form: 'cylinder', side: 1, color: 'paper', scale: [1.03 * span, 0.4 * size, 0.4 * size] },
];

const ball = ({ size }: Measure): Piece[] => [
  { form: 'socket', side: 0, color: 'quiet', scale: [1.3 * size, 1.3 * size, 1.3 * size], along: 'inward' },
  { form: 'ball', side: 1, color: 'ink', scale: [size, size, size] },
];

const rail = ({ size, reach, middle }: Measure, form: Form, width: number): Piece => ({
  form,
  side: 0,
  color: 'quiet',
  scale: [2 * reach, width * size, width * size],
  shift: middle,
});

/** Half the width of what slides: around a slim body, or small beside a stout one, which hides it. */
const grasp = ({ size, thickness }: Measure): number =>
  thickness < 4 * size ? Math.max(0.95 * size, 0.64 * thickness) : 0.95 * size;

/** On both sides of the bodies, which hide one. */
const turning = ({ size, span }: Measure): Piece[] => {
  const radius = Math.max(2.6 * size, 0.36 * span);
  return [-0.5, 0.5].map((side) => ({
    form: 'arc',
    side: 1,
    color: 'drive',
    scale: [radius, radius, radius],
    shift: side * span,
  }));
};

/** A plate across the axis, on the first body. */
const plate = ({ size }: Measure): Piece => ({
  form: 'box',
  side: 0,
  color: 'quiet',
  scale: [0.2 * size, 6 * size, 6 * size],
});

const pieces = (sign: Sign, of: Measure): Piece[] => {
  const { size, span } = of;
  const all = (times: number): Vec3 => [times * size, times * size, times * size];
  switch (sign) {
    case 'nothing':
      return [];
    case 'mark':
      return [{ form: 'diamond', side: 1, color: 'ink', scale: all(1) }];
    case 'ball':
      return ball(of);
    case 'pin':
      return pin(of);
    case 'cross': {
      const scale: Vec3 = [3.4 * size, 0.45 * size, 0.45 * size];
      return [
        { form: 'cylinder', side: 0, color: 'ink', scale },
        { form: 'cylinder', side: 1, color: 'ink', scale, along: 'axis_b' },
        { form: 'ball', side: 1, color: 'quiet', scale: all(0.8) },
      ];
    }
    case 'sleeve': {
      const wide = 1.2 * grasp(of);
      return [rail(of, 'cylinder', 0.5), { form: 'cylinder', side: 1, color: 'ink', scale: [2.4 * size, wide, wide] }];
    }
    case 'block': {
      const wide = 2 * grasp(of);
      return [rail(of, 'box', 0.7), { form: 'box', side: 1, color: 'ink', scale: [3 * size, wide, wide] }];
    }
    case 'slot':
      return [rail(of, 'box', 0.9), ...ball(of).slice(1)];
    case 'nut': {
      const wide = 1.6 * grasp(of);
      return [rail(of, 'thread', 0.8), { form: 'nut', side: 1, color: 'ink', scale: [1.4 * size, wide, wide] }];
    }
    case 'foot':
      return [plate(of), { form: 'cylinder', side: 1, color: 'ink', scale: [0.8 * size, size, size] }];
    case 'plate':
      return [plate(of), ...ball(of).slice(1)];
    case 'seam':
      return [{ form: 'box', side: 1, color: 'ink', scale: [0.5 * size, 2.2 * size, 2.2 * size] }];
    case 'arrow':
      return turning(of);
    case 'lead':
      return [{ form: 'diamond', side: 1, color: 'drive', scale: all(1.2) }];
    case 'blade':
      return [{ form: 'box', side: 1, color: 'ink', scale: [4 * size, 0.2 * size, 1.6 * size] }];
    case 'gear':
      return [{ form: 'ring', side: 0, color: 'ink', scale: all(1.8) }];
    case 'spiral': {
      const radius = Math.max(2.4 * size, 0.7 * span);
      return [{ form: 'spiral', side: 1, color: 'ink', scale: [radius, radius, radius] }];
    }
    case 'washer':
      return [{ form: 'ring', side: 0, color: 'quiet', scale: all(1.5) }];
    default:
      return unreachable(sign);
  }
};

/** A coil for what is stiff, a dashpot for what only resists, both for both. */
export const springLinks = (size: number, stiffness = 0, damping = 0): Link[] => {
  const links: Link[] = [];
  if (stiffness > 0 || damping === 0) links.push({ form: 'coil', color: 'ink', radius: 1.3 * size });
  if (damping > 0) links.push({ form: 'dashpot', color: 'quiet', radius: stiffness > 0 ? 0.55 * size : 1.1 * size });
  return links;
};

/** How stiff something is that is drawn as a spring, and how much it damps. */
interface Strength {
  stiffness?: number;
  damping?: number;
}

const links = (link: LinkKind, { stiffness, damping }: Strength, of: Measure): Link[] => {
  const { size } = of;
  switch (link) {
    case 'nothing':
      return [];
    case 'gap':
      return [{ form: 'bar', color: 'drive', radius: 0.15 * size }];
    case 'bar':
      return [{ form: 'bar', color: 'ink', radius: 0.35 * size }];
    case 'coil':
      return springLinks(size, stiffness, damping);
    case 'drive':
      return [{ form: 'dashpot', color: 'drive', radius: 1.15 * grasp(of) }];
    default:
      return unreachable(link);
  }
};

/** The sign of something by how it is drawn. */
const drawn = ({ sign, link }: GlyphInfo, strength: Strength, of: Measure): Glyph => ({
  pieces: pieces(sign, of),
  links: links(link, strength, of),
});

/** The sign of a joint. What a program has made has a plain mark. */
export const jointGlyph = (joint: Strength & { type: string | null }, of: Measure): Glyph =>
  drawn(glyphOf('joint', joint.type), joint, of);

/** The sign of a force. Fields and drag are everywhere and have none. */
export const behaviorGlyph = (behavior: Strength & { type: string }, of: Measure): Glyph =>
  drawn(glyphOf('behavior', behavior.type), behavior, of);

/** The size of marks at a joint: seen beside the bodies they hold, and small beside the scene and the bodies'
 * length, so that a long chain is no string of pearls. */
export const measure = (
  bodies: readonly { thickness: number; length: number }[],
  /** How far one sees, m: the scene, or more where there is little in it yet. */
  extent: number,
  /** Seen along pins: only their width tells them from the bars. */
  isFlat = false,
): { size: number; span: number; thickness: number } => {
  const thickness = Math.max(0, ...bodies.map((body) => body.thickness));
  const length = Math.min(Infinity, ...bodies.map((body) => body.length));
  // Beside its body it is legible however slim that is, and however little else there is in the scene. Sheets have no
  // thickness.
  const legible = Math.min(0.05 * length, 0.018 * extent);
  const least = thickness > 0 ? Math.max(Math.min(0.012 * extent, 1.1 * thickness), legible) : 0.02 * extent;
  const wanted = Math.min(Math.max((isFlat ? 0.9 : 0.65) * thickness, least), 0.027 * extent);
  const size = Math.min(wanted, 0.16 * length);
  return { size, span: Math.max(2.6 * size, 1.2 * thickness), thickness };
};
