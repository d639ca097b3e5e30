// How joints and forces are drawn: the pieces of each sign, by type. Nothing here knows three.js.

import type { Vec3 } from '../engine/messages';
import type { Form } from './shapes';

/** A shape on one side of a joint. Its x is the joint's axis. */
export interface Piece {
  form: Form;
  /** 0 for the first end, 1 for the last. */
  side: 0 | 1;
  colour: 'ink' | 'paper' | 'drive' | 'quiet';
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
  colour: 'ink' | 'drive' | 'quiet' | 'faint';
  /** m. */
  radius: number;
}

export interface Glyph {
  pieces: Piece[];
  links: Link[];
}

const pin = ({ size, span }: Measure): Piece[] => [
  { form: 'cylinder', side: 1, colour: 'ink', scale: [span, 0.85 * size, 0.85 * size] },
  { form: 'cylinder', side: 1, colour: 'paper', scale: [1.03 * span, 0.4 * size, 0.4 * size] },
];

const ball = ({ size }: Measure): Piece[] => [
  { form: 'socket', side: 0, colour: 'quiet', scale: [1.3 * size, 1.3 * size, 1.3 * size], along: 'inward' },
  { form: 'ball', side: 1, colour: 'ink', scale: [size, size, size] },
];

const rail = ({ size, reach, middle }: Measure, form: Form, width: number): Piece => ({
  form,
  side: 0,
  colour: 'quiet',
  scale: [2 * reach, width * size, width * size],
  shift: middle,
});

/** Half the width of what slides: around a slim body, or small beside a stout one, which hides it. */
const grasp = ({ size, thickness }: Measure): number =>
  thickness < 4 * size ? Math.max(0.95 * size, 0.64 * thickness) : 0.95 * size;

const mark = ({ size }: Measure): Piece[] => [{ form: 'diamond', side: 1, colour: 'ink', scale: [size, size, size] }];

/** On both sides of the bodies, which hide one. */
const turning = ({ size, span }: Measure): Piece[] => {
  const radius = Math.max(2.6 * size, 0.36 * span);
  return [-0.5, 0.5].map((side) => ({
    form: 'arc',
    side: 1,
    colour: 'drive',
    scale: [radius, radius, radius],
    shift: side * span,
  }));
};

const PIECES: Record<string, (measure: Measure) => Piece[]> = {
  ball,
  hinge: pin,
  universal: (of) => [
    { form: 'cylinder', side: 0, colour: 'ink', scale: [3.4 * of.size, 0.45 * of.size, 0.45 * of.size] },
    {
      form: 'cylinder',
      side: 1,
      colour: 'ink',
      scale: [3.4 * of.size, 0.45 * of.size, 0.45 * of.size],
      along: 'axis_b',
    },
    { form: 'ball', side: 1, colour: 'quiet', scale: [0.8 * of.size, 0.8 * of.size, 0.8 * of.size] },
  ],
  cylindrical: (of) => [
    rail(of, 'cylinder', 0.5),
    { form: 'cylinder', side: 1, colour: 'ink', scale: [2.4 * of.size, 1.2 * grasp(of), 1.2 * grasp(of)] },
  ],
  prismatic: (of) => [
    rail(of, 'box', 0.7),
    { form: 'box', side: 1, colour: 'ink', scale: [3 * of.size, 2 * grasp(of), 2 * grasp(of)] },
  ],
  slot: (of) => [rail(of, 'box', 0.9), ...ball(of).slice(1)],
  screw: (of) => [
    rail(of, 'thread', 0.8),
    { form: 'nut', side: 1, colour: 'ink', scale: [1.4 * of.size, 1.6 * grasp(of), 1.6 * grasp(of)] },
  ],
  planar: (of) => [
    { form: 'box', side: 0, colour: 'quiet', scale: [0.2 * of.size, 6 * of.size, 6 * of.size] },
    { form: 'cylinder', side: 1, colour: 'ink', scale: [0.8 * of.size, of.size, of.size] },
  ],
  'point-on-plane': (of) => [
    { form: 'box', side: 0, colour: 'quiet', scale: [0.2 * of.size, 6 * of.size, 6 * of.size] },
    ...ball(of).slice(1),
  ],
  weld: (of) => [{ form: 'box', side: 1, colour: 'ink', scale: [0.5 * of.size, 2.2 * of.size, 2.2 * of.size] }],
  'angle-drive': turning,
  trajectory: (of) => [
    { form: 'diamond', side: 1, colour: 'drive', scale: [1.2 * of.size, 1.2 * of.size, 1.2 * of.size] },
  ],
  'knife-edge': (of) => [{ form: 'box', side: 1, colour: 'ink', scale: [4 * of.size, 0.2 * of.size, 1.6 * of.size] }],
  gear: (of) => [{ form: 'ring', side: 0, colour: 'ink', scale: [1.8 * of.size, 1.8 * of.size, 1.8 * of.size] }],
  // Lines from end to end.
  distance: () => [],
  spring: () => [],
  'distance-drive': () => [],
  'length-drive': () => [],
  // A number is nowhere.
  scalar: () => [],
};

/** Joints whose two ends are one point: where they are open, the gap is seen. */
const MEETING = ['ball', 'hinge', 'universal', 'weld'];

/** A coil for what is stiff, a dashpot for what only resists, both for both. */
export const springLinks = (size: number, stiffness = 0, damping = 0): Link[] => {
  const links: Link[] = [];
  if (stiffness > 0 || damping === 0) links.push({ form: 'coil', colour: 'ink', radius: 1.3 * size });
  if (damping > 0) links.push({ form: 'dashpot', colour: 'quiet', radius: stiffness > 0 ? 0.55 * size : 1.1 * size });
  return links;
};

/** The sign of a joint. Unknown types, and contacts, have a plain mark. */
export const jointGlyph = (
  joint: { type: string | null; stiffness?: number; damping?: number },
  measure: Measure,
): Glyph => {
  const type = joint.type ?? '';
  const pieces = (PIECES[type] ?? mark)(measure);
  const { size } = measure;
  if (type === 'spring') return { pieces, links: springLinks(size, joint.stiffness, joint.damping) };
  if (type === 'distance') return { pieces, links: [{ form: 'bar', colour: 'ink', radius: 0.35 * size }] };
  if (type === 'distance-drive' || type === 'length-drive')
    return { pieces, links: [{ form: 'dashpot', colour: 'drive', radius: 1.15 * grasp(measure) }] };
  if (MEETING.includes(type)) return { pieces, links: [{ form: 'bar', colour: 'drive', radius: 0.15 * size }] };
  return { pieces, links: [] };
};

/** The sign of a force. Fields and drag are everywhere and have none. */
export const behaviorGlyph = (
  behavior: { type: string; stiffness?: number; damping?: number },
  measure: Measure,
): Glyph => {
  const { size, span } = measure;
  switch (behavior.type) {
    case 'motor':
      return { pieces: turning(measure), links: [] };
    case 'torsion-spring': {
      const radius = Math.max(2.4 * size, 0.7 * span);
      return { pieces: [{ form: 'spiral', side: 1, colour: 'ink', scale: [radius, radius, radius] }], links: [] };
    }
    case 'friction':
      return {
        pieces: [{ form: 'ring', side: 0, colour: 'quiet', scale: [1.5 * size, 1.5 * size, 1.5 * size] }],
        links: [],
      };
    case 'explicit-spring':
      return { pieces: [], links: springLinks(size, behavior.stiffness, behavior.damping) };
    default:
      return { pieces: [], links: [] };
  }
};

/** The size of marks at a joint: seen beside the bodies they hold, and small beside the scene and the bodies'
 * length, so that a long chain is no string of pearls. */
export const measure = (
  bodies: readonly { thickness: number; length: number }[],
  extent: number,
  /** Seen along pins: only their width tells them from the bars. */
  isFlat = false,
): { size: number; span: number; thickness: number } => {
  const thickness = Math.max(0, ...bodies.map((body) => body.thickness));
  const length = Math.min(Infinity, ...bodies.map((body) => body.length));
  // Sheets have no thickness.
  const least = thickness > 0 ? Math.min(0.012 * extent, 1.1 * thickness) : 0.02 * extent;
  const wanted = Math.min(Math.max((isFlat ? 0.9 : 0.65) * thickness, least), 0.027 * extent);
  const size = Math.min(wanted, 0.16 * length);
  return { size, span: Math.max(2.6 * size, 1.2 * thickness), thickness };
};
