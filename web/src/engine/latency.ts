// How many pictures pass from an input to the first picture that shows what it did.

const MOST = 200;

export class Latency {
  /** Pictures so far; counted while something is awaited. */
  private picture = 0;
  private isCounting = false;
  /** The picture of the first input that was not sent yet. */
  private since: number | null = null;
  private readonly sent: { id: number; since: number }[] = [];
  /** Of the last inputs, oldest first. */
  readonly recent: number[] = [];

  input(): void {
    this.since ??= this.picture;
    if (!this.isCounting) this.count();
  }

  /** What was put in goes to the engine as this question. */
  ask(id: number): void {
    if (this.since === null) return;
    this.sent.push({ id, since: this.since });
    this.since = null;
  }

  /** Poses are here that include this question and all before it: the next picture shows them. */
  include(id: number): void {
    while (this.sent[0] !== undefined && this.sent[0].id <= id) {
      this.recent.push(this.picture - this.sent[0].since);
      this.sent.shift();
    }
    if (this.recent.length > MOST) this.recent.splice(0, this.recent.length - MOST);
  }

  /** Nothing is held any longer, or the engine is another one. */
  forget(): void {
    this.since = null;
    this.sent.length = 0;
  }

  private count(): void {
    this.isCounting = this.since !== null || this.sent.length > 0;
    if (!this.isCounting) return;
    requestAnimationFrame(() => {
      this.picture += 1;
      this.count();
    });
  }
}
