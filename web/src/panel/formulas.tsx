// Formulas: parameters with sliders, numbers that are texts over them, relations, and numbers that can be pulled.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import type {
  Checked,
  Command,
  GraphNode,
  NumberLook,
  ParameterLook,
  QuantityLook,
  RelationLook,
  TextLook,
} from '../engine/border';
import { check, formulas, freeName, withParameter } from '../formulas';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { Curves } from './curves';
import { DataOfScene } from './data';
import { short } from './format';
import { FormulaText } from './formula_text';
import { Graph } from './graph';
import { NameField } from './name_field';
import { NumberRow } from './number_row';
import { isSought, Objectives } from './objectives';
import { PullSlider } from './pull_slider';
import { NewRelation, RelationText } from './relation_text';
import { RemoveButton } from './remove_button';

/** A number that is typed or a text over parameters: a number is given as it is. */
const given = (typed: string): number | string => {
  const number = Number(typed.replace(',', '.'));
  return typed.trim() !== '' && Number.isFinite(number) ? number : typed;
};

/** What is typed where a number stands: numbers too, and texts without their sign. */
const asText = (typed: string): string => (typed.trim().startsWith('=') ? typed.trim() : `=${typed.trim()}`);
const value = (typed: string): number | string => {
  const own = given(typed);
  return typeof own === 'number' ? own : asText(typed);
};

/** Checks what stands for a number; places are those of what was typed. */
const checkNumber = async (typed: string): Promise<Checked> => {
  const text = asText(typed);
  const shift = text.length - typed.length;
  const checked = await check(text);
  const { mistake } = checked;
  if (mistake === undefined || shift <= 0) return checked;
  const back = (at: number): number => Math.max(at - shift, 0);
  return { ...checked, mistake: { ...mistake, start: back(mistake.start), end: back(mistake.end) } };
};

interface SliderProps {
  label: string;
  value: number;
  range: [number, number];
  put: (value: number, again: boolean) => Promise<unknown>;
  told: (words: string | null) => void;
}

/** A power of ten, of which some hundreds go into a range: what a slider stops at can be read. */
const niceStep = (span: number): number => 10 ** (Math.floor(Math.log10(span)) - 2);

/** A slider whose whole way is one edit. */
const Slider = ({ label, value: now, range: [low, high], put, told }: SliderProps) => {
  const series = useRef<Series<number> | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const step = niceStep(high - low);
  const below = (own: number): number => Number((Math.floor(own / step) * step).toPrecision(9));
  return (
    <input
      type="range"
      aria-label={label}
      min={below(Math.min(low, now))}
      max={Math.max(high, now)}
      step={step}
      value={shown ?? now}
      aria-valuetext={short(shown ?? now)}
      onInput={(event) => {
        const to = Number(event.currentTarget.valueAsNumber.toPrecision(9));
        setShown(to);
        series.current ??= new Series(put, told);
        series.current.put(to);
      }}
      onChange={() => {
        series.current = null;
        setShown(null);
      }}
    />
  );
};

const ParameterRow = ({ of }: { of: ParameterLook }) => {
  const [words, setWords] = useState<string | null>(null);
  const [isUsed, setUsed] = useState(false);
  const { name } = of;
  const set = (to: number | string, again = false): Promise<unknown> =>
    actions.change({ set_parameter: { name, value: to } }, again);
  const remove = (keep_values: boolean): void => {
    actions.engine.apply({ remove_parameter: { name, keep_values } }).then(
      () => setWords(null),
      (error: unknown) => {
        setWords(wordsOf(error).split('\n')[0] ?? '');
        setUsed(of.used_by.length > 0);
      },
    );
  };
  const rename = (to: string): Promise<unknown> => actions.engine.apply({ rename_parameter: { name, to } });
  return (
    <li class="parameter" data-parameter={name}>
      <div class="row">
        <NameField name={name} rename={rename} told={setWords} />
        <FormulaText
          label={`value of ${name}`}
          value={of.text ?? String(of.value)}
          checks={checkNumber}
          put={(typed) => set(value(typed))}
          make={(unknown, typed) => withParameter(unknown, { set_parameter: { name, value: value(typed) } })}
          margin={of.text === undefined ? undefined : `= ${short(of.value)}`}
        />
        <button type="button" class="small" aria-label={`Remove ${name}`} onClick={() => remove(false)}>
          ×
        </button>
      </div>
      {of.text === undefined ? (
        <Slider label={`slider of ${name}`} value={of.value} range={of.range} put={set} told={setWords} />
      ) : null}
      <p class="quiet" title={of.used_by.join(', ')}>
        {[of.help, used(of.used_by.length)].filter((own) => own !== undefined).join(' · ')}
      </p>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
      {words !== null && isUsed ? (
        <div class="buttons">
          <button type="button" onClick={() => remove(true)}>
            Remove, and keep the values
          </button>
        </div>
      ) : null}
    </li>
  );
};

const used = (n: number): string => (n === 0 ? 'not used yet' : n === 1 ? 'used once' : `used ${n} times`);

const Parameters = ({ of }: { of: ParameterLook[] }) => (
  <section aria-labelledby="formulas-parameters">
    <h2 id="formulas-parameters">Parameters</h2>
    {of.length === 0 ? (
      <p class="quiet">Named numbers. Any number in the inspector may be a text over them: type =L/2 there.</p>
    ) : (
      <ul>
        {of.map((own) => (
          <ParameterRow key={own.name} of={own} />
        ))}
      </ul>
    )}
    <div class="buttons">
      <button
        type="button"
        disabled={state.look.value === null}
        onClick={() => void actions.edit({ set_parameter: { name: freeName(), value: 1 } })}
      >
        Add a parameter
      </button>
    </div>
  </section>
);

const TextRow = ({ of }: { of: TextLook }) => {
  const { field, text } = of;
  const command = (typed: string): Command => ({ set_field: { field, to: value(typed) } });
  return (
    <li data-field={field}>
      <p class="quiet">{field}</p>
      <FormulaText
        label={field}
        value={text}
        checks={checkNumber}
        put={(typed) => actions.engine.apply(command(typed))}
        make={(unknown, typed) => withParameter(unknown, command(typed))}
        margin={`= ${short(of.value)}`}
      />
    </li>
  );
};

const Texts = ({ of }: { of: TextLook[] }) =>
  of.length === 0 ? null : (
    <details>
      <summary>{of.length === 1 ? 'One number is a text' : `${of.length} numbers are texts`}</summary>
      <ul>
        {of.map((own) => (
          <TextRow key={own.field} of={own} />
        ))}
      </ul>
    </details>
  );

const RelationRow = ({ of }: { of: RelationLook }) => (
  <li data-relation={of.joint}>
    <div class="datum">
      <span class="quiet">
        {of.joint} · {of.sense === 'limit' ? 'limit' : 'held'} ·{' '}
        {of.error < 1e-9 ? 'holds' : `off by ${short(of.error)}`}
      </span>
      <RemoveButton name={of.joint} command={{ detach: of.joint }} />
    </div>
    <RelationText of={of} />
  </li>
);

const Relations = ({ of }: { of: RelationLook[] }) => (
  <section aria-labelledby="formulas-relations">
    <h2 id="formulas-relations">Relations</h2>
    {of.length === 0 ? <p class="quiet">Equations and inequalities between points and numbers of the scene.</p> : null}
    <ul>
      {of.map((own) => (
        <RelationRow key={own.joint} of={own} />
      ))}
    </ul>
    {state.look.value === null ? null : <NewRelation label="new relation" placeholder="left == right, left <= right" />}
  </section>
);

const Numbers = ({ of }: { of: NumberLook[] }) =>
  of.length === 0 ? null : (
    <section aria-labelledby="formulas-numbers">
      <h2 id="formulas-numbers">Numbers</h2>
      <p class="quiet">Sliders pull them against their joints.</p>
      <ul>
        {of.map((own) => (
          <NumberRow key={`${own.body} ${own.name}`} of={own} />
        ))}
      </ul>
    </section>
  );

const QuantityRow = ({ of }: { of: QuantityLook }) => {
  const { name, text, value: now, direction } = of;
  const command = (is: string): Command => ({
    set_quantity: { name, is, ...(direction === true ? { direction } : {}) },
  });
  const [number, ...more] = now;
  return (
    <li data-quantity={name}>
      <div class="datum">
        <span class="quiet">
          {name} = {more.length === 0 ? short(number ?? 0) : `[${now.map(short).join(', ')}]`}
        </span>
        <RemoveButton name={name} command={{ remove_quantity: name }} />
      </div>
      <FormulaText
        label={`formula of ${name}`}
        value={text}
        checks={() => Promise.resolve({})}
        put={(is) => actions.engine.apply(command(is))}
        make={(unknown, is) => withParameter(unknown, command(is))}
      />
      {number !== undefined && more.length === 0 ? <PullSlider name={name} value={number} held={name} /> : null}
    </li>
  );
};

/** A name that no quantity has. */
const freeQuantity = (of: readonly QuantityLook[]): string => {
  const taken = new Set(of.map(({ name }) => name));
  let number = 1;
  while (taken.has(`q${number}`)) number += 1;
  return `q${number}`;
};

const Quantities = ({ of }: { of: QuantityLook[] }) => {
  const add = (typed: string): Command => {
    const [, name, is] = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=\s*([^=].*)$/su.exec(typed) ?? [];
    return { add_quantity: { name: name ?? freeQuantity(of), is: is ?? typed } };
  };
  return (
    <section aria-labelledby="formulas-quantities">
      <h2 id="formulas-quantities">Quantities</h2>
      {of.length === 0 ? (
        <p class="quiet">
          Numbers and points computed from others. The slider of a quantity pulls everything that it depends on.
        </p>
      ) : null}
      <ul>
        {of.map((own) => (
          <QuantityRow key={own.name} of={own} />
        ))}
      </ul>
      {state.look.value === null ? null : (
        <FormulaText
          label="new quantity"
          value=""
          placeholder="name = formula"
          checks={() => Promise.resolve({})}
          put={(typed) => actions.engine.apply(add(typed))}
          make={(unknown, typed) => withParameter(unknown, add(typed))}
        />
      )}
    </section>
  );
};

const GraphOfFormulas = ({ of }: { of: GraphNode[] }) =>
  of.length === 0 ? null : (
    <section aria-labelledby="formulas-graph">
      <h2 id="formulas-graph">
        <button
          type="button"
          class="small"
          aria-expanded={state.graphShown.value}
          onClick={() => {
            state.graphShown.value = !state.graphShown.value;
          }}
        >
          {state.graphShown.value ? 'Hide' : 'Show'} who feeds whom
        </button>
      </h2>
      {state.graphShown.value ? <Graph of={of} /> : null}
    </section>
  );

export const Formulas = () => {
  const { parameters, texts, relations, numbers, at_bounds, quantities, graph } = formulas.value;
  return (
    <section aria-label="Formulas" class="formulas">
      <Parameters of={parameters} />
      <Texts of={texts} />
      <Curves />
      <Relations of={relations.filter((own) => !isSought(own))} />
      <Objectives of={relations.filter(isSought)} bounds={at_bounds} />
      <Quantities of={quantities} />
      <Numbers of={numbers} />
      <GraphOfFormulas of={graph} />
      <DataOfScene />
    </section>
  );
};
