// Functions of time that drive joints: what they give at an instant, and how they change without a jump.

import type { Entry, Retiming } from './words';

export type FunctionKind = 'constant' | 'ramp' | 'sine';
export const FUNCTIONS: FunctionKind[] = ['constant', 'ramp', 'sine'];

const numberOf = (entry: Entry, key: string): number => {
  const value = entry[key];
  return typeof value === 'number' ? value : 0;
};

/** What a function gives at a time; of keyframes their first value. */
export const valueAt = (of: Entry, time: number): number => {
  switch (of.type) {
    case 'constant':
      return numberOf(of, 'value');
    case 'ramp':
      // start + rate·t
      return numberOf(of, 'start') + numberOf(of, 'rate') * time;
    case 'sine':
      // offset + amplitude·sin(2π·frequency·t + phase)
      return (
        numberOf(of, 'offset') +
        numberOf(of, 'amplitude') * Math.sin(2 * Math.PI * numberOf(of, 'frequency') * time + numberOf(of, 'phase'))
      );
    default:
      return Number((of.keyframes as [number, number][] | undefined)?.[0]?.[1] ?? 0);
  }
};

/** A ramp that has a value at a time. */
export const rampFrom = (value: number, rate: number, time: number): Entry => ({
  type: 'ramp',
  start: value - rate * time,
  rate,
});

/** Another kind of function that begins where this one is. */
export const asKind = (of: Entry, kind: string, time: number, size: number): Entry => {
  const value = valueAt(of, time);
  if (kind === 'constant') return { type: kind, value };
  if (kind === 'ramp') return rampFrom(value, size, time);
  const frequency = 0.5;
  return { type: kind, amplitude: size, frequency, phase: -2 * Math.PI * frequency * time, offset: value };
};

/** What people ask of a drive, done at a time. */
export const retimed = (of: Entry, to: Retiming, time: number): Entry =>
  'kind' in to ? asKind(of, to.kind, time, to.size) : changed(of, to.key, to.value, time);

/** A number of the function changed, and the rest so that nothing jumps. */
export const changed = (of: Entry, key: string, value: number, time: number): Entry => {
  if (of.type === 'ramp' && key === 'rate') return rampFrom(valueAt(of, time), value, time);
  if (of.type === 'sine' && key === 'frequency') {
    const phase = numberOf(of, 'phase') + 2 * Math.PI * (numberOf(of, 'frequency') - value) * time;
    return { ...of, frequency: value, phase };
  }
  return { ...of, [key]: value };
};
