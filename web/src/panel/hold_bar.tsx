// What the pointer does on the stage: how it pulls, what it holds, along what, or whether it draws a path instead; and
// the view.

import { setFloor } from '../collide';
import type { Drag, Grip } from '../state';
import * as state from '../state';
import { type Radio, Radios } from './radios';

const drag = (value: Drag, key: string, meaning: string): Radio<Drag> => ({
  value,
  help: `${meaning} (${key})`,
  shown: (
    <>
      <kbd>{key}</kbd> {value}
    </>
  ),
});

const DRAGS = [
  drag('force', '1', 'Pulls with a damped spring; joints stay exact'),
  drag('follow', '2', 'Follows the pointer as far as the joints allow'),
  drag('pin', '3', 'Stays at the pointer; joints that give way are named'),
];

const GRIPS: Radio<Grip>[] = [
  { value: 'point', help: 'Hold a point: the body can turn about it (G)', shown: 'point' },
  {
    value: 'frame',
    help: 'Hold the whole body: with Shift the pointer turns it, with Alt the wheel rolls it (G)',
    shown: 'frame',
  },
];

const ToolButton = (own: { of: 'path' | 'curve'; title: string; shown: string }) => (
  <button
    type="button"
    aria-pressed={state.tool.value === own.of}
    title={own.title}
    onClick={() => state.takeTool(own.of)}
  >
    {own.shown}
  </button>
);

/** From where the scene is seen: `view/stage.ts`. */
export interface View {
  fit: () => void;
  flat: boolean;
}

export const HoldBar = ({ view }: { view: View }) => {
  const { grip, axis } = state;
  return (
    <div class="tools">
      <Radios
        label="Drag by"
        class="group"
        of={DRAGS}
        value={state.drag.value}
        choose={(value) => {
          state.drag.value = value;
        }}
      />
      <Radios
        label="Hold"
        class="group"
        of={GRIPS}
        value={grip.value}
        choose={(value) => {
          grip.value = value;
        }}
      />
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
      <ToolButton
        of="path"
        title="Press on a point of a body and draw its path; press on empty space and draw a path for a linkage (P)"
        shown="Path"
      />
      <ToolButton
        of="curve"
        title="Draw a curve: it becomes a smooth body that can be pulled and joined (C)"
        shown="Curve"
      />
      <button
        type="button"
        aria-pressed={state.look.value?.floor !== undefined}
        title="A floor for everything that collides"
        onClick={() => void setFloor(state.look.value?.floor === undefined)}
      >
        Floor
      </button>
      <div class="group" role="group" aria-label="View">
        <button type="button" title="Shows everything (F)" onClick={() => view.fit()}>
          Fit
        </button>
        <button
          type="button"
          title="Flat or spatial view (V)"
          onClick={() => {
            view.flat = !view.flat;
          }}
        >
          2D/3D
        </button>
      </div>
    </div>
  );
};
