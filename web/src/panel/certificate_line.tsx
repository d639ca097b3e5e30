// One line that says how exact the picture is and what it cost; and notes above it, which move nothing.

import { useEffect } from 'preact/hooks';
import type { Certificate, EndedBy, Energies, JointEvent, RungTaken } from '../engine/border';
import type { Upset } from '../engine/pace';
import { unreachable } from '../exhaustive';
import * as state from '../state';
import { short } from './format';
import { OpenHint } from './open_hint';

const ENDED: Record<EndedBy, string> = {
  tolerance: '',
  open: ' (joints are open)',
  iterations: ' (budget spent)',
  deadline: ' (deadline passed)',
};

/** How the last step was taken; why, only where that cost something. */
const way = (rungs: RungTaken[]): string =>
  rungs
    .map(({ rung, cause, count, damps }) => {
      const words = `${count} ${rung}`;
      return damps && cause !== null ? `${words} (${cause})` : words;
    })
    .join(', ') || '–';

const wayInWords = ({ rungs, stiffest }: Certificate): string =>
  [
    'how the last step was taken',
    ...rungs.map(({ about, cause, count }) => `${count} × ${about}${cause === null ? '' : ` (${cause})`}`),
    ...(stiffest === null ? [] : [`the stiffest spring is ${stiffest}`]),
  ].join('; ');

/** How long news stay, ms. */
const NEWS = 6000;

/** What happened to a joint. */
const told = (event: JointEvent): string => {
  switch (event.type) {
    case 'broke':
      return `${event.joint} broke at ${event.force_n.toFixed(3)} N and ${event.torque_nm.toFixed(3)} N·m`;
    case 'closed':
      return `${event.joint} closed`;
    default:
      return unreachable(event);
  }
};

const News = () => {
  const events = state.news.value;
  useEffect(() => {
    if (events === null) return;
    const timer = setTimeout(() => {
      state.news.value = null;
    }, NEWS);
    return () => clearTimeout(timer);
  }, [events]);
  return events === null ? null : (
    <p class="news" role="status">
      {events.map(told).join('; ')}
    </p>
  );
};

const UPSET: Record<Upset, string> = {
  stood: 'The clock stands still, and so does the scene, which follows it.',
  'went-back': 'The clock went back: no step was taken; time continues from there.',
  jumped: 'More than 0.1 s passed on the clock between two steps: only 0.1 s was simulated.',
};

/** What the clock did that steps cannot follow. */
const ClockNote = () => {
  const told = state.clockUpset.value;
  useEffect(() => {
    if (told === null) return;
    const timer = setTimeout(() => {
      state.clockUpset.value = null;
    }, NEWS);
    return () => clearTimeout(timer);
  }, [told]);
  return told === null ? null : (
    <p class="news" role="status">
      {UPSET[told.upset]}
    </p>
  );
};

const split = ({ kinetic_j, potential_j, elastic_j }: Energies): string =>
  `kinetic ${short(kinetic_j)} J, potential ${short(potential_j)} J, elastic ${short(elastic_j)} J`;

/** All bodies are out of the picture: where they are, and what would have held them. */
const Left = ({ fit }: { fit: () => void }) => (
  <p role="status">
    Everything has left the picture.{' '}
    <button type="button" class="link" onClick={fit}>
      Fit
    </button>{' '}
    shows it again
    {state.look.value?.floor === undefined ? '; a floor or an anchor keeps bodies from falling.' : '.'}
  </p>
);

/** What asks to be looked at, over the picture. */
export const Notes = ({ of, fit }: { of: Certificate | null; fit: () => void }) => {
  if (of === null) return null;
  const gave = of.gave_way.map(({ joint, error_m }) => `${joint} by ${short(error_m)} m`).join(', ');
  return (
    <div class="notes">
      {state.isLeft.value ? <Left fit={fit} /> : null}
      {gave === '' ? null : <p>Gave way: {gave}</p>}
      <OpenHint of={of} />
      <News />
      <ClockNote />
    </div>
  );
};

export const CertificateLine = ({ of, stepTime }: { of: Certificate | null; stepTime: number | null }) => {
  if (of === null) return <footer class="certificate">No scene is open.</footer>;
  const facts: [string, string, string][] = [
    ['time', `${of.time_s.toFixed(2)} s`, 'time of the scene'],
    ['rows', String(of.rows), 'rows of all constraints, hands included'],
    ['loops', String(of.loops), 'independent loops'],
    ['iterations', String(of.iterations), 'solves of the last step'],
    [
      'residual',
      `${short(of.residual_m)} m${ENDED[of.ended]}`,
      `largest gap of the exact joints${of.worst === null ? '' : `, in ${of.worst}`}`,
    ],
    ['step', stepTime === null ? '–' : `${stepTime.toFixed(2)} ms`, 'cost of the last step'],
    ['energy', `${short(of.energy.total_j)} J`, split(of.energy)],
    // Last: its length changes.
    ['sub-steps', way(of.rungs), wayInWords(of)],
  ];
  return (
    <footer class="certificate">
      {/* In a narrow window it is scrolled, by keys too. */}
      <dl tabIndex={0}>
        {facts.map(([name, value, meaning]) => (
          <div key={name} title={meaning}>
            <dt>{name}</dt>
            <dd data-fact={name}>{value}</dd>
          </div>
        ))}
      </dl>
    </footer>
  );
};
