// Parts of the palette, as the entries of a file. Everything here is a pure function of what is seen.

import type { Quaternion, Vector3 } from 'three';
import type { BehaviorEntry, BodyEntry, Command, ConnectorRef, Look, OfferInfo, TypeInfo } from '../engine/border';
import { type Offered, offerNamed, offersOf, typeOf } from '../engine/catalogue';
import type { Vec3 } from '../engine/messages';
import { isSized, sizeFields } from './measures';

/** The names of all bodies of the palette, in its order. */
export const bodyParts = (): string[] => offersOf('body').map(({ offer }) => offer.name);

/** What can be carried to the stage: a body of the palette by its name, or a place on the ground. */
export const ANCHOR = 'anchor';

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
  /** Whether it collides, if it has a shape. */
  collide?: boolean;
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

/** A part, and the type that it is in space or in the plane. */
const partOf = (part: string, planar: boolean): Offered & { places: Vec3[] } => {
  const found = offerNamed(part, 'body');
  if (found === null) throw new Error(`the palette has no "${part}"`);
  const { offer } = found;
  const type = planar && offer.in_plane !== undefined ? typeOf('body', offer.in_plane) : null;
  return type === null ? { ...found, places: offer.places } : { offer, type, places: offer.places_in_plane };
};

/** Whether a part has a shape of its own, with which it can collide: its solid, or the skin of a shell. */
export const hasShape = (part: string, planar: boolean): boolean => {
  const { offer, type } = partOf(part, planar);
  return isSized(type) || offer.blown !== undefined;
};

/** The type of a part, in space or in the plane. */
export const partType = (part: string, planar: boolean): TypeInfo => partOf(part, planar).type;

const isWheel = ({ body }: TypeInfo): boolean => body?.x === 'wheel';

const half = Math.SQRT1_2;
/** How a part is turned, w, x, y, z: a wheel of space has its axle along x, and is turned to face the viewer. */
export const partTurn = (part: string, planar: boolean, [x, y]: Vec3): [number, number, number, number] => {
  if (part === ANCHOR || !isWheel(partType(part, planar)) || Math.abs(x) > 0.5) return [1, 0, 0, 0];
  return Math.abs(y) > 0.5 ? [half, 0, 0, half] : [half, 0, -half, 0];
};

/** Stiffness and damping that suit a mass which may sink by a part of `reach`, m. */
export const strength = (
  { sag, damping }: Pick<OfferInfo, 'sag' | 'damping'>,
  mass: number,
  reach: number,
): { stiffness: number; damping: number } => {
  const stiffness = (mass * GRAVITY) / (sag * reach);
  return { stiffness, damping: damping * 2 * Math.sqrt(stiffness * mass) };
};

/** What of its shape moves, and how it resists, of a body with so much mass and such a size. */
const freedom = ({ supple }: OfferInfo, mass: number, size: number): object => {
  const free = supple.map(({ name, stiffness, damping }) => {
    const energy = stiffness * mass * GRAVITY * size;
    // Critical of a mass that moves by a quarter of the size.
    return [name, { stiffness: energy, damping: damping * 2 * Math.sqrt(energy * mass) * 0.25 * size }];
  });
  return free.length === 0 ? {} : { free: Object.fromEntries(free) };
};

/** What says how a shell of a size is made. */
const shell = ({ blown }: OfferInfo, size: number): object => {
  if (blown === undefined) return {};
  const { thickness, young, poisson, density, damping, rings } = blown;
  const radius = 0.5 * size;
  const a = [radius, radius, radius];
  return { shape: { a }, rings, thickness: thickness * radius, young, poisson, density, damping };
};

/** What comes with a part: the pressure in a shell, and the air around it, which lifts it. */
export const companions = (part: string, body: string, planar: boolean, up: Vector3): Command[] => {
  const { blown } = partOf(part, planar).offer;
  if (blown === undefined) return [];
  const on = (scalar: string): ConnectorRef => ({ body, scalar });
  const push = (name: string, scalar: string, force: number): Command => ({
    add_behavior: { name: `${name} of ${body}`, type: 'force', on: on(scalar), force } as BehaviorEntry,
  });
  const lifts = up.toArray().flatMap((part, k): Command[] => {
    const force = part * GRAVITY * blown.lighter;
    return Math.abs(force) < 1e-9 ? [] : [push(`lift ${k + 1}`, `moment${k + 1}`, force)];
  });
  return [push('pressure', 'volume', blown.pressure[0]), ...lifts];
};

/** The body of a part. */
export const bodyEntry = (part: string, setting: Setting): BodyEntry => {
  const { name, size, mass, planar } = setting;
  const { x, y, z } = setting.at;
  const { offer, type } = partOf(part, planar);
  const strong = strength(offer, mass, size);
  const starts = type.fields.flatMap(({ name: field, start, number }): [string, number][] => {
    if (field === 'mass') return [[field, mass]];
    if (start === 'stiffness' || start === 'damping') return [[field, strong[start]]];
    return number === undefined ? [] : [[field, number]];
  });
  const [along, wide, deep] = offer.size;
  return {
    name,
    type: type.word,
    ...Object.fromEntries(starts),
    ...sizeFields(type, [along * size, wide * size, deep * size]),
    ...freedom(offer, mass, size),
    ...shell(offer, size),
    position: type.body?.planar === true ? [x, y] : [x, y, z],
    ...(isWheel(type) ? { quaternion: partTurn(part, planar, setting.axle) } : {}),
    ...(setting.collide === true && hasShape(part, planar) ? { collide: true } : {}),
  } as BodyEntry;
};

/** Half the height of a part along a direction, and how far it reaches across it at most, m. */
export const halves = (
  part: string,
  size: number,
  planar: boolean,
  turn: Quaternion,
  up: Vector3,
): [number, number] => {
  const { offer } = partOf(part, planar);
  const [x, y, z] = offer.size.map((own) => 0.5 * size * own) as Vec3;
  const most = Math.max(x, y, z);
  if (offer.is_round) return [most, most];
  const own = up.clone().applyQuaternion(turn.clone().invert());
  return [Math.abs(own.x) * x + Math.abs(own.y) * y + Math.abs(own.z) * z, most];
};

/** Where a part can be fastened before it is there, in its own coordinates, m. */
export const partPlaces = (part: string, size: number, planar: boolean): Vec3[] =>
  partOf(part, planar).places.map(([x, y, z]) => [x * size, y * size, z * size]);

/** What is seen of a part while it is carried, in its own coordinates, m. */
export const outline = (part: string, size: number, planar: boolean): Vec3[] => {
  if (part === ANCHOR) return [];
  const { offer, type } = partOf(part, planar);
  const [along, wide] = offer.size;
  if (offer.is_round) {
    const radius = 0.5 * size * Math.max(along, wide);
    return Array.from({ length: 33 }, (_, k): Vec3 => {
      const angle = (2 * Math.PI * k) / 32;
      const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      // Wheels are round about x.
      return isWheel(type) ? [0, c, s] : [c, s, 0];
    });
  }
  const [a, b] = [0.5 * size * along, 0.5 * size * wide];
  return [
    [-a, -b, 0],
    [a, -b, 0],
    [a, b, 0],
    [-a, b, 0],
    [-a, -b, 0],
  ];
};
