// Parts of the palette, as the entries of a file. Everything here is a pure function of what is seen.

import type { Vector3 } from 'three';
import type { BodyEntry, Look } from '../engine/border';
import type { Vec3 } from '../engine/messages';
import { unreachable } from '../exhaustive';

/** A body of the palette. */
interface Part {
  help: string;
  /** Across, as a part of its largest measure. */
  breadth: number;
  /** It is of the plane in every scene. */
  flat?: boolean;
  /** Whether it has frames, and whether it deforms: as the engine says of bodies. */
  turns: boolean;
  deforms: boolean;
}

export type BodyPart = 'rod' | 'plate' | 'disc' | 'box' | 'ball' | 'particle' | 'troid';

const SOLID = { turns: true, deforms: false };

export const BODY_PARTS: Record<BodyPart, Part> = {
  rod: { help: 'A straight bar', breadth: 0.08, ...SOLID },
  plate: { help: 'A thin rectangle', breadth: 0.6, ...SOLID },
  disc: { help: 'A wheel', breadth: 1, ...SOLID },
  box: { help: 'A block', breadth: 0.5, ...SOLID },
  ball: { help: 'A ball; in flat scenes a small disc', breadth: 0.5, ...SOLID },
  particle: { help: 'A heavy point', breadth: 0.1, turns: false, deforms: false },
  troid: { help: 'An elastic sheet of the plane', breadth: 0.8, flat: true, turns: false, deforms: true },
};

/** All bodies of the palette, in its order. */
export const bodyParts = (): BodyPart[] => Object.keys(BODY_PARTS) as BodyPart[];

/** What joins two places, or acts at a joint. */
export type LinkPart = 'spring' | 'damper' | 'motor';

export const LINK_PARTS: readonly [LinkPart, string][] = [
  ['spring', 'Press on one place, release on another'],
  ['damper', 'Press on one place, release on another: it slows what moves'],
  ['motor', 'Press on a hinge: it turns with a constant torque'],
];

/** Weight of a kilogram, N: springs and sheets are as strong as suits it, whether it acts or not. */
export const GRAVITY = 9.81;

/** Where a part goes, and in which proportions. */
export interface Setting {
  name: string;
  at: Vector3;
  /** The scene is of the plane: so is the part. */
  planar: boolean;
  /** Its largest measure, m. */
  size: number;
  mass: number;
  /** What discs turn about. */
  axle: Vec3;
}

/** 1, 2 or 5 times a power of ten, the nearest below. */
export const niceBelow = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  const digit = value / power;
  const nice = digit >= 5 - 1e-9 ? 5 : digit >= 2 - 1e-9 ? 2 : 1;
  return Number((nice * power).toPrecision(1));
};

/** What bodies of a scene weigh: the middle one, to one digit; 1 kg where there are none. */
export const usualMass = (look: Look): number => {
  const masses = look.bodies
    .filter(({ movable }) => movable)
    .map(({ mass }) => mass)
    .sort((a, b) => a - b);
  const middle = masses[masses.length >> 1];
  return middle === undefined || !(middle > 0) ? 1 : Number(middle.toPrecision(1));
};

/** A flat scene is of the plane as long as nothing in it is of space. */
export const isPlanar = (look: Look): boolean => look.flat && look.bodies.every(({ planar }) => planar);

const half = Math.SQRT1_2;
/** How a part is turned, w, x, y, z: a wheel of space has its axle along x, and is turned to face the viewer. */
export const partTurn = (
  part: BodyPart | 'anchor',
  planar: boolean,
  [x, y]: Vec3,
): [number, number, number, number] => {
  if (part !== 'disc' || planar || Math.abs(x) > 0.5) return [1, 0, 0, 0];
  return Math.abs(y) > 0.5 ? [half, 0, 0, half] : [half, 0, -half, 0];
};

/** How far a sheet may sag under its own weight, as a part of its size. */
const SAG = 1 / 15;

/** The body of a part. */
export const bodyEntry = (part: BodyPart, setting: Setting): BodyEntry => {
  const { name, size, mass, planar } = setting;
  const { x, y, z } = setting.at;
  const common = { name, mass, position: planar ? [x, y] : [x, y, z] };
  const { breadth, radius } = measures(part, size);
  if (part === 'troid') {
    const stiffness = (mass * GRAVITY) / (SAG * size);
    const damping = 0.15 * Math.sqrt(stiffness * mass);
    const elastic = { stiffness, area_stiffness: stiffness, damping };
    return { ...common, type: 'troid', size: [size, breadth], ...elastic, position: [x, y] };
  }
  if (planar) {
    switch (part) {
      case 'rod':
        return { ...common, type: 'planar-rod', length: size };
      case 'plate':
      case 'box':
        return { ...common, type: 'planar-box', size: [size, breadth] };
      default:
        return { ...common, type: 'planar-disc', radius };
    }
  }
  switch (part) {
    case 'rod':
      return { ...common, type: 'rod', length: size, radius };
    case 'plate':
      return { ...common, type: 'box', size: [size, breadth, 0.05 * size] };
    case 'box':
      return { ...common, type: 'box', size: [size, breadth, breadth] };
    case 'disc':
      return {
        ...common,
        type: 'disc',
        radius,
        thickness: 0.2 * radius,
        quaternion: partTurn(part, planar, setting.axle),
      };
    case 'ball':
      return { ...common, type: 'sphere', radius };
    case 'particle':
      return { ...common, type: 'particle' };
    default:
      return unreachable(part);
  }
};

/** Lengths of a part whose largest measure is `size`, m. */
const measures = (part: BodyPart, size: number): { breadth: number; radius: number } => {
  const breadth = BODY_PARTS[part].breadth * size;
  return { breadth, radius: 0.5 * breadth };
};

/** Where a part can be fastened before it is there, in its own coordinates, m. */
export const partPlaces = (part: BodyPart, size: number, planar: boolean): Vec3[] => {
  const { breadth, radius } = measures(part, size);
  const middle: Vec3 = [0, 0, 0];
  const [a, b] = [0.5 * size, 0.5 * breadth];
  switch (part) {
    case 'rod':
      return [[-a, 0, 0], [a, 0, 0], middle];
    case 'plate':
    case 'box':
      return [[-a, 0, 0], [a, 0, 0], [0, -b, 0], [0, b, 0], middle];
    case 'troid':
      return [[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0], middle];
    case 'disc':
      return [0, 1, 2, 3].map((k) => onRim(0.5 * Math.PI * k, radius, planar)).concat([middle]);
    case 'ball':
      return [[-radius, 0, 0], [radius, 0, 0], [0, -radius, 0], [0, radius, 0], middle];
    case 'particle':
      return [middle];
    default:
      return unreachable(part);
  }
};

/** A point of a wheel's rim. */
const onRim = (angle: number, radius: number, planar: boolean): Vec3 => {
  const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
  return planar ? [c, s, 0] : [0, c, s];
};

/** What is seen of a part while it is carried, in its own coordinates, m. */
export const outline = (part: BodyPart | 'anchor', size: number, planar: boolean): Vec3[] => {
  if (part === 'anchor') return [];
  const { breadth, radius } = measures(part, size);
  if (part === 'disc' || part === 'ball' || part === 'particle') {
    return Array.from({ length: 33 }, (_, k) => onRim((2 * Math.PI * k) / 32, radius, planar || part !== 'disc'));
  }
  const [a, b] = [0.5 * size, 0.5 * breadth];
  return [
    [-a, -b, 0],
    [a, -b, 0],
    [a, b, 0],
    [-a, b, 0],
    [-a, -b, 0],
  ];
};
