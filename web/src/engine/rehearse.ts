// A drag that nobody sees. Browsers compile what is called first, and once more what is called often; without this
// they do so during the first drag, which is then seen after 130 ms in place of 20 on a machine of two cores.

import type { Command } from './border';
import { Lab } from './lab';

/** The smallest loop that needs no file. */
const SCENE = 'grid:1,1';
const GRAB: Command = {
  grab: { name: 'hand', held: { body: 'down 0.1', point: [0, 0, 0] }, drag: { type: 'follow' } },
};
/** Enough to be called often. */
const ROUNDS = 60;

/** One round at a time, between whatever else there is to do. */
export const rehearse = (): void => {
  const lab = Lab.open(SCENE);
  lab.apply(GRAB);
  let round = 0;
  const go = (): void => {
    lab.apply({ drag: { hand: 'hand', goal: [0.1, 0.01 * round, 0] } });
    lab.pose(() => false);
    lab.step();
    lab.report();
    round += 1;
    if (round < ROUNDS) setTimeout(go, 1);
    else lab.free();
  };
  go();
};
