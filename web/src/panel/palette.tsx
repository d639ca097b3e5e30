// Parts that can be added to the running world: carried to the stage, or dropped in its middle by a click.

import { useRef } from 'preact/hooks';
import { BODY_PARTS, type BodyPart, bodyParts, LINK_PARTS } from '../build/parts';
import type { Carry } from '../hold/carry';
import type { Hand } from '../hold/hand';
import * as state from '../state';

type Dropped = BodyPart | 'anchor';

const PARTS: [Dropped, string][] = [
  ...bodyParts().map((part): [Dropped, string] => [part, BODY_PARTS[part].help]),
  ['anchor', 'A place on the ground'],
];

const DropButton = ({ part, meaning, hand }: { part: Dropped; meaning: string; hand: Hand }) => {
  const carried = useRef<Carry | null>(null);
  /** A drag ends with a click too, which is not meant. */
  const wasCarried = useRef(false);
  const end = (): void => {
    carried.current?.leave();
    carried.current = null;
  };
  return (
    <button
      type="button"
      data-part={part}
      title={`${meaning}. Drag it to the scene, or click.`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        wasCarried.current = false;
        carried.current = hand.carry(part);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const pixel = { x: event.clientX, y: event.clientY };
        if (hand.isOver(pixel)) carried.current?.over(pixel);
        else carried.current?.leave();
      }}
      onPointerUp={(event) => {
        const pixel = { x: event.clientX, y: event.clientY };
        if (carried.current !== null && hand.isOver(pixel)) {
          wasCarried.current = true;
          carried.current.over(pixel);
          void carried.current.drop();
          hand.focus();
        }
        end();
      }}
      onPointerCancel={end}
      onClick={(event) => {
        if (wasCarried.current) {
          wasCarried.current = false;
          return;
        }
        hand.drop(part);
        // The space bar runs and pauses, unless somebody goes through the buttons by keys.
        if (event.detail > 0) hand.focus();
      }}
    >
      <Icon part={part} /> {part}
    </button>
  );
};

export const Palette = ({ hand }: { hand: Hand }) => (
  <aside class="palette" aria-label="Parts">
    {PARTS.map(([part, meaning]) => (
      <DropButton key={part} part={part} meaning={meaning} hand={hand} />
    ))}
    <hr />
    {LINK_PARTS.map(([part, meaning]) => (
      <button
        key={part}
        type="button"
        data-part={part}
        aria-pressed={state.linking.value === part}
        title={meaning}
        onClick={() => {
          state.linking.value = state.linking.value === part ? null : part;
        }}
      >
        <Icon part={part} /> {part}
      </button>
    ))}
  </aside>
);

/** Strokes of 16 × 16. */
const ICONS: Record<string, string> = {
  rod: 'M2 13 L13 2 L14 3 L3 14 Z',
  plate: 'M2 5 H14 V11 H2 Z',
  disc: 'M8 2 a6 6 0 1 0 0.01 0 M8 7 a1 1 0 1 0 0.01 0',
  box: 'M2 6 L10 6 L10 14 L2 14 Z M2 6 L6 2 L14 2 L10 6 M14 2 L14 10 L10 14',
  ball: 'M8 2 a6 6 0 1 0 0.01 0 M2 8 Q8 11 14 8',
  particle: 'M8 6 a2 2 0 1 0 0.01 0',
  troid: 'M3 4 Q8 2 13 5 Q12 9 14 13 Q8 11 2 13 Q4 8 3 4 Z',
  anchor: 'M8 3 L13 11 H3 Z M2 14 H14',
  spring: 'M1 8 H3 L5 3 L8 13 L11 3 L13 8 H15',
  damper: 'M1 8 H6 M6 4 V12 M4 3 H12 V13 H4 M12 8 H15',
  motor: 'M8 2 a6 6 0 1 0 0.01 0 M5.5 10.5 V5.5 L8 8.5 L10.5 5.5 V10.5',
};

const Icon = ({ part }: { part: string }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={ICONS[part] ?? ''} />
  </svg>
);
