// How exact the motion is and what that costs: a dial first, every option below it.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { WorldEntry } from '../engine/border';
import type { DynamicsKind, IntegratorKind, MethodKind, PresetKind, StabilizationKind } from '../engine/messages';
import { pulse } from '../now';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { world } from '../world';
import { atStop, isIterated, STOPS, stopOf, withMethod, withPreset, withStabilization } from './accuracy';
import { type Field, numberAt, withValue } from './fields';
import { short } from './format';
import { NumberField } from './number_field';

const DYNAMICS: Record<DynamicsKind, { title: string; means: string }> = {
  'second-order': { title: 'Dynamics', means: 'Forces make accelerations: things swing, and go on by themselves' },
  'first-order': { title: 'First order', means: 'Forces make velocities: everything stops when they do' },
  assembly: { title: 'Assemble', means: 'Forces do nothing: joints are closed, and hands move things' },
};

const METHODS: Record<MethodKind, string> = {
  direct: 'Trees and loops in one exact factor',
  'forest-dense': 'Trees exact, loops by a dense factor (Baraff)',
  'forest-krylov': 'Trees exact, loops iterated (Faure 1999)',
  'normal-dense': 'One dense factor (Witkin, Metaxas)',
  'normal-cg': 'All iterated by conjugate gradients (Faure 1998)',
};

const PRESETS: Record<PresetKind, string> = {
  interactive: 'For hands and eyes: closed at every frame, splits frames where motion whips',
  precise: 'For numbers: error control inside the frame',
  symplectic4: 'For long runs: fixed steps of fourth order',
  parts: 'An integrator and a stabilization of the papers',
};

const INTEGRATORS: Record<IntegratorKind, string> = {
  euler: 'Forward Euler',
  'symplectic-euler': 'Semi-implicit Euler',
  rk4: 'Runge and Kutta, fourth order',
  stoermer: 'Störmer',
};

const STABILIZATIONS: Record<StabilizationKind, string> = {
  none: 'None: joints drift open',
  post: 'Positions and velocities are put right after each step',
  feedback: 'A feedback force pulls joints closed (Witkin)',
  baumgarte: 'Errors decay in time (Baumgarte)',
  displacement: 'Displacements close joints (Faure)',
};

/** The words of a closed set, in the order of their table. */
const wordsIn = <Word extends string>(table: Record<Word, unknown>): Word[] => Object.keys(table) as Word[];

interface PickProps<Word extends string> {
  label: string;
  value: Word;
  /** What each choice means. */
  options: Record<Word, string>;
  set: (value: Word) => void;
}

const Pick = <Word extends string>({ label, value, options, set }: PickProps<Word>) => (
  <div class="field">
    <label>
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={(event) => set(event.currentTarget.value as Word)}>
        {wordsIn(options).map((own) => (
          <option key={own} value={own} title={options[own]}>
            {own.replaceAll('-', ' ')}
          </option>
        ))}
      </select>
    </label>
    <p class="quiet">{options[value]}</p>
  </div>
);

const fieldsOf = (of: WorldEntry): Field[] => {
  const iterated = isIterated(of.method);
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
    ['joints open by', of === null ? '–' : `${short(of.residual_m)} m`],
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
  const series = useRef<Series<WorldEntry> | null>(null);
  if (of === null)
    return (
      <section aria-label="Exactness">
        <p class="quiet">No scene is open.</p>
      </section>
    );
  const set = (next: WorldEntry): void => {
    actions.engine.apply({ set_world: next }).then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  const stop = stopOf(of);
  const turn = (to: number): void => {
    series.current ??= new Series((set_world, again) => actions.change({ set_world }, again), setWords);
    series.current.put(atStop(of, to));
  };
  const dynamics = of.dynamics ?? 'second-order';
  const preset = of.preset ?? 'interactive';
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
        {wordsIn(DYNAMICS).map((value) => (
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={dynamics === value}
            title={DYNAMICS[value].means}
            onClick={() => set({ ...of, dynamics: value })}
          >
            {DYNAMICS[value].title}
          </button>
        ))}
      </div>
      <p class="quiet">{DYNAMICS[dynamics].means}</p>
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
              value={of.integrator ?? 'rk4'}
              options={INTEGRATORS}
              set={(value) => set({ ...of, integrator: value })}
            />
            <Pick
              label="stabilization"
              value={of.stabilization?.type ?? 'post'}
              options={STABILIZATIONS}
              set={(value) => set(withStabilization(of, value))}
            />
          </>
        ) : null}
        <Pick
          label="method"
          value={of.method ?? 'direct'}
          options={METHODS}
          set={(value) => set(withMethod(of, value))}
        />
        {fieldsOf(of).map((field) => (
          <NumberField
            key={field.path.join(' ')}
            {...field}
            value={numberAt(of, field.path)}
            edit={(value, again) => actions.change({ set_world: withValue(of, field.path, value ?? undefined) }, again)}
          />
        ))}
      </fieldset>
    </section>
  );
};
