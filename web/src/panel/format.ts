// Numbers for people.

/** Three digits or all before the point, with a power of ten where that is shorter. */
export const short = (value: number): string => {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e5) return value.toExponential(1);
  if (size >= 1000) return value.toFixed(0);
  return value
    .toPrecision(3)
    .replace(/^(-?\d+\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
};
