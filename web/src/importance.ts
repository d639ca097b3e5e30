// Importance by size on screen (Faure 1998, §5; Faure 1999, §6): where iterations are cut short, the joints of
// what is large in the window are closed first. Weights go to the engine as commands, so the log has them.

import type { Command, JointLook } from './engine/border';

/** The weights of the largest and of the smallest, as parts of a joint's own. */
const MOST = 4;
const LEAST = 1 / 4;
/** A weight changes by a power of two, and only when it is off by more than this: small motions change nothing. */
const STEADY = 0.75;
/** What the engine takes. */
const clamp = (weight: number): number => Math.min(Math.max(weight, 1e-6), 1e6);

interface Weights {
  name: string;
  /** Without importance. */
  own: number;
  now: number;
}

export class Importance {
  /** By their numbers: names change. */
  private joints = new Map<number, Weights>();

  /** The joints of a look. A weight that is not the one it was given is a joint's own. */
  see(looks: readonly Pick<JointLook, 'id' | 'name' | 'weight'>[], opened: boolean): void {
    const before = opened ? new Map<number, Weights>() : this.joints;
    this.joints = new Map(
      looks.map(({ id, name, weight: now = 1 }) => {
        const known = before.get(id);
        return [id, { name, own: known?.now === now ? known.own : now, now }];
      }),
    );
  }

  /** The weights that change, given how large the largest body of each joint is in the window, px. */
  weigh(sizes: ReadonlyMap<string, number>): Command[] {
    const largest = Math.max(...sizes.values(), 0);
    if (!(largest > 0)) return [];
    return this.change(({ name, own, now }) => {
      const part = Math.max(((sizes.get(name) ?? 0) / largest) * MOST, LEAST);
      const isSteady = Math.abs(Math.log2((own * part) / now)) <= STEADY;
      return isSteady ? now : own * 2 ** Math.round(Math.log2(part));
    });
  }

  /** Gives every joint its own weight. */
  restore(): Command[] {
    return this.change(({ own }) => own);
  }

  private change(to: (weights: Weights) => number): Command[] {
    const commands: Command[] = [];
    for (const weights of this.joints.values()) {
      const weight = clamp(to(weights));
      if (weight === weights.now) continue;
      weights.now = weight;
      commands.push({ weigh: { joint: weights.name, weight } });
    }
    return commands;
  }
}
