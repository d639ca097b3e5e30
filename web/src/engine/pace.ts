// How many frames are due: the scene's time follows the clock, but does not run after it.

/** The most that is caught up in one go, s: a tab that slept does not wake up to a storm of steps. */
const MOST_BEHIND = 0.1;

/** What a clock does that steps cannot follow. */
export type Upset = 'stood' | 'went-back' | 'jumped';

/** The shortest step that is worth a picture, and the longest that a scene is asked to take, s. */
export const SHORTEST = 0.008;
export const LONGEST = 0.1;
/** Looks at a clock that stands, before that is said: they are a millisecond apart and more. */
const PATIENCE = 500;

/** How long a step is by the clock: as long as it is since the last one began (Faure 1998, §4.2). */
export class Clock {
  private last = 0;
  private looks = 0;

  start(now: number): void {
    this.last = now;
    this.looks = 0;
  }

  /** The time to advance by, s: zero as long as too little has passed. What is upset is said once. */
  since(now: number): { dt: number; upset: Upset | null } {
    const passed = now - this.last;
    if (passed >= 0 && passed < SHORTEST) {
      this.looks = passed === 0 ? this.looks + 1 : 0;
      return { dt: 0, upset: this.looks === PATIENCE ? 'stood' : null };
    }
    // What is no number is not later than anything.
    if (Number.isFinite(now)) this.start(now);
    if (!(passed >= 0)) return { dt: 0, upset: 'went-back' };
    return { dt: Math.min(passed, LONGEST), upset: passed > LONGEST ? 'jumped' : null };
  }
}

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
