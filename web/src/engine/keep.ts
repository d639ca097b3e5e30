// When to keep a copy of the world, so that little is lost if the engine stops.

/** Saving takes no more than this share of the time: what takes 20 ms is done every 10 s. */
const SHARE = 1 / 500;
/** The same while time stands: nobody feels a frame being late. */
const SHARE_AT_REST = 1 / 20;
/** While nothing but time passes, s. */
const OFTEN = 3;
/** An edit waits no longer than this, however dear saving is, s. */
const LONGEST = 10;

export class Keep {
  private isEdited = false;
  private isMoved = false;
  private last = 0;
  /** What the last copy took, s. */
  private cost = 0;

  /** Something was built or changed. */
  edited(): void {
    this.isEdited = true;
  }

  /** Time passed. */
  moved(): void {
    this.isMoved = true;
  }

  /** A copy was made, or another scene was opened, which is a copy by itself. */
  kept(now: number, cost: number): void {
    this.isEdited = false;
    this.isMoved = false;
    this.last = now;
    this.cost = cost;
  }

  isDue(now: number, isRunning: boolean): boolean {
    const rest = this.cost / (isRunning ? SHARE : SHARE_AT_REST);
    if (this.isEdited) return now >= this.last + Math.min(rest, LONGEST);
    return this.isMoved && now >= this.last + Math.max(rest, OFTEN);
  }
}
