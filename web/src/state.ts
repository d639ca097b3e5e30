// What the page knows, as signals.

import { signal } from '@preact/signals';
import type { Certificate, Findings, JointEvent, Linkage, Listing, Look, Shade } from './engine/border';
import type { DragKind } from './engine/messages';
import type { Upset } from './engine/pace';
import type { Work } from './work/keeper';

export type Drag = DragKind;
/** What a hand holds: a point of a body, or all of it, so that it can be turned too. */
export type Grip = 'point' | 'frame';
export type Theme = 'system' | 'light' | 'dark';
/**
 * What the pointer does on the stage: hold things, draw the path of a point or a curve, or lead a point while time
 * runs.
 */
export type Tool = 'hold' | 'path' | 'curve' | 'perform';
export type Tab = 'inspect' | 'tree' | 'formulas' | 'exactness' | 'diagnosis' | 'plots';

/** Something that can be selected. */
export interface Target {
  kind: 'body' | 'joint' | 'behavior';
  name: string;
}

export const library = signal<Listing[]>([]);
export const look = signal<Look | null>(null);
/** What is smaller is nothing, of lengths as a part of the scene's: joints are closed no further. */
const ROUND_OFF = 1e-9;
/** What is smaller is nothing, m or parts of one. */
export const roundOff = (unit: string): number => ROUND_OFF * (unit === 'm' ? (look.value?.extent ?? 1) : 1);
export const certificate = signal<Certificate | null>(null);
export const stepTime = signal<number | null>(null);
export const running = signal(false);
/** How fast the scene's time runs; 1 is as fast as the clock. */
export const speed = signal(1);
/** Whether a step is as long as the clock says, in place of a frame; and what the clock did last that it cannot be. */
export const clocked = signal(false);
export const clockUpset = signal<{ upset: Upset } | null>(null);
/** Whether joints count by how large their bodies are in the window. */
export const weighed = signal(false);
export const drag = signal<Drag>('follow');
export const grip = signal<Grip>('point');
/** The world axis that drags keep to, if any. */
export const axis = signal<'x' | 'y' | 'z' | null>(null);
export const tool = signal<Tool>('hold');
/** Takes a tool, or puts it down again. */
export const takeTool = (own: Tool): void => {
  tool.value = tool.value === own ? 'hold' : own;
};
export const theme = signal<Theme>('system');
export const selection = signal<Target | null>(null);
/** A motor is a part of its joint. */
export const isWhole = ({ motor_of }: { motor_of?: string | null }): boolean => motor_of == null;
/** A motor is shown as its joint. */
export const wholeOf = (target: Target | null): Target | null => {
  const lists = { body: [], joint: look.value?.joints ?? [], behavior: look.value?.behaviors ?? [] };
  const found = target === null ? undefined : lists[target.kind].find(({ name }) => name === target.name);
  return found?.motor_of == null ? target : { kind: 'joint', name: found.motor_of };
};
/** The body that is held. */
export const held = signal<string | null>(null);
/** What is being opened. */
export const opening = signal<string | null>(null);
/** Whether the engine leaves a question unanswered for long. */
export const isStuck = signal(false);
/** Why there is no picture, in words. */
export const trouble = signal<string | null>(null);
/** What went wrong last, in words. */
export const fault = signal<string | null>(null);
/** Work that no tab has open, the newest first. */
export const offers = signal<Work[]>([]);
/** What this tab had before it was loaded again; `taken` if another tab has it now. */
export const restored = signal<Work | 'taken' | null>(null);
/** Why changes are not kept, in words. */
export const unkept = signal<string | null>(null);
/** What to do with changes that are not kept, when another scene is opened. */
export type Answer = 'save' | 'go' | 'stay';
/** The question that waits for it. */
export const leaving = signal<{ name: string; answer: (answer: Answer) => void } | null>(null);
/** Which of several models is meant: the question that waits for it. */
export const choosing = signal<{ models: string[]; answer: (model: string | null) => void } | null>(null);
/** Linkages for a path that was drawn; not found yet while they are looked for. */
export const linkages = signal<{ found: Linkage[] | null } | null>(null);
/** The robot that is open, as long as the person wants to read of it. */
export const imported = signal<{ model: string; missing: string[]; report: string } | null>(null);
/** What happened last: a joint broke, a joint closed. */
export const news = signal<JointEvent[] | null>(null);
export const findings = signal<Findings | null>(null);
export const wiggling = signal<number | null>(null);
/** The time of the film that is shown in place of the present, s. */
export const shown = signal<number | null>(null);
/** Keys a second of what is performed: fewer are smoother. */
export const keysPerSecond = signal(5);
/** What a stroke became: a body, of so many control points, nowhere further from the stroke, m. */
export const drawnCurve = signal<{ name: string; points: number; error: number } | null>(null);
/** The body that the eye goes along with. */
export const followed = signal<string | null>(null);
/** Whether all bodies are out of the picture. */
export const isLeft = signal(false);
export const forcesShown = signal(false);
export const contactsShown = signal(false);
/** Quantity that colors bodies. */
export const shade = signal<Shade | null>(null);
export const treeShown = signal(false);
export const galleryShown = signal(false);
export const helpShown = signal(false);
export const timeShown = signal(window.innerWidth > 1100);
export const partsShown = signal(window.innerWidth > 760);
export const sideShown = signal(window.innerWidth > 1100);
export const tab = signal<Tab>('inspect');
/** The button of the palette that the next press on the stage goes by, in place of holding something. */
export const linking = signal<string | null>(null);
/** The graph of formulas, and the node of it that is pointed at, by its place. */
export const graphShown = signal(false);
export const graphNode = signal<number | null>(null);
/** What is under the pointer. */
export const hover = signal<Target | null>(null);
/** How hard the hand pulls, N; none while time stands. */
export const effort = signal<number | null>(null);
