// The engine's class with the types of what it says: the only place where its JSON is read and written.

import init, { Lab as Engine } from '../wasm/linkwork_wasm.js';
import type {
  Catalogue,
  Certificate,
  Checked,
  Command,
  Data,
  Findings,
  Formulas,
  KeyEdit,
  Linkage,
  Listing,
  Look,
  Minimum,
  Performance,
  Place,
  Quantity,
  Shade,
  Track,
} from './border';
import type { Entries, EntryKind } from './messages';

/** Loads the engine; nothing else can be called before. */
export const load = async (): Promise<void> => {
  await init();
};

/** Every scene of the library. */
export const library = (): Listing[] => JSON.parse(Engine.library());

/** Every type with its fields. */
export const catalogue = (): Catalogue => JSON.parse(Engine.catalogue());

/** Four-bars that follow a drawn path, best first; it takes a second. */
export const linkages = (points: [number, number][], name: string): Linkage[] =>
  JSON.parse(Engine.linkages(new Float64Array(points.flat()), name));

/** A scene under commands. Refusals are errors with a text for people. */
export class Lab {
  private constructor(private readonly engine: Engine) {}

  /** Opens a scene of the library by its name, or the text of a file. */
  static open(nameOrText: string): Lab {
    return new Lab(Engine.open(nameOrText));
  }

  free(): void {
    this.engine.free();
  }

  /** If it fails, nothing has changed. */
  apply(command: Command): void {
    this.engine.apply(JSON.stringify(command));
  }

  /** Closes what an edit has opened, while time stands; what an undo gave back stays as it was. */
  settle(): void {
    this.engine.settle();
  }

  /** Lets a frame pass, of `dt` seconds or of the scene's length. */
  step(dt?: number, deadline?: () => boolean): void {
    this.engine.step(dt, deadline);
  }

  /** Lets hands move what they hold while time stands. */
  pose(deadline: () => boolean): void {
    this.engine.pose(deadline);
  }

  /** Where bodies are: see `affine.ts`. */
  poses(): Float64Array {
    return this.engine.affine_poses();
  }

  /** The same into an array; false if it has another length. */
  posesInto(target: Float64Array): boolean {
    return this.engine.affine_poses_into(target);
  }

  look(): Look {
    return JSON.parse(this.engine.describe());
  }

  report(): Certificate {
    return JSON.parse(this.engine.report());
  }

  entry<Kind extends EntryKind>(kind: Kind, name: string): Entries[Kind] {
    return JSON.parse(this.engine.entry(kind, name));
  }

  formulas(): Formulas {
    return JSON.parse(this.engine.formulas());
  }

  /** A text that begins with `=` is a number, any other a relation. */
  check(typed: string): Checked {
    return JSON.parse(this.engine.check(typed));
  }

  /** Of what is shown of the film, or of the present. */
  data(isShown: boolean): Data {
    return JSON.parse(this.engine.data(isShown));
  }

  /** A picture as a data URI, of the same. */
  picture(name: string, isShown: boolean): string {
    return this.engine.picture(name, isShown);
  }

  /** The command that puts the table of a file into the scene. */
  giveTable(name: string, file: string, bytes: Uint8Array): Command {
    return JSON.parse(this.engine.give_table(name, file, bytes));
  }

  /** A number for each corner, to color it by; of what is shown of the film, or of the present. */
  shades(by: Shade, isShown: boolean): Float64Array {
    return this.engine.shades(by, isShown);
  }

  /** Points that pull bodies, eight numbers each: see `points.ts`. */
  points(isShown: boolean): Float64Array {
    return this.engine.points(isShown);
  }

  /** Goes to where objectives are least while time stands: one edit. */
  minimize(): Minimum {
    return JSON.parse(this.engine.minimize());
  }

  places(): Place[] {
    return JSON.parse(this.engine.places());
  }

  quantities(): Quantity[] {
    return JSON.parse(this.engine.quantities());
  }

  /** Gives the columns of `watched`; time comes first. */
  watch(names: string[]): Quantity[] {
    return JSON.parse(this.engine.watch(JSON.stringify(names)));
  }

  /** Rows since the last call. */
  watched(): Float64Array {
    return this.engine.watched();
  }

  /** Quantities of one number each: now, or in the frame of the film that was shown last. */
  values(names: string[], isShown: boolean): Float64Array {
    return this.engine.values(JSON.stringify(names), isShown);
  }

  /** Forces of joints on their last bodies, N: three numbers each. */
  forces(): Float64Array {
    return this.engine.forces();
  }

  /** Where bodies touch, and the force on the second one there, N: six numbers each. */
  contacts(): Float64Array {
    return this.engine.contacts();
  }

  diagnose(): Findings {
    return JSON.parse(this.engine.diagnose());
  }

  /** Poses along a motion of the last diagnosis, `amount` from −1 to 1. */
  wiggle(motion: number, amount: number): Float64Array {
    return this.engine.wiggle(motion, amount);
  }

  /** Poses of the film at a time; nothing changes. */
  show(time: number): Float64Array {
    return this.engine.show(time);
  }

  tracks(): Track[] {
    return JSON.parse(this.engine.tracks());
  }

  /** The command that does something to a key. */
  keyEdit(edit: KeyEdit): Command {
    return JSON.parse(this.engine.key_edit(JSON.stringify(edit)));
  }

  /** The command that makes a path of a performance. */
  perform(performance: Performance): Command {
    return JSON.parse(this.engine.perform(JSON.stringify(performance)));
  }

  /** The command that lets the first of these takes act, and none of the others. */
  chooseTake(names: string[]): Command {
    return JSON.parse(this.engine.choose_take(JSON.stringify(names)));
  }

  save(): string {
    return this.engine.save();
  }

  log(): string {
    return this.engine.log();
  }

  stateHash(): string {
    return this.engine.state_hash();
  }
}
