// One line that says how exact the picture is and what it cost; and notes above it, which move nothing.

import { useEffect } from 'preact/hooks';
import type { Certificate } from '../engine/words';
import * as state from '../state';
import { short } from './format';
import { OpenHint } from './open_hint';

const ENDED = {
  tolerance: '',
  open: ' (joints are open)',
  iterations: ' (budget spent)',
  deadline: ' (deadline passed)',
};

/** How long news stay, ms. */
const NEWS = 6000;

const News = () => {
  const { news } = state;
  const words = news.value;
  useEffect(() => {
    if (words === null) return;
    const timer = setTimeout(() => {
      news.value = null;
    }, NEWS);
    return () => clearTimeout(timer);
  }, [words]);
  return words === null ? null : (
    <p class="news" role="status">
      {words}
    </p>
  );
};

const split = ({ kinetic, potential, elastic }: Certificate['energy']): string =>
  `kinetic ${short(kinetic)} J, potential ${short(potential)} J, elastic ${short(elastic)} J`;

export const CertificateLine = ({ of, stepTime }: { of: Certificate | null; stepTime: number | null }) => {
  if (of === null) return <footer class="certificate">No scene is open.</footer>;
  const gave = of.gave_way.map(({ joint, error }) => `${joint} by ${short(error)} m`).join(', ');
  const facts: [string, string, string][] = [
    ['time', `${of.time.toFixed(2)} s`, 'time of the scene'],
    ['rows', String(of.rows), 'rows of all constraints, hands included'],
    ['loops', String(of.loops), 'independent loops'],
    ['iterations', String(of.iterations), 'solves of the last step'],
    [
      'residual',
      `${short(of.residual)} m${ENDED[of.ended]}`,
      `largest gap of the exact joints${of.worst === null ? '' : `, in ${of.worst}`}`,
    ],
    ['step', stepTime === null ? '–' : `${stepTime.toFixed(2)} ms`, 'what the last step took'],
    ['energy', `${short(of.energy.total)} J`, split(of.energy)],
  ];
  return (
    <>
      <div class="notes">
        {gave === '' ? null : <p>Gave way: {gave}</p>}
        <OpenHint of={of} />
        <News />
      </div>
      <footer class="certificate">
        <dl>
          {facts.map(([name, value, meaning]) => (
            <div key={name} title={meaning}>
              <dt>{name}</dt>
              <dd data-fact={name}>{value}</dd>
            </div>
          ))}
        </dl>
      </footer>
    </>
  );
};
