// Colors for numbers: from dark blue to light yellow, by equal steps of lightness, so that equal differences look
// equal. They are told apart without seeing hues, and on light and dark grounds.

import { Color } from 'three';

type Triple = [number, number, number];

/** Lightness, and hue in degrees, at both ends. */
const LIGHTNESS = [0.34, 0.92] as const;
const HUE = [285, 100] as const;
/** As colorful as this, where a screen can show it. */
const CHROMA = 0.15;
const STEPS = 256;

/** Red, green and blue, linear, of a color by lightness, chroma and hue (Oklab, Ottosson 2020). */
const linearOf = (lightness: number, chroma: number, hue: number): Triple => {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
};

const isShown = (color: Triple): boolean => color.every((own) => own >= 0 && own <= 1);

/** The color at a part of the ramp, linear. */
const at = (part: number): Triple => {
  const between = ([from, to]: readonly [number, number]): number => from + (to - from) * part;
  let [low, high] = [0, CHROMA];
  // The most colorful that a screen can show.
  for (let round = 0; round < 20; round += 1) {
    const middle = (low + high) / 2;
    if (isShown(linearOf(between(LIGHTNESS), middle, between(HUE)))) low = middle;
    else high = middle;
  }
  return linearOf(between(LIGHTNESS), low, between(HUE));
};

const RAMP: readonly Triple[] = Array.from({ length: STEPS }, (_, k) => at(k / (STEPS - 1)));

/** Writes the color of a part of the range, linear; what is beyond has the color of the end. */
export const shadeInto = (part: number, out: Float32Array, place: number): void => {
  const clamped = Math.min(Math.max(part, 0), 1);
  out.set(RAMP[Math.round(clamped * (STEPS - 1))] ?? RAMP[0] ?? [0, 0, 0], place);
};

/** The ramp as a gradient of the style sheet, from left to right. */
export const gradient = (): string => {
  const stops = Array.from({ length: 17 }, (_, k) => {
    const [r, g, b] = RAMP[Math.round((k / 16) * (STEPS - 1))] ?? [0, 0, 0];
    return new Color().setRGB(r, g, b).getStyle();
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
};

/** The next of 1, 2, 5, 10, … that is not less: ends of a range that can be read, and do not flicker. */
export const roundAbove = (value: number): number => {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const part = [1, 2, 5].find((own) => own * power >= value * (1 - 1e-9));
  return (part ?? 10) * power;
};
