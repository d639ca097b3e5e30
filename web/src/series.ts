// Many edits that are one to people: a number that is dragged. Each takes the last one back, so that one undo
// is enough; the newest is sent, one at a time and at most one a frame.

/** Makes an edit; `again` takes the last one back before. */
export type Put<T> = (value: T, again: boolean) => Promise<unknown>;

export class Series<T> {
  private waiting: { value: T } | null = null;
  private isBusy = false;
  private isDone = false;

  constructor(
    private readonly edit: Put<T>,
    /** The words of a refusal, or `null` when an edit went well. */
    private readonly told: (words: string | null) => void,
    private readonly frame: () => Promise<unknown> = () => new Promise(requestAnimationFrame),
  ) {}

  put(value: T): void {
    this.waiting = { value };
    if (!this.isBusy) void this.send();
  }

  private async send(): Promise<void> {
    this.isBusy = true;
    while (this.waiting !== null) {
      const { value } = this.waiting;
      this.waiting = null;
      try {
        await this.edit(value, this.isDone);
        this.isDone = true;
        this.told(null);
      } catch (error) {
        // What was there before the series is there again.
        this.isDone = false;
        this.told(wordsOf(error));
      }
      await this.frame();
    }
    this.isBusy = false;
  }
}

/** What the engine says of a field, without the command it came by. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(
    /^((set|add|rename|remove)_\w+|rename(\.(name|to))?|resize|join|together)(\[\d+\])?[.:]\s*/,
    '',
  );
