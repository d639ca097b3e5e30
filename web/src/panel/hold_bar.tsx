// What the pointer does on the stage: how it pulls, what it holds, along what, or whether it draws a path instead.

import type { Drag, Grip } from '../state';
import * as state from '../state';

const DRAGS: [Drag, string, string][] = [
  ['force', '1', 'Pulls with a damped spring; joints stay exact'],
  ['follow', '2', 'Goes to the pointer as far as the joints let it'],
  ['pin', '3', 'Is at the pointer; what must give way does, and is named'],
];

const GRIPS: [Grip, string][] = [
  ['point', 'Hold a point: the body may turn about it (G)'],
  ['frame', 'Hold all of it: with Shift the pointer turns it, with Alt the wheel rolls it (G)'],
];

export const HoldBar = () => {
  const { grip, axis, tool } = state;
  return (
    <div class="tools">
      <div class="group" role="radiogroup" aria-label="Drag by">
        {DRAGS.map(([drag, key, meaning]) => (
          <button
            key={drag}
            type="button"
            role="radio"
            aria-checked={state.drag.value === drag}
            title={`${meaning} (${key})`}
            onClick={() => {
              state.drag.value = drag;
            }}
          >
            <kbd>{key}</kbd> {drag}
          </button>
        ))}
      </div>
      <div class="group" role="radiogroup" aria-label="Hold">
        {GRIPS.map(([own, meaning]) => (
          <button
            key={own}
            type="button"
            role="radio"
            aria-checked={grip.value === own}
            title={meaning}
            onClick={() => {
              grip.value = own;
            }}
          >
            {own}
          </button>
        ))}
      </div>
      <div class="group" role="group" aria-label="Drag along">
        {(['x', 'y', 'z'] as const).map((own) => (
          <button
            key={own}
            type="button"
            aria-pressed={axis.value === own}
            aria-label={`Along ${own}`}
            title={`Drag along ${own} only (${own.toUpperCase()})`}
            onClick={() => {
              axis.value = axis.value === own ? null : own;
            }}
          >
            {own}
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-pressed={tool.value === 'path'}
        title="Press on a point of a body and draw the curve that it shall follow (P)"
        onClick={() => {
          tool.value = tool.value === 'path' ? 'hold' : 'path';
        }}
      >
        Path
      </button>
    </div>
  );
};
