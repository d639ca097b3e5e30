// Functions of time that drive joints: what they give at an instant, and how they change without a jump.

import { unreachable } from '../exhaustive';
import type { FunctionEntry } from './border';
import type { AnyJoint, FunctionKind, Retiming } from './messages';

/** What people choose from; keyframes come from files. */
export const FUNCTIONS: readonly FunctionKind[] = ['constant', 'ramp', 'sine'];

/** What a function gives at a time; of keyframes their first value. Numbers that are left out are 0. */
export const valueAt = (of: FunctionEntry, time: number): number => {
  switch (of.type) {
    case 'constant':
      return of.value ?? 0;
    case 'ramp':
      // start + rate·t
      return (of.start ?? 0) + (of.rate ?? 0) * time;
    case 'sine': {
      // offset + amplitude·sin(2π·frequency·t + phase)
      const angle = 2 * Math.PI * (of.frequency ?? 0) * time + (of.phase ?? 0);
      return (of.offset ?? 0) + (of.amplitude ?? 0) * Math.sin(angle);
    }
    case 'keyframes':
      return of.keyframes?.[0]?.[1] ?? 0;
    case 'formula':
      // Only the engine reads formulas.
      return 0;
    default:
      return unreachable(of);
  }
};

/** The function of time of a joint that drives, or of the motor of a joint; none of a torque. */
export const functionOf = ({ function: own, motor }: AnyJoint): FunctionEntry | null => {
  if (own !== undefined) return own;
  if (motor?.position !== undefined) return motor.position;
  return motor?.speed === undefined ? null : { type: 'ramp', start: motor.start ?? 0, rate: motor.speed };
};

/** The joint with another function. */
export const withFunction = <Entry extends AnyJoint>(entry: Entry, law: FunctionEntry): Entry => {
  if (entry.function !== undefined) return { ...entry, function: law };
  const { zero, enabled, max_torque, max_force } = entry.motor ?? {};
  // A motor that gives way keeps a speed, wherever it is.
  const givesWay = max_torque !== undefined || max_force !== undefined;
  const start = givesWay ? undefined : (law.type === 'ramp' && law.start) || 0;
  const said = law.type === 'ramp' ? { speed: law.rate ?? 0, start } : { position: law };
  const kept = Object.fromEntries(
    Object.entries({ ...said, zero, enabled, max_torque, max_force }).filter(([, value]) => value !== undefined),
  );
  return { ...entry, motor: kept };
};

/** A ramp that has a value at a time. */
export const rampFrom = (value: number, rate: number, time: number): FunctionEntry => ({
  type: 'ramp',
  start: value - rate * time,
  rate,
});

/** Another kind of function that begins where this one is. */
export const asKind = (of: FunctionEntry, kind: FunctionKind, time: number, size: number): FunctionEntry => {
  const value = valueAt(of, time);
  switch (kind) {
    case 'constant':
      return { type: kind, value };
    case 'ramp':
      return rampFrom(value, size, time);
    case 'sine': {
      const frequency = 0.5;
      return { type: kind, amplitude: size, frequency, phase: -2 * Math.PI * frequency * time, offset: value };
    }
    case 'keyframes':
    case 'formula':
      return of;
    default:
      return unreachable(kind);
  }
};

/** What people ask of a drive, done at a time. */
export const retimed = (of: FunctionEntry, to: Retiming, time: number): FunctionEntry =>
  'kind' in to ? asKind(of, to.kind, time, to.size) : changed(of, to.key, to.value, time);

/** A number of the function changed, and the rest so that nothing jumps. */
export const changed = (of: FunctionEntry, key: string, value: number, time: number): FunctionEntry => {
  if (of.type === 'ramp' && key === 'rate') return rampFrom(valueAt(of, time), value, time);
  if (of.type === 'sine' && key === 'frequency') {
    const phase = (of.phase ?? 0) + 2 * Math.PI * ((of.frequency ?? 0) - value) * time;
    return { ...of, frequency: value, phase };
  }
  return { ...of, [key]: value };
};
