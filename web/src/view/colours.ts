// Colours: of the page for marks, of hints and a palette for bodies, and of what is pointed out.

import { Color } from 'three';
import type { Target } from '../state';

export interface Colours {
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

/** Puts the colour of something that is drawn into `out`. */
export type Paint = (item: { colour: string; key: string }, out: Color) => Color;

/** Quiet colours that can be told apart, for bodies without a hint. */
const PALETTE = ['#5b7fa6', '#a8763e', '#6d8f5a', '#8d6a9f', '#a35d5d', '#5f9090', '#8a8f98'];

export const bodyColour = (order: number): string => PALETTE[order % PALETTE.length] ?? '#888888';

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

/** Inks of marks, mixed from the colours of the page. */
const inks = (colours: Colours): Map<string, Color> => {
  const ink = new Color(colours.ink);
  const paper = new Color(colours.background);
  return new Map([
    ['ink', ink],
    ['paper', paper],
    ['drive', new Color(colours.hand)],
    ['quiet', ink.clone().lerp(paper, 0.45)],
    ['faint', ink.clone().lerp(paper, 0.75)],
  ]);
};

/** Everything that decides a colour. */
export class Brush {
  hovered: Target | null = null;
  selected: Target | null = null;
  tints: ReadonlyMap<string, Tint> = new Map();
  private known: Map<string, Color>;

  constructor(colours: Colours) {
    this.known = inks(colours);
  }

  setColours(colours: Colours): void {
    this.known = inks(colours);
  }

  /** A colour or an ink by its name. */
  colour(of: string): Color {
    let colour = this.known.get(of);
    if (colour === undefined) {
      colour = new Color(of);
      this.known.set(of, colour);
    }
    return colour;
  }

  /** How something is pointed out, if it is. */
  accent(key: string): string | null {
    if (this.selected !== null && key === keyOf(this.selected)) return SELECTED;
    if (this.hovered !== null && key === keyOf(this.hovered)) return HOVERED;
    return null;
  }

  readonly paint: Paint = ({ colour, key }, out) => {
    out.copy(this.colour(colour));
    const accent = this.accent(key);
    // A body keeps its colour and gets an outline; a mark is too small for that.
    if (accent !== null) return out.lerp(this.colour(accent), key.startsWith('body ') ? 0.25 : 1);
    const tint = key.startsWith('joint ') ? this.tints.get(key.slice('joint '.length)) : undefined;
    return tint === undefined ? out : out.copy(this.colour(TINTS[tint]));
  };
}
