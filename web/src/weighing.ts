// Keeps the weights of joints by how large they are in the window, while that is wanted and of use.

import { effect } from '@preact/signals';
import * as actions from './actions';
import type { Command } from './engine/border';
import { isTaken } from './engine/options';
import { Importance } from './importance';
import * as state from './state';
import type { Stage } from './view/stage';
import { world } from './world';

/** Between looks at sizes, ms. */
const CALM = 300;

export const weighPicture = (stage: Pick<Stage, 'sizes'>): void => {
  const importance = new Importance();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isBusy = false;
  const send = async (commands: Command[]): Promise<void> => {
    if (commands.length === 0) return;
    isBusy = true;
    try {
      await actions.engine.apply(...commands);
    } catch (error) {
      actions.say(error);
    }
    isBusy = false;
  };
  actions.onTold((message) => {
    if (message.type === 'look') importance.see(message.look.joints, message.opened);
  });
  effect(() => {
    clearInterval(timer);
    const of = world.value;
    // Only methods that iterate have a use for weights of exact joints.
    if (state.weighed.value && of !== null && isTaken(of, 'solve_tolerance')) {
      timer = setInterval(() => {
        if (!isBusy) void send(importance.weigh(stage.sizes()));
      }, CALM);
    } else {
      void send(importance.restore());
    }
  });
};
