// Curves that are typed, each by its formula.

import * as actions from '../actions';
import { usualMass } from '../build/parts';
import { curveOf } from '../curves';
import { calm, freeWord } from '../data';
import type { BodyEntry, BodyLook } from '../engine/border';
import { withoutPose } from '../engine/change';
import type { AnyBody } from '../engine/messages';
import { formulas } from '../formulas';
import * as state from '../state';
import { FormulaText } from './formula_text';
import { useEntry } from './use_entry';

const UNCHECKED = (): Promise<object> => Promise.resolve({});

/** Names that are not a curve's own. */
const known = (): Set<string> => {
  const { parameters, quantities } = formulas.value;
  return new Set([...parameters, ...quantities, ...(state.look.value?.bodies ?? [])].map(({ name }) => name));
};

const add = async (typed: string): Promise<void> => {
  const { look } = state;
  if (look.value === null) return;
  const { name, ...curve } = curveOf(typed, known());
  const own = freeWord(name ?? 'graph');
  const body = { name: own, type: 'formula', ...curve, mass: usualMass(look.value) } as BodyEntry;
  await actions.engine.apply({ together: [...(await calm()), { add_body: body }] });
  state.selection.value = { kind: 'body', name: own };
};

const CurveRow = ({ of: { name } }: { of: BodyLook }) => {
  const entry = useEntry('body', name) as AnyBody | null;
  if (entry?.curve === undefined) return null;
  const { names = [], values = [], q = values } = entry;
  const put = async (typed: string): Promise<void> => {
    const before = new Map(names.map((own, k) => [own, q[k] ?? 1]));
    const { name: _name, ...curve } = curveOf(typed, known(), before);
    const { closed: _closed, u: _u, ...rest } = entry;
    await actions.engine.apply({ set_body: withoutPose({ ...rest, ...curve } as BodyEntry) });
  };
  return (
    <li data-curve={name}>
      <p class="quiet">{name}</p>
      <FormulaText label={`formula of ${name}`} value={entry.curve} checks={UNCHECKED} put={put} />
    </li>
  );
};

export const Curves = () => {
  const look = state.look.value;
  if (look === null) return null;
  const all = look.bodies.filter(({ type }) => type === 'formula');
  return (
    <section aria-labelledby="formulas-curves">
      <h2 id="formulas-curves">Curves</h2>
      {all.length === 0 ? (
        <p class="quiet">Points by a number u. Other names become numbers of the curve, which can be pulled.</p>
      ) : null}
      <ul>
        {all.map((own) => (
          <CurveRow key={own.name} of={own} />
        ))}
      </ul>
      <FormulaText
        label="new curve"
        value=""
        placeholder="[a*cos(u), b*sin(u)], y = x^2"
        checks={UNCHECKED}
        put={add}
      />
    </section>
  );
};
