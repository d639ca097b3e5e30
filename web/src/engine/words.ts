// What crosses between the page and the worker, and what the engine says in JSON.

export type Vec3 = [number, number, number];

export type Shape =
  | { type: 'cylinder'; length: number; radius: number }
  | { type: 'box'; size: Vec3 }
  | { type: 'sphere'; radius: number }
  | { type: 'mesh'; vertices: Vec3[]; triangles: Vec3[] }
  | { type: 'quad'; corners: [number, number][] };

export interface Part {
  shape: Shape;
  position: Vec3;
  /** w, x, y, z */
  quaternion: [number, number, number, number];
  colour: string | null;
}

export interface BodyLook {
  name: string;
  type: string | null;
  planar: boolean;
  movable: boolean;
  enabled: boolean;
  mass: number;
  colour: string | null;
  parts: Part[];
  /** Lines in the body's coordinates; a troid deforms them. */
  drawing?: Stroke[];
}

export interface Stroke {
  points: Vec3[];
  colour: string | null;
}

/** A point of a body, in world coordinates at the moment of the look; no body is the ground. */
export interface End {
  body: number | null;
  point: Vec3;
}

export interface JointLook {
  name: string;
  type: string | null;
  enabled: boolean;
  ends: End[];
  /** World: what it turns about, slides along, or the normal of its plane. */
  axis: Vec3 | null;
  /** Of a universal joint, fixed to its second end. */
  axis_b?: Vec3;
  /** Of a screw, m/rad. */
  pitch?: number;
  /** Of a spring. */
  stiffness?: number;
  damping?: number;
  /** Points along the path its point follows, world. */
  path?: Vec3[];
  /** The surface of its first end that a point stays on. */
  surface?: SurfaceLook;
}

/** A surface in a frame, whose axes are in the world. */
export interface SurfaceLook {
  type: string;
  radius?: number;
  semi_axes?: Vec3;
  major?: number;
  minor?: number;
  axes: [Vec3, Vec3, Vec3];
}

/** A force that acts somewhere. */
export interface BehaviorLook {
  name: string;
  type: string;
  enabled: boolean;
  ends: End[];
  axis?: Vec3;
  /** A constant force, world, N. */
  force?: Vec3;
  /** Whether the force turns with its body. */
  turns?: boolean;
  stiffness?: number;
  damping?: number;
}

/** A surface over bodies; its corners are in the coordinates of their bodies. */
export interface SkinLook {
  name: string;
  colour: string | null;
  vertices: End[];
  triangles: Vec3[];
}

export interface TraceLook {
  name: string;
  colour: string | null;
  at: End;
}

export interface Look {
  name: string | null;
  why: string | null;
  frame: number;
  up: Vec3;
  flat: boolean;
  camera: { eye: Vec3; target: Vec3 } | null;
  extent: number;
  ground: Part[];
  bodies: BodyLook[];
  joints: JointLook[];
  behaviors: BehaviorLook[];
  traces: TraceLook[];
  skins: SkinLook[];
}

export interface Certificate {
  time: number;
  rows: number;
  loops: number;
  iterations: number;
  substeps: number;
  last_resorts: number;
  ended: 'tolerance' | 'open' | 'iterations' | 'deadline';
  residual: number;
  worst: string | null;
  gave_way: { joint: string; error: number }[];
  /** What hands do: the force each pulled with in the last step, world axes, N. */
  hands: { name: string; force: Vec3 }[];
  /** What happened in the last step, in words. */
  events: string[];
  energy: { kinetic: number; potential: number; elastic: number; total: number };
  undo: number;
  redo: number;
}

export interface Listing {
  name: string;
  usage: string;
  why: string;
  /** Files lie beside the page. */
  kind: 'file' | 'derived-file' | 'builder';
  small: string;
}

/** A place of a body where something can be fastened, in its own coordinates; no body is the ground. */
export interface Place {
  body: number | null;
  name: string;
  point: Vec3;
}

/** Something that can be watched. */
export interface Quantity {
  name: string;
  unit: string;
  about: string;
}

/** What can still move, what is held twice, what contradicts. */
export interface Findings {
  mobility: number;
  velocities: number;
  rows: number;
  rank: number;
  closure: 'closed' | 'closable' | 'contradictory' | 'unknown';
  redundant: { joint: string; rows: number; with: string[]; momentary: boolean; advice: string }[];
  contradictory: { joint: string; residual: number; unit: string; advice: string }[];
  undetermined: string[];
  /** For each motion that is left, the bodies that move most. */
  motions: string[][];
}

/** What an inspector shows: the entry of a file. */
export type Entry = Record<string, unknown>;
export type EntryKind = 'body' | 'joint' | 'behavior' | 'world' | 'view';

/** Another function of a drive: a number of it, or a kind that moves by so much. */
export type Retiming = { key: string; value: number } | { kind: string; size: number };

/** Numbers of a body in the poses: position and w, x, y, z; of a troid its map, see `poses` of the engine. */
export const SLOT = 7;

/** A command of the engine: what a line of a log says. */
export type Command = string | Record<string, unknown>;

export type Ask =
  | { type: 'open'; text: string }
  | { type: 'apply'; commands: Command[] }
  /** Changes the function of a drive from where it is at that instant, so that nothing jumps; `again` takes the
   * last edit back. */
  | { type: 'drive'; joint: string; to: Retiming; again: boolean }
  | { type: 'run'; running: boolean }
  | { type: 'step' }
  /** How fast the scene's time runs: 1 is as fast as the clock. */
  | { type: 'speed'; speed: number }
  /** The entry of something as a file would say it, as JSON. */
  | { type: 'entry'; kind: EntryKind; name: string }
  /** `Place[]` as JSON. */
  | { type: 'places' }
  /** `Quantity[]` as JSON. */
  | { type: 'quantities' }
  /** Rows of these come with every frame, time first. Answers with the columns, `Quantity[]` as JSON. */
  | { type: 'watch'; names: string[] }
  /** Whether forces of joints come with every frame. */
  | { type: 'forces'; shown: boolean }
  /** Stops time. `Findings` as JSON. */
  | { type: 'diagnose' }
  /** Shows a motion of the last diagnosis, until told otherwise or something changes. */
  | { type: 'wiggle'; motion: number | null }
  | { type: 'save' }
  | { type: 'log' }
  | { type: 'hash' };

/** How a test makes the worker fail: as if the engine had trapped, by an error that nobody catches, or by
 * never coming back. */
export type Kill = 'trap' | 'error' | 'hang';

/** A question with a number, or a buffer that comes back to be filled again. */
export type ToWorker = { id: number; ask: Ask } | { recycle: ArrayBuffer } | { kill: Kill };

export interface Frame {
  type: 'frame';
  /** Of the look these poses belong to. */
  version: number;
  poses: ArrayBuffer;
  certificate: Certificate;
  /** The last question with commands for hands that these poses include; −1 if there was none. */
  after: number;
  /** What the last step took, ms; none if there was none. */
  stepTime: number | null;
  running: boolean;
  /** Rows of what is watched, one for each step since the last frame. */
  watched: Float64Array | null;
  /** Forces of joints, three numbers each in the order of the look, if they are shown. */
  forces: Float64Array | null;
  /** The motion that is shown in place of the state. */
  wiggling: number | null;
}

export type FromWorker =
  | { type: 'ready'; library: Listing[] }
  | { type: 'look'; version: number; opened: boolean; look: Look; poses: ArrayBuffer }
  | Frame
  /** A step was refused: time has stopped. */
  | { type: 'fault'; text: string }
  /** A copy of the world as the text of a file, and its time, s. */
  | { type: 'kept'; text: string; time: number }
  /** The engine is broken: nothing that it says from now on can be trusted. */
  | { type: 'died'; text: string }
  | { type: 'answer'; id: number; value: string | null; fault: string | null };

/** To the worker that prepares pictures: a scene of the library, and what the engine opens for it. */
export type Wanted = { name: string; text: string };

/** From the worker that prepares pictures: what a scene looks like, or why it cannot be opened. */
export type Preview = { name: string; look: Look; poses: Float64Array } | { name: string; fault: string };
