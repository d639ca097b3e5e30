// Keys. `KEYS` is what the help shows.

import * as actions from './actions';
import type { Hand } from './hand';
import * as state from './state';
import type { Stage } from './view/stage';

interface Key {
  /** As `KeyboardEvent.key` says it, lower case. */
  key: string;
  control?: boolean;
  shift?: boolean;
  does: string;
  act: (stage: Stage, hand: Hand) => void;
}

const setDrag = (drag: state.Drag) => (): void => {
  state.drag.value = drag;
};

export const KEYS: Key[] = [
  { key: ' ', does: 'run or pause', act: () => actions.run() },
  { key: '.', does: 'one frame', act: actions.step },
  { key: '1', does: 'drag by force', act: setDrag('force') },
  { key: '2', does: 'drag by follow', act: setDrag('follow') },
  { key: '3', does: 'drag by pin', act: setDrag('pin') },
  { key: 'f', does: 'all in view', act: (stage) => stage.fit() },
  {
    key: 'v',
    does: 'flat or in space',
    act: (stage) => {
      stage.flat = !stage.flat;
    },
  },
  { key: 'z', control: true, does: 'undo', act: actions.undo },
  { key: 'z', control: true, shift: true, does: 'redo', act: actions.redo },
  { key: 'y', control: true, does: 'redo', act: actions.redo },
];

export const listenToKeys = (stage: Stage, hand: Hand): void => {
  window.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (target.matches('input, textarea, select') || event.altKey) return;
    // A button that has the focus is pressed by the space bar.
    if (event.key === ' ' && target.matches('button')) return;
    const found = KEYS.find(
      (own) =>
        own.key === event.key.toLowerCase() &&
        (own.control ?? false) === (event.ctrlKey || event.metaKey) &&
        (own.shift ?? event.shiftKey) === event.shiftKey,
    );
    if (found === undefined) return;
    found.act(stage, hand);
    event.preventDefault();
  });
};
