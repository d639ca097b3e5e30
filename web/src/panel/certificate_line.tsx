// One line that says how exact the picture is and what it cost.

import type { Certificate } from '../engine/words';
import { short } from './format';

const ENDED = {
  tolerance: '',
  open: ' (joints are open)',
  iterations: ' (budget spent)',
  deadline: ' (deadline passed)',
};

export const CertificateLine = ({ of, stepTime }: { of: Certificate | null; stepTime: number | null }) => {
  if (of === null) return <footer class="certificate">No scene is open.</footer>;
  const gave = of.gave_way.map(({ joint, error }) => `${joint} by ${short(error)} m`).join(', ');
  const facts: [string, string, string][] = [
    ['time', `${of.time.toFixed(2)} s`, 'time of the scene'],
    ['rows', String(of.rows), 'rows of all constraints, hands included'],
    ['loops', String(of.loops), 'independent loops'],
    ['iterations', String(of.iterations), 'solves of the last step'],
    ['residual', `${short(of.residual)} m${ENDED[of.ended]}`, `largest gap of the exact joints${of.worst === null ? '' : `, in ${of.worst}`}`],
    ['step', stepTime === null ? '–' : `${stepTime.toFixed(2)} ms`, 'what the last step took'],
    ['energy', `${short(of.energy.total)} J`, 'kinetic, potential and elastic'],
  ];
  return (
    <footer class="certificate">
      <dl>
        {facts.map(([name, value, meaning]) => (
          <div key={name} title={meaning}>
            <dt>{name}</dt>
            <dd data-fact={name}>{value}</dd>
          </div>
        ))}
      </dl>
      {gave === '' ? null : <p>Gave way: {gave}</p>}
    </footer>
  );
};
