// What keeps work from being lost: every scene that somebody changes lies on a shelf until it is thrown away. Nothing
// in here knows the browser: `shelf.ts` has its storage, `claims.ts` its tabs.

/** A scene that somebody has changed. */
export interface Work {
  id: string;
  /** Of the scene. */
  name: string;
  /** The scene as the text of a file. */
  text: string;
  /** When it was kept last, ms since 1970. */
  when: number;
}

export interface Shelf {
  all(): Promise<Work[]>;
  get(id: string): Promise<Work | null>;
  put(work: Work): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Which tab has which work open: a work is open in one tab at a time. */
export interface Claims {
  /** Takes a work for this tab, until it is released or the tab is gone; false if another tab has it. */
  claim(id: string): Promise<boolean>;
  release(id: string): void;
  /** All that are claimed, by any tab. */
  taken(): Promise<Set<string>>;
}

/** What a tab remembers when it is loaded again. */
export interface Memory {
  get(): string | null;
  set(id: string): void;
}

/** Why nothing is kept, in words. */
export const troubleOf = (error: unknown): string => {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') return "the browser's storage is full";
  if (name === 'SecurityError') return 'this browser forbids pages to store anything';
  return `this browser's storage fails (${error instanceof Error ? error.message : String(error)})`;
};

const freshId = (): string =>
  `${Date.now().toString(36)}-${[...crypto.getRandomValues(new Uint32Array(2))].map((own) => own.toString(36)).join('')}`;

export class Keeper {
  private id = freshId();
  /** Changes so far, and how many of them are on the shelf. */
  private changes = 0;
  private stored = 0;
  private isSaved = false;
  /** Whether the scene is somebody's work, not as it was opened. */
  isWork = false;

  constructor(
    private readonly shelf: Shelf,
    private readonly claims: Claims,
    private readonly memory: Memory,
    /** Why changes are not kept; `null` when they are. */
    private readonly told: (trouble: string | null) => void,
  ) {}

  /** Whether something would be lost if the page went now. */
  get isAtRisk(): boolean {
    return this.isWork && !this.isSaved && this.stored < this.changes;
  }

  /** What this tab had when it was loaded before; `taken` if another tab has it now. */
  async before(): Promise<Work | 'taken' | null> {
    const id = this.memory.get();
    if (id === null) return null;
    try {
      const work = await this.shelf.get(id);
      if (work === null) return null;
      return (await this.claims.claim(id)) ? work : 'taken';
    } catch (error) {
      this.told(troubleOf(error));
      return null;
    }
  }

  /** Another scene is open from now on: a work from the shelf, or one that nobody has changed. */
  async begin(work: Work | null): Promise<void> {
    const last = this.id;
    // What is in a file needs no place on the shelf.
    if (this.isSaved) await this.discard(last).catch(() => null);
    this.id = work?.id ?? freshId();
    this.isWork = work !== null;
    this.isSaved = false;
    this.stored = this.changes;
    this.memory.set(this.id);
    await this.claims.claim(this.id);
    if (last !== this.id) this.claims.release(last);
  }

  /** Something was changed. */
  changed(): void {
    this.changes += 1;
    this.isWork = true;
    this.isSaved = false;
  }

  /** The scene was given to the person as a file. */
  saved(): void {
    this.isSaved = true;
  }

  /** Puts a copy on the shelf; tells whether it is there. */
  async keep(text: string, name: string): Promise<boolean> {
    if (!this.isWork) return true;
    const { id, changes } = this;
    try {
      await this.shelf.put({ id, name, text, when: Date.now() });
    } catch (error) {
      this.told(troubleOf(error));
      return false;
    }
    if (id === this.id) this.stored = Math.max(this.stored, changes);
    this.told(null);
    return true;
  }

  /** Takes a work for this tab; false if another tab has it. */
  claim(id: string): Promise<boolean> {
    return this.claims.claim(id);
  }

  /** Works that no tab has open, the newest first. */
  async offers(): Promise<Work[]> {
    try {
      const [all, taken] = await Promise.all([this.shelf.all(), this.claims.taken()]);
      const free = all.filter(({ id }) => id !== this.id && !taken.has(id));
      return free.sort((a, b) => b.when - a.when);
    } catch (error) {
      this.told(troubleOf(error));
      return [];
    }
  }

  discard(id: string): Promise<void> {
    return this.shelf.remove(id);
  }
}
