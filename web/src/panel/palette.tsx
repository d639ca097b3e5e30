// Parts that can be added to the running world: carried to the stage, or dropped in its middle by a click.

import { useRef } from 'preact/hooks';
import { ANCHOR } from '../build/parts';
import { offersOf } from '../engine/catalogue';
import type { Carry } from '../hold/carry';
import type { Hand } from '../hold/hand';
import * as state from '../state';

/** What a button needs to say of itself. */
interface Part {
  name: string;
  help: string;
  /** Strokes of 16 × 16. */
  icon: string;
}

/** A place on the ground is no type of anything. */
const PLACE: Part = { name: ANCHOR, help: 'A place on the ground', icon: 'M8 3 L13 11 H3 Z M2 14 H14' };

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={path} />
  </svg>
);

const DropButton = ({ part: { name, help, icon }, hand }: { part: Part; hand: Hand }) => {
  const carried = useRef<Carry | null>(null);
  /** A drag ends with a click too, which is not meant. */
  const wasCarried = useRef(false);
  /** Where a finger was last that has not left the palette, which it scrolls. */
  const scrolls = useRef<{ x: number; y: number } | null>(null);
  const end = (): void => {
    carried.current?.leave();
    carried.current = null;
    scrolls.current = null;
  };
  return (
    <button
      type="button"
      class="carried"
      data-part={name}
      title={`${help}. Drag it to the scene, or click.`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        wasCarried.current = false;
        carried.current = hand.carry(name);
        scrolls.current = event.pointerType === 'mouse' ? null : { x: event.clientX, y: event.clientY };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const pixel = { x: event.clientX, y: event.clientY };
        if (hand.isOver(pixel)) {
          carried.current?.over(pixel, !event.altKey);
          scrolls.current = null;
          return;
        }
        carried.current?.leave();
        if (scrolls.current === null) return;
        // The browser's own scrolling would take the finger away from the part.
        event.currentTarget.parentElement?.scrollBy(scrolls.current.x - pixel.x, scrolls.current.y - pixel.y);
        scrolls.current = pixel;
      }}
      onPointerUp={(event) => {
        const pixel = { x: event.clientX, y: event.clientY };
        if (carried.current !== null && hand.isOver(pixel)) {
          wasCarried.current = true;
          carried.current.over(pixel, !event.altKey);
          void carried.current.drop();
          hand.focus();
        }
        end();
      }}
      onPointerCancel={end}
      onClick={() => {
        if (wasCarried.current) wasCarried.current = false;
        else hand.drop(name);
      }}
    >
      <Icon path={icon} /> {name}
    </button>
  );
};

export const Palette = ({ hand }: { hand: Hand }) => (
  <aside class="palette" aria-label="Parts">
    {[...offersOf('body').map(({ offer }) => offer), PLACE].map((part) => (
      <DropButton key={part.name} part={part} hand={hand} />
    ))}
    <hr />
    {offersOf('joint', 'behavior').map(({ offer: { name, help, icon } }) => (
      <button
        key={name}
        type="button"
        data-part={name}
        aria-pressed={state.linking.value === name}
        title={help}
        onClick={() => {
          state.linking.value = state.linking.value === name ? null : name;
        }}
      >
        <Icon path={icon} /> {name}
      </button>
    ))}
  </aside>
);
