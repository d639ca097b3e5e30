// What the selected thing does at this moment, changed no faster than people read.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { typeOf } from '../engine/catalogue';
import type { AnyBody, Numbers, Vec3 } from '../engine/messages';

import { positionOf, pulse } from '../now';
import { quantityOf } from '../renamed';
import * as state from '../state';
import { onRows, wish } from '../watching';
import { short } from './format';

/** The last row of what is watched, by name. */
const row = signal<ReadonlyMap<string, number>>(new Map());
let latest = new Map<string, number>();
onRows((rows, columns) => {
  const last = rows.subarray(rows.length - columns.length);
  latest = new Map(columns.map(({ name }, k) => [name, last[k] ?? Number.NaN]));
});
pulse.subscribe(() => {
  row.value = latest;
});

/** What is less than `least` is round-off, and nothing. */
const told = (value: number, least: number): number => (Math.abs(value) < least ? 0 : value);
/** A place, m. */
const placed = (of: readonly number[]): string => of.map((x) => short(told(x, state.roundOff('m')))).join(', ');
const size = (of: Numbers | undefined): number | null => (Array.isArray(of) ? Math.hypot(...of) : null);

const Facts = ({ of }: { of: [string, string][] }) => (
  <dl class="facts" aria-label="Present values">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd data-live={name}>{value}</dd>
      </div>
    ))}
  </dl>
);

export const BodyValues = ({ of }: { of: AnyBody }) => {
  void pulse.value;
  const place: Vec3 | null = positionOf(of.name);
  // In a second it goes as far as nothing.
  const speed = told(size(of.velocity) ?? 0, state.roundOff('m'));
  const spin = told(size(of.angular_velocity) ?? Math.abs(of.spin ?? 0), state.roundOff(''));
  const facts: [string, string][] = [];
  if (place !== null) facts.push(['position', `${placed(place)} m`]);
  if (of.v === undefined) {
    facts.push(['speed', `${short(speed)} m/s`]);
    if (typeOf('body', of.type)?.body?.turns !== false)
      facts.push(['turns at', `${short((spin * 180) / Math.PI)} °/s`]);
  }
  return <Facts of={facts} />;
};

interface JointProps {
  name: string;
  /** What its motor gives, if it has one. */
  motor: string | null;
}

/** Whether a motor gives all it has: then it cannot do what it is asked for. */
export const givesWay = (effort: number, most: number): boolean => Math.abs(effort) >= most * (1 - 1e-6);

interface StallProps {
  /** What the motor gives, by the name of the quantity. */
  quantity: string;
  /** The most that it can give. */
  most: number;
}

/** Whether a motor does what it is asked for; nothing before the first step. Its quantity is watched by `JointValues`. */
export const Stall = ({ quantity, most }: StallProps) => {
  const effort = row.value.get(quantity);
  if (effort === undefined || Number.isNaN(effort)) return null;
  const isStalled = givesWay(effort, most);
  return (
    <p class={isStalled ? 'stalled' : 'quiet'} data-live="motor">
      {isStalled ? 'The motor gives way: it is at its limit.' : 'The motor holds.'}
    </p>
  );
};

export const JointValues = ({ name, motor }: JointProps) => {
  const force = quantityOf('joint', name, 'force.magnitude');
  const torque = quantityOf('joint', name, 'torque.magnitude');
  const open = quantityOf('joint', name, 'error');
  const moves = quantityOf('joint', name, motor ?? '');
  const power = quantityOf('joint', name, 'motor.power');
  useEffect(() => {
    wish('inspector', motor === null ? [force, torque, open] : [moves, power, force, torque, open]);
    return () => wish('inspector', []);
  }, [name, motor]);
  const now = row.value;
  const of = (quantity: string, unit: string, least = 0): string => {
    const value = now.get(quantity);
    return value === undefined || Number.isNaN(value)
      ? '– (after the next step)'
      : `${short(told(value, least))} ${unit}`;
  };
  // Of a force at the rim of the scene a torque of this size is round-off.
  const bears = Math.abs(now.get(force) ?? 0) * state.roundOff('m');
  const slides = motor === 'motor.force';
  const moved: [string, string][] = [
    [slides ? 'motor force' : 'motor torque', of(moves, slides ? 'N' : 'N·m')],
    ['motor power', of(power, 'W', Math.abs(now.get(moves) ?? 0) * state.roundOff(slides ? 'm' : ''))],
  ];
  return (
    <Facts
      of={[
        ...(motor === null ? [] : moved),
        ['force', of(force, 'N')],
        ['torque', of(torque, 'N·m', bears)],
        ['open by', of(open, 'm', state.roundOff('m'))],
      ]}
    />
  );
};
