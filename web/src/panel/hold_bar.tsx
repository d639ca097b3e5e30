// What the pointer holds, along what it drags, and whether it draws a path instead.

import type { Grip } from '../state';
import * as state from '../state';

const GRIPS: [Grip, string][] = [
  ['point', 'Hold a point: the body may turn about it (G)'],
  ['frame', 'Hold all of it: with Shift the pointer turns it, with Alt the wheel rolls it (G)'],
];

export const HoldBar = () => {
  const { grip, axis, tool } = state;
  return (
    <>
      <div class="group" role="radiogroup" aria-label="Hold">
        {GRIPS.map(([own, meaning]) => (
          <button key={own} type="button" role="radio" aria-checked={grip.value === own} title={meaning} onClick={() => { grip.value = own; }}>
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
            onClick={() => { axis.value = axis.value === own ? null : own; }}
          >
            {own}
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-pressed={tool.value === 'path'}
        title="Press on a point of a body and draw the curve that it shall follow (P)"
        onClick={() => { tool.value = tool.value === 'path' ? 'hold' : 'path'; }}
      >
        Path
      </button>
    </>
  );
};
