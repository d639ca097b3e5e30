// A number of a body that a hand can move: of a body of numbers, of a curve, or of the shape of a solid.

import type { NumberLook } from '../engine/border';
import { PullSlider } from './pull_slider';

export const NumberRow = ({ of: { body, name, value, range } }: { of: NumberLook }) => (
  <li data-number={`${body}.${name}`}>
    <PullSlider name={`${body}.${name}`} value={value} range={range} held={{ body, scalar: name }} />
  </li>
);
