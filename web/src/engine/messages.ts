// What the page and its workers say to each other. What the engine itself says is in `border.ts`.

import type {
  BehaviorEntry,
  BehaviorEntryFields,
  BodyEntry,
  BodyEntryFields,
  Catalogue,
  Certificate,
  Checked,
  Command,
  Data,
  DragEntry,
  Findings,
  Formulas,
  FunctionEntry,
  JointEntry,
  JointEntryFields,
  KeyEdit,
  Listing,
  Look,
  Minimum,
  Performance,
  PictureEntry,
  Place,
  Quantity,
  Shade,
  Track,
  ViewEntry,
  WorldEntry,
} from './border';
import type { Path } from './change';
import type { Upset } from './pace';

/** A point or a direction: x, y, z. */
export type Vec3 = Look['up'];

/** Entries of a file by what they are of; those of the world and the view have no name. */
export interface Entries {
  body: BodyEntry;
  joint: JointEntry;
  behavior: BehaviorEntry;
  picture: PictureEntry;
  world: WorldEntry;
  view: ViewEntry;
}
export type EntryKind = keyof Entries;
export type Entry = Entries[EntryKind];
/** Whose entry it is. */
export interface EntryOf {
  kind: EntryKind;
  /** None of the world and the view. */
  name: string;
}

/** Entries whose type nobody looked at yet: any of the fields may be there. */
export type AnyBody = BodyEntryFields & Pick<BodyEntry, 'type'>;
export type AnyJoint = JointEntryFields & Pick<JointEntry, 'type'>;
export type AnyBehavior = BehaviorEntryFields & Pick<BehaviorEntry, 'type'>;

/** The words of closed sets. */
export type FunctionKind = FunctionEntry['type'];
export type DragKind = DragEntry['type'];
/** One number, or several. */
export type Numbers = NonNullable<BodyEntryFields['position']>;

/** Another function of a drive: a number of it, or a type that moves by so much. */
export type Retiming = { key: string; value: number } | { kind: FunctionKind; size: number };

/** A question to the worker that owns the engine. */
export type Ask =
  | { type: 'open'; text: string }
  | { type: 'apply'; commands: Command[] }
  /** Makes a field of an entry this, and nothing when there is no value; `again` takes the last edit back. */
  | ({ type: 'field'; path: Path; value?: unknown; again: boolean } & EntryOf)
  /** Takes steps by these options and no others; `again` takes the last edit back. */
  | { type: 'steps'; options: WorldEntry; again: boolean }
  /** Changes the function of a drive from where it is at that instant, so that nothing jumps; `again` takes the
   * last edit back. */
  | { type: 'drive'; joint: string; to: Retiming; again: boolean }
  | { type: 'run'; running: boolean }
  | { type: 'step' }
  /** How fast the scene's time runs: 1 is as fast as the clock. */
  | { type: 'speed'; speed: number }
  /** Whether a step is as long as the clock says, in place of a frame. */
  | { type: 'clock'; on: boolean }
  /** The entry of something as a file would say it. */
  | { type: 'entry'; kind: EntryKind; name: string }
  /** Parameters, texts, relations and numbers. */
  | { type: 'formulas' }
  /** What a text that is typed comes to: a number if it begins with `=`, else a relation. */
  | { type: 'check'; typed: string }
  /** Tables and pictures. */
  | { type: 'data' }
  /** A picture as a data URI. */
  | { type: 'picture'; name: string }
  /** The command that puts the table of a file into the scene. */
  | { type: 'table'; name: string; file: string; bytes: ArrayBuffer }
  /** Goes to where objectives are least; time stops. */
  | { type: 'minimize' }
  | { type: 'places' }
  | { type: 'quantities' }
  /** What these quantities of one number each are in what is shown. */
  | { type: 'values'; names: string[] }
  /** Rows of these come with every frame, time first. Answers with the columns. */
  | { type: 'watch'; names: string[] }
  /** Whether forces of joints come with every frame. */
  | { type: 'forces'; shown: boolean }
  /** Whether the places where bodies touch come with every frame. */
  | { type: 'contacts'; shown: boolean }
  /** What corners of bodies are colored by: a number for each comes with every frame. */
  | { type: 'shade'; by: Shade | null }
  /** Adds a limit that leaves so much either way from where its bodies are; as it is given it is wide. */
  | { type: 'limit'; wide: JointEntry; reach: number }
  /** Stops time. */
  | { type: 'diagnose' }
  /** Shows the film at a time, in place of the present; none: the present. Stops time. */
  | { type: 'show'; time: number | null }
  /** Everything that has key frames. */
  | { type: 'tracks' }
  /** Does something to a key; `again` takes the last edit back. */
  | { type: 'key'; edit: KeyEdit; again: boolean }
  /** Goes back to where a point began to be led and lets it go that way; `again` takes the last edit back. */
  | { type: 'perform'; performance: Performance; again: boolean }
  /** Lets the first of these takes act, and none of the others. */
  | { type: 'take'; names: string[] }
  /** Shows a motion of the last diagnosis, until told otherwise or something changes. */
  | { type: 'wiggle'; motion: number | null }
  | { type: 'save' }
  | { type: 'log' }
  | { type: 'hash' };

/** What each question is answered with, if it is not refused. */
export interface Answers {
  open: null;
  apply: null;
  field: null;
  steps: null;
  drive: null;
  run: null;
  step: null;
  speed: null;
  clock: null;
  entry: Entry;
  formulas: Formulas;
  check: Checked;
  data: Data;
  picture: string;
  table: Command;
  minimize: Minimum;
  places: Place[];
  quantities: Quantity[];
  values: Float64Array;
  watch: Quantity[];
  forces: null;
  contacts: null;
  shade: null;
  limit: null;
  diagnose: Findings;
  show: null;
  tracks: Track[];
  key: null;
  perform: null;
  take: null;
  wiggle: null;
  /** The scene as the text of a file. */
  save: string;
  /** Everything that was done, as JSON lines. */
  log: string;
  /** Sixteen hexadecimal digits. */
  hash: string;
}

/** The answer to a question. */
export type Answer<A extends Ask> = A extends { type: 'entry'; kind: infer K extends EntryKind }
  ? Entries[K]
  : Answers[A['type']];

export type ToWorker =
  | { type: 'ask'; id: number; ask: Ask }
  /** A buffer that comes back to be filled again. */
  | { type: 'recycle'; buffer: ArrayBuffer };

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
  /** Where traces went since the last frame: see `Tracer`. */
  traced: Float64Array | null;
  /** Forces of joints, three numbers each in the order of the look, if they are shown. */
  forces: Float64Array | null;
  /** Where bodies touch, a point and the force there, six numbers each, if they are shown. */
  contacts: Float64Array | null;
  /** A number for each corner, if bodies are colored by one. */
  shades: Float64Array | null;
  /** Points that pull bodies, if there are any: see `points.ts`. */
  points: Float64Array | null;
  /** The motion that is shown in place of the state. */
  wiggling: number | null;
  /** The time of the film that is shown in place of the state, s. */
  shown: number | null;
}

export type FromWorker =
  /** What there is: said once, before anything else. */
  | { type: 'ready'; library: Listing[]; catalogue: Catalogue }
  | { type: 'look'; version: number; opened: boolean; look: Look; poses: ArrayBuffer }
  | Frame
  /** A step was refused: time has stopped. */
  | { type: 'fault'; text: string }
  /** The clock did what steps that follow it cannot. */
  | { type: 'clock'; upset: Upset }
  /** A copy of the world as the text of a file, and its time, s. */
  | { type: 'kept'; text: string; time: number }
  /** The engine is broken: nothing that it says from now on can be trusted. */
  | { type: 'died'; text: string }
  | { type: 'answer'; id: number; value: Answers[Ask['type']] }
  /** Why a question is not answered. */
  | { type: 'refusal'; id: number; text: string };

/** To the worker that prepares pictures: a scene of the library, and what the engine opens for it. */
export type Wanted = { name: string; text: string };

/** From the worker that prepares pictures: what a scene looks like, or why it cannot be opened. */
export type Preview =
  | { type: 'seen'; name: string; look: Look; poses: Float64Array }
  | { type: 'refused'; name: string; fault: string };
