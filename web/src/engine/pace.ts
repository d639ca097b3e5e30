// How many frames are due: the scene's time follows the clock, but does not run after it.

/** The most that is caught up in one go, s: a tab that slept does not wake up to a storm of steps. */
const MOST_BEHIND = 0.1;

export class Pace {
  private last = 0;
  private behind = 0;
  /** What a step takes, s: recent ones count most. */
  private cost = 0;

  start(now: number): void {
    this.last = now;
    this.behind = 0;
  }

  took(seconds: number): void {
    this.cost += 0.2 * (seconds - this.cost);
  }

  /** How many frames of this length to take now. */
  due(now: number, frame: number): number {
    this.behind = Math.min(this.behind + Math.max(0, now - this.last), Math.max(MOST_BEHIND, frame));
    this.last = now;
    const due = Math.floor(this.behind / frame + 1e-9);
    // Steps slower than the clock: one for each picture, and slow motion.
    const affordable = Math.max(1, Math.floor(0.03 / Math.max(this.cost, 1e-9)));
    const taken = Math.min(due, affordable);
    this.behind = due > taken ? 0 : this.behind - taken * frame;
    return taken;
  }
}
