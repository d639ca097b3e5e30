// Quantity that colors bodies, and what the colors mean.

import type { Shade, ShadeLook } from '../engine/border';
import { fitting, range, shadeBy } from '../shading';
import * as state from '../state';
import { gradient } from '../view/ramp';
import { short } from './format';

/** From which length on a unit is said, and how many of it are a meter. */
const LENGTHS = [
  [1e-4, 'mm', 1e3],
  [1e-7, 'µm', 1e6],
  [0, 'nm', 1e9],
] as const;

/**
 * A number with its unit; parts of one in percent, lengths as people say them. What is less than any joint is closed to
 * is nothing.
 */
export const measured = (value: number, unit: string): string => {
  if (unit === '') return `${short(100 * value)} %`;
  if (unit !== 'm' || value >= 1) return `${short(value)} ${unit}`;
  if (value < state.roundOff('m')) return '0 mm';
  const [, name, parts] = LENGTHS.find(([least]) => value >= least) ?? LENGTHS[2];
  return `${short(parts * value)} ${name}`;
};

const GRADIENT = gradient();

const Scale = ({ of: { by, unit } }: { of: ShadeLook }) => {
  const { top, more } = range.value ?? { top: 0, more: false };
  return (
    <div class="scale" role="img" aria-label={`${by} from 0 to ${measured(top, unit)}${more ? ' and more' : ''}`}>
      <i style={{ background: GRADIENT }} />
      <span>0</span>
      <span>
        {more ? '≥ ' : ''}
        {measured(top, unit)}
      </span>
    </div>
  );
};

export const Legend = () => {
  const shades = state.look.value?.shades ?? [];
  if (shades.length === 0) return null;
  const shown = shades.find(({ by }) => by === state.shade.value);
  const fit = fitting.value;
  return (
    <div class="legend" role="group" aria-label="Colors">
      <span class="choice">
        <span aria-hidden="true">Color</span>
        <select
          aria-label="Color"
          value={shown?.by ?? ''}
          title={shown?.help ?? 'Quantity that colors bodies'}
          onChange={({ currentTarget: { value } }) => shadeBy(value === '' ? null : (value as Shade))}
        >
          <option value="">as they are</option>
          {shades.map(({ by }) => (
            <option key={by} value={by}>
              by {by}
            </option>
          ))}
        </select>
      </span>
      {shown === undefined ? null : <Scale of={shown} />}
      {fit === null || fit.points === 0 ? null : (
        <p class="fitting">
          rms {measured(fit.rms, 'm')} of {fit.points} points
          {fit.strays === 0 ? '' : `, ${fit.strays} nobody’s`}
        </p>
      )}
    </div>
  );
};
