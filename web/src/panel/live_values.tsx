// What the selected thing does in the frame that is shown, updated no faster than people read.

import { useEffect, useState } from 'preact/hooks';
import * as actions from '../actions';
import { typeOf } from '../engine/catalogue';
import type { AnyBody, Vec3 } from '../engine/messages';

import { positionOf, pulse } from '../now';
import { quantityOf } from '../renamed';
import * as state from '../state';
import { short } from './format';

type Values = ReadonlyMap<string, number>;

const NONE: Values = new Map();

/** Values of these quantities in the frame that is shown; none until the engine has answered. */
const useValues = (names: readonly string[]): Values => {
  const [values, setValues] = useState(NONE);
  const key = names.join('\n');
  const beat = pulse.value;
  useEffect(() => {
    const asked = key === '' ? [] : key.split('\n');
    if (asked.length === 0) return;
    let isWanted = true;
    actions.values(asked).then(
      (answer) => {
        if (isWanted) setValues(new Map(asked.map((name, k) => [name, answer[k] ?? Number.NaN])));
      },
      // It was removed meanwhile.
      () => {
        if (isWanted) setValues(NONE);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, beat]);
  return values;
};

/** Zero for values below `least`, the size of round-off. */
const told = (value: number, least: number): number => (Math.abs(value) < least ? 0 : value);
/** A place, m. */
const placed = (of: readonly number[]): string => of.map((x) => short(told(x, state.roundOff('m')))).join(', ');

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
  const place: Vec3 | null = positionOf(of.name);
  const speed = quantityOf('body', of.name, 'speed');
  const spin = quantityOf('body', of.name, 'angular_speed');
  const hasSpeed = of.v === undefined;
  const turns = hasSpeed && typeOf('body', of.type)?.body?.turns !== false;
  const now = useValues([...(hasSpeed ? [speed] : []), ...(turns ? [spin] : [])]);
  const fact = (quantity: string, least: number, scale: number, unit: string): string => {
    const value = now.get(quantity);
    return value === undefined || Number.isNaN(value) ? '–' : `${short(told(value, least) * scale)} ${unit}`;
  };
  const facts: [string, string][] = [];
  if (place !== null) facts.push(['position', `${placed(place)} m`]);
  // A speed is round-off where the way of a second is.
  if (hasSpeed) facts.push(['speed', fact(speed, state.roundOff('m'), 1, 'm/s')]);
  if (turns) facts.push(['turns at', fact(spin, state.roundOff(''), 180 / Math.PI, '°/s')]);
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

/** Whether a motor does what it is asked for. */
export const Stall = ({ quantity, most }: StallProps) => {
  const effort = useValues([quantity]).get(quantity);
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
  const now = useValues(motor === null ? [force, torque, open] : [moves, power, force, torque, open]);
  const of = (quantity: string, unit: string, least = 0): string => {
    const value = now.get(quantity);
    return value === undefined || Number.isNaN(value) ? '–' : `${short(told(value, least))} ${unit}`;
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
