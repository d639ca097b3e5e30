// What colors of bodies and points mean: the numbers come with frames, their range is kept here.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Shade } from './engine/border';
import { type Fitting, fittingOf, offsOf } from './points';
import * as state from './state';
import { roundAbove } from './view/ramp';

/** From zero to here; `more` if some are larger. */
export interface Range {
  top: number;
  more: boolean;
}

/** The range of colors, while there are any. */
export const range = signal<Range | null>(null);
/** How well points fit bodies, while there are any; and those points. */
export const fitting = signal<Fitting | null>(null);
export let points: Float64Array | null = null;

/** Points that are further off than so many scatters are wrong: they would leave one color for all others. */
const WRONG = 4;
/** The scatter of normal numbers by their median. */
const SCATTER = 1.4826;

/** A range for how far points are off. */
export const rangeOf = (offs: readonly number[]): Range => {
  const sorted = offs.toSorted((a, b) => a - b);
  const most = sorted.at(-1) ?? 0;
  const usual = WRONG * SCATTER * (sorted[Math.floor(sorted.length / 2)] ?? 0);
  const top = roundAbove(Math.min(most, usual));
  return { top, more: most > top };
};

/** The part of corners that colors tell apart: a few at a sharp edge would leave one color for all others. */
const TOLD = 0.98;

/** A range that grows: what was seen keeps its color, and the legend keeps still. Numbers below `least` are nothing. */
export const grown = (before: Range | null, numbers: Float64Array, least: number): Range => {
  const sorted = numbers.filter(Number.isFinite).sort();
  const most = sorted.at(-1) ?? 0;
  const usual = sorted[Math.floor(TOLD * (sorted.length - 1))] ?? 0;
  const largest = usual > least ? usual : most;
  const top = Math.max(before?.top ?? 0, largest > least ? roundAbove(largest) : 0);
  return { top, more: (before?.more ?? false) || most > Math.max(top, least) };
};

/** Colors bodies by something, or as they are. */
export const shadeBy = (by: Shade | null): void => {
  state.shade.value = by;
  range.value = null;
  actions.engine.ask({ type: 'shade', by }).catch(actions.say);
};

const unitOf = (by: Shade | null): string => state.look.value?.shades?.find((own) => own.by === by)?.unit ?? '';

/** Where colors are put: see `view/stage.ts`. */
interface Picture {
  shade: (numbers: Float64Array | null, top: number) => void;
  /** Points have colors where there is a range for them. */
  showPoints: (points: Float64Array | null, top: number | null) => void;
}

export const shadePicture = (picture: Picture): void => {
  actions.onTold((message) => {
    if (message.type === 'look' && message.opened) {
      range.value = null;
      fitting.value = null;
      points = null;
      // An engine that was started again knows nothing of it.
      if (state.shade.value !== null) shadeBy(state.shade.value);
    }
    if (message.type !== 'frame' || message.wiggling !== null) return;
    const { shades } = message;
    points = message.points;
    fitting.value = points === null ? null : fittingOf(points);
    if (shades === null) range.value = null;
    else if (state.shade.value === 'residual') range.value = rangeOf(points === null ? [] : offsOf(points));
    else range.value = grown(range.value, shades, state.roundOff(unitOf(state.shade.value)));
    const top = range.value?.top ?? 0;
    picture.shade(shades, top);
    picture.showPoints(points, state.shade.value === 'residual' && shades !== null ? top : null);
  });
};
