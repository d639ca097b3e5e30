// How exact the motion is and what that costs: a dial first, every option below it.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Entry } from '../engine/words';
import { pulse } from '../now';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { world } from '../world';
import { atStop, ITERATED, STOPS, stopOf, withMethod, withPreset, withStabilization } from './accuracy';
import { type Field, numberAt, withValue } from './fields';
import { short } from './format';
import { NumberField } from './number_field';

const DYNAMICS: [string, string, string][] = [
  ['second-order', 'Dynamics', 'Forces make accelerations: things swing, and go on by themselves'],
  ['first-order', 'First order', 'Forces make velocities: everything stops when they do'],
  ['assembly', 'Assemble', 'Forces do nothing: joints are closed, and hands move things'],
];

const METHODS: [string, string][] = [
  ['direct', 'Trees and loops in one exact factor'],
  ['forest-dense', 'Trees exact, loops by a dense factor (Baraff)'],
  ['forest-krylov', 'Trees exact, loops iterated (Faure 1999)'],
  ['normal-dense', 'One dense factor (Witkin, Metaxas)'],
  ['normal-cg', 'All iterated by conjugate gradients (Faure 1998)'],
];

const PRESETS: [string, string][] = [
  ['interactive', 'For hands and eyes: closed at every frame, splits frames where motion whips'],
  ['precise', 'For numbers: error control inside the frame'],
  ['symplectic4', 'For long runs: fixed steps of fourth order'],
  ['parts', 'An integrator and a stabilisation of the papers'],
];

const INTEGRATORS: [string, string][] = [
  ['euler', 'Forward Euler'],
  ['symplectic-euler', 'Semi-implicit Euler'],
  ['rk4', 'Runge and Kutta, fourth order'],
  ['stoermer', 'Störmer'],
];

const STABILIZATIONS: [string, string][] = [
  ['none', 'None: joints drift open'],
  ['post', 'Positions and velocities are put right after each step'],
  ['feedback', 'A feedback force pulls joints closed (Witkin)'],
  ['baumgarte', 'Errors decay in time (Baumgarte)'],
  ['displacement', 'Displacements close joints (Faure)'],
];

interface PickProps {
  label: string;
  value: string;
  options: [string, string][];
  set: (value: string) => void;
}

const Pick = ({ label, value, options, set }: PickProps) => (
  <div class="field">
    <label>
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([own, means]) => (
          <option key={own} value={own} title={means}>
            {own.replaceAll('-', ' ')}
          </option>
        ))}
      </select>
    </label>
    <p class="quiet">{options.find(([own]) => own === value)?.[1]}</p>
  </div>
);

const fieldsOf = (of: Entry): Field[] => {
  const iterated = ITERATED.includes(String(of.method));
  return [
    { path: ['dt'], label: 'frame', unit: 'ms', limit: 'positive', scale: 1000, absent: 1 / 60 },
    { path: ['tolerance'], label: 'closed to', unit: 'm', limit: 'positive', absent: 1e-9 },
    { path: ['iterations'], label: 'iterations', unit: 'a frame', limit: 'positive', whole: true, absent: 'enough' },
    ...(iterated
      ? ([
          {
            path: ['solve_iterations'],
            label: 'iterations',
            unit: 'a solve',
            limit: 'positive',
            whole: true,
            absent: 'enough',
          },
          { path: ['solve_tolerance'], label: 'solved to', unit: 'relative', limit: 'positive', absent: 'default' },
        ] satisfies Field[])
      : []),
    ...(of.preset === 'precise'
      ? ([
          { path: ['step_tolerance'], label: 'step error', unit: 'm', limit: 'positive', absent: 1e-9 },
        ] satisfies Field[])
      : []),
  ];
};

/** What the present choice costs and gives. */
const Effect = () => {
  // Calmly: the certificate changes with every frame.
  void pulse.value;
  const of = state.certificate.peek();
  const took = state.stepTime.peek();
  const facts: [string, string][] = [
    ['iterations', of === null ? '–' : String(of.iterations)],
    ['joints open by', of === null ? '–' : `${short(of.residual)} m`],
    ['a step takes', took === null ? '–' : `${took.toFixed(2)} ms`],
  ];
  return (
    <dl class="facts" aria-label="Effect">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-effect={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

export const Exactness = () => {
  const of = world.value;
  const [words, setWords] = useState<string | null>(null);
  const series = useRef<Series | null>(null);
  if (of === null)
    return (
      <section aria-label="Exactness">
        <p class="quiet">No scene is open.</p>
      </section>
    );
  const set = (next: Entry): void => {
    actions.engine.apply({ set_world: next }).then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  const stop = stopOf(of);
  const turn = (to: number): void => {
    series.current ??= new Series((...commands) => actions.engine.apply(...commands), setWords);
    series.current.put({ set_world: atStop(of, to) });
  };
  const dynamics = String(of.dynamics ?? 'second-order');
  const preset = String(of.preset ?? 'interactive');
  const stabilization = (of.stabilization ?? {}) as Entry;
  return (
    <section aria-label="Exactness" class="exactness">
      <label class="dial">
        <span>
          Accuracy: <strong>{STOPS[stop]?.name ?? 'own settings'}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={STOPS.length - 1}
          step={1}
          aria-label="Accuracy"
          aria-valuetext={STOPS[stop]?.name ?? 'own settings'}
          // A world of its own is shown in the middle: any move of the dial is a choice.
          value={stop < 0 ? 2 : stop}
          onInput={(event) => turn(Number(event.currentTarget.value))}
          onChange={() => {
            series.current = null;
          }}
        />
        <span class="ends">
          <span>fast</span>
          <span>exact</span>
        </span>
      </label>
      <p class="quiet">{STOPS[stop]?.does ?? 'The options below were chosen one by one.'}</p>
      <Effect />
      <div class="switch" role="radiogroup" aria-label="What forces do">
        {DYNAMICS.map(([value, title, means]) => (
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={dynamics === value}
            title={means}
            onClick={() => set({ ...of, dynamics: value })}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="quiet">{DYNAMICS.find(([value]) => value === dynamics)?.[2]}</p>
      <div class="buttons">
        <button type="button" onClick={actions.assemble} title="Closes all joints at once">
          Assemble now
        </button>
      </div>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
      <fieldset>
        <legend>How steps are taken</legend>
        <Pick label="preset" value={preset} options={PRESETS} set={(value) => set(withPreset(of, value))} />
        {preset === 'parts' ? (
          <>
            <Pick
              label="integrator"
              value={String(of.integrator)}
              options={INTEGRATORS}
              set={(value) => set({ ...of, integrator: value })}
            />
            <Pick
              label="stabilisation"
              value={String(stabilization.type ?? 'post')}
              options={STABILIZATIONS}
              set={(value) => set(withStabilization(of, value))}
            />
          </>
        ) : null}
        <Pick
          label="method"
          value={String(of.method ?? 'direct')}
          options={METHODS}
          set={(value) => set(withMethod(of, value))}
        />
        {fieldsOf(of).map((field) => (
          <NumberField
            key={field.path.join(' ')}
            {...field}
            value={numberAt(of, field.path)}
            edit={(value) => ({ set_world: withValue(of, field.path, value ?? undefined) })}
          />
        ))}
      </fieldset>
    </section>
  );
};
