// Keys. `KEYS` is what the help shows (`panel/help.tsx`).

import * as actions from './actions';
import { duplicateSelected } from './build/edits';
import type { Hand } from './hold/hand';
import * as state from './state';
import type { Stage } from './view/stage';

export interface Key {
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

/** Drags keep to an axis until the key is pressed again. */
const toggleAxis = (axis: 'x' | 'y' | 'z') => (): void => {
  state.axis.value = state.axis.value === axis ? null : axis;
};

export const KEYS: Key[] = [
  { key: ' ', does: 'run or pause', act: () => actions.run() },
  { key: '.', does: 'one frame', act: actions.step },
  { key: 'r', does: 'back to the start of time', act: actions.reset },
  { key: '1', does: 'drag by force', act: setDrag('force') },
  { key: '2', does: 'drag by follow', act: setDrag('follow') },
  { key: '3', does: 'drag by pin', act: setDrag('pin') },
  { key: 'f', does: 'show everything', act: (stage) => stage.fit() },
  {
    key: 'v',
    does: 'flat or spatial view',
    act: (stage) => {
      stage.flat = !stage.flat;
    },
  },
  { key: 'x', does: 'drag along x', act: toggleAxis('x') },
  { key: 'y', does: 'drag along y', act: toggleAxis('y') },
  { key: 'z', does: 'drag along z', act: toggleAxis('z') },
  {
    key: 'g',
    does: 'hold a point, or the whole body',
    act: () => {
      state.grip.value = state.grip.value === 'point' ? 'frame' : 'point';
    },
  },
  {
    key: 'p',
    does: 'draw the path of a point',
    act: () => state.takeTool('path'),
  },
  {
    key: 'c',
    does: 'draw a curve',
    act: () => state.takeTool('curve'),
  },
  {
    key: 'o',
    does: 'perform: lead a point while time runs',
    act: () => {
      state.timeShown.value = true;
      state.takeTool('perform');
    },
  },
  { key: 'u', does: 'take the nearest joint apart', act: (_, hand) => hand.detach() },
  {
    key: 'd',
    control: true,
    does: 'duplicate the selected body',
    act: () => {
      duplicateSelected().catch(actions.say);
    },
  },
  {
    key: 'delete',
    does: 'remove the selection',
    act: (_, hand) => {
      hand.remove().catch(actions.say);
    },
  },
  {
    key: 'backspace',
    does: 'remove the selection',
    act: (_, hand) => {
      hand.remove().catch(actions.say);
    },
  },
  {
    key: '?',
    does: 'this help',
    act: () => {
      state.helpShown.value = true;
    },
  },
  { key: 'escape', does: 'let go', act: (_, hand) => hand.letGo() },
  { key: 'z', control: true, shift: false, does: 'undo', act: actions.undo },
  { key: 'z', control: true, shift: true, does: 'redo', act: actions.redo },
  { key: 'y', control: true, does: 'redo', act: actions.redo },
];

/** What a key does while something has the focus; nothing if that needs the key itself. */
export const keyFor = (event: KeyboardEvent): Key | undefined => {
  const target = event.target as HTMLElement;
  const control = event.ctrlKey || event.metaKey;
  // Letters are typed there, unless nothing is: then what was typed before is undone as any other edit.
  if (target.matches('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])')) {
    if (!control || target.dataset.typed !== 'false') return undefined;
    // A list goes by letters to what begins with them.
  } else if (target.matches('select') && !control) return undefined;
  // What has the focus is pressed by the space bar.
  if (event.key === ' ' && target.matches('button, input, summary, a')) return undefined;
  return KEYS.find(
    (own) =>
      own.key === event.key.toLowerCase() &&
      (own.control ?? false) === control &&
      (own.shift ?? event.shiftKey) === event.shiftKey,
  );
};

export const listenToKeys = (stage: Stage, hand: Hand): void => {
  window.addEventListener('keydown', (event) => {
    // A dialog has keys of its own.
    if (event.altKey || document.querySelector('dialog[open]') !== null) return;
    const found = keyFor(event);
    if (found === undefined) return;
    found.act(stage, hand);
    event.preventDefault();
  });
  // What is pressed by a pointer does not keep the keys: the space bar runs and pauses. A dialog gives the focus back
  // to what opened it.
  window.addEventListener('click', ({ target, detail }) => {
    if (state.galleryShown.value || state.helpShown.value) return;
    if (detail > 0 && (target as Element).closest(':is(.toolbar, .tools, .palette, .time) button:not(.name)') !== null)
      hand.focus();
  });
};
