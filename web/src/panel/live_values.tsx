// What the selected thing does at this moment, changed no faster than people read.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { typeOf } from '../engine/catalogue';
import type { AnyBody, Numbers, Vec3 } from '../engine/messages';

import { positionOf, pulse } from '../now';
import { onRows, quantityOf, wish } from '../watching';
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

const vector = (of: readonly number[]): string => of.map((x) => short(Math.abs(x) < 1e-9 ? 0 : x)).join(', ');
const size = (of: Numbers | undefined): number | null => (Array.isArray(of) ? Math.hypot(...of) : null);

const Facts = ({ of }: { of: [string, string][] }) => (
  <dl class="facts" aria-label="At this moment">
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
  const speed = size(of.velocity) ?? 0;
  const spin = size(of.angular_velocity) ?? Math.abs(of.spin ?? 0);
  const facts: [string, string][] = [];
  if (place !== null) facts.push(['position', `${vector(place)} m`]);
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
      {isStalled ? 'The motor gives way: it is at its most.' : 'The motor holds.'}
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
  const told = (quantity: string, unit: string): string => {
    const value = now.get(quantity);
    return value === undefined || Number.isNaN(value) ? '– (after the next step)' : `${short(value)} ${unit}`;
  };
  const slides = motor === 'motor.force';
  const moved: [string, string][] = [
    [slides ? 'motor force' : 'motor torque', told(moves, slides ? 'N' : 'N·m')],
    ['motor power', told(power, 'W')],
  ];
  return (
    <Facts
      of={[
        ...(motor === null ? [] : moved),
        ['force', told(force, 'N')],
        ['torque', told(torque, 'N·m')],
        ['open by', told(open, 'm')],
      ]}
    />
  );
};
