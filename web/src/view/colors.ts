// Colors: of the page for marks, of hints and a palette for bodies, and of what is pointed out.

import { Color } from 'three';
import type { Target } from '../state';

export interface Colors {
  background: string;
  ink: string;
  hand: string;
}

export type { Target };

export type Warning = 'redundant' | 'contradictory' | 'undetermined';

/** What tints a joint: what is to be said of it, or where it stands in the spanning tree. */
export type Tint = Warning | 'tree' | 'loop';

/** Names are free text: what is before the first space tells the kinds apart. */
export const keyOf = ({ kind, name }: Target): string => `${kind} ${name}`;

/** Puts the color of something that is drawn into `out`. */
export type Paint = (item: { color: string; key: string }, out: Color) => Color;

/** Quiet colors that can be told apart, for bodies without a hint. */
const PALETTE = ['#5b7fa6', '#a8763e', '#6d8f5a', '#8d6a9f', '#a35d5d', '#5f9090', '#8a8f98'];

export const bodyColor = (order: number): string => PALETTE[order % PALETTE.length] ?? '#888888';

/** The spanning tree. */
export const TREE = '#1f9d6b';

/** They read on light and on dark. */
const TINTS: Record<Tint, string> = {
  redundant: '#d99a1c',
  contradictory: '#e0433a',
  undetermined: '#8f6ee0',
  tree: TREE,
  loop: '#d6336c',
};
const SELECTED = '#1f8fff';
const HOVERED = '#5fb2ff';

/** Inks of marks, mixed from the colors of the page. */
const inks = (colors: Colors): Map<string, Color> => {
  const ink = new Color(colors.ink);
  const paper = new Color(colors.background);
  return new Map([
    ['ink', ink],
    ['paper', paper],
    ['drive', new Color(colors.hand)],
    ['quiet', ink.clone().lerp(paper, 0.45)],
    ['faint', ink.clone().lerp(paper, 0.75)],
  ]);
};

/** Everything that decides a color. */
export class Brush {
  hovered: Target | null = null;
  selected: Target | null = null;
  tints: ReadonlyMap<string, Tint> = new Map();
  private known: Map<string, Color>;

  constructor(colors: Colors) {
    this.known = inks(colors);
  }

  setColors(colors: Colors): void {
    this.known = inks(colors);
  }

  /** A color or an ink by its name. */
  color(of: string): Color {
    let color = this.known.get(of);
    if (color === undefined) {
      color = new Color(of);
      this.known.set(of, color);
    }
    return color;
  }

  /** How something is pointed out, if it is. */
  accent(key: string): string | null {
    if (this.selected !== null && key === keyOf(this.selected)) return SELECTED;
    if (this.hovered !== null && key === keyOf(this.hovered)) return HOVERED;
    return null;
  }

  readonly paint: Paint = ({ color, key }, out) => {
    out.copy(this.color(color));
    const accent = this.accent(key);
    // A body keeps its color and gets an outline; a mark is too small for that.
    if (accent !== null) return out.lerp(this.color(accent), key.startsWith('body ') ? 0.25 : 1);
    const tint = key.startsWith('joint ') ? this.tints.get(key.slice('joint '.length)) : undefined;
    return tint === undefined ? out : out.copy(this.color(TINTS[tint]));
  };
}
