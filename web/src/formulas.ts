// Parameters, texts in place of numbers, relations and numbers, as they are now.

import { signal } from '@preact/signals';
import * as actions from './actions';
import type { Checked, Command, Formulas, NumberLook } from './engine/border';
import { latest } from './latest';
import { pulse } from './now';
import * as state from './state';

const NONE: Formulas = {
  parameters: [],
  texts: [],
  relations: [],
  at_bounds: [],
  numbers: [],
  quantities: [],
  graph: [],
};

export const formulas = signal<Formulas>(NONE);

/** The last values of wishes and objectives, by joint. */
export const trends = signal<ReadonlyMap<string, readonly number[]>>(new Map());
const TREND = 60;

const follow = ({ relations }: Formulas): void => {
  const sought = relations.filter(({ slope }) => slope !== undefined);
  const trend = (joint: string, now: number): number[] => [...(trends.value.get(joint) ?? []), now].slice(-TREND);
  trends.value = new Map(sought.map(({ joint, error }) => [joint, trend(joint, error)]));
};

const look = latest(async () => {
  try {
    formulas.value = await actions.engine.ask({ type: 'formulas' });
    follow(formulas.value);
  } catch {
    // No scene is open.
    formulas.value = NONE;
  }
});

actions.onTold((message) => {
  if (message.type === 'look') void look();
});

/** The numbers of the body that is selected. */
export const numbersOfSelected = (): NumberLook[] => {
  const { kind, name } = state.selection.value ?? {};
  return kind === 'body' ? formulas.value.numbers.filter(({ body }) => body === name) : [];
};

// Errors and numbers change by themselves; nobody sees them elsewhere.
pulse.subscribe(() => {
  const { relations, numbers, quantities } = formulas.value;
  const inPanel = relations.length + numbers.length + quantities.length;
  const isSeen = state.tab.value === 'formulas' ? inPanel > 0 : numbersOfSelected().length > 0;
  if (isSeen) void look();
});

/** A name in a path: in quotes where it needs them. */
const segment = (name: string): string =>
  /^[\p{L}\p{N}_-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;

/** The field of an entry, as texts and settings call it: `bodies.crank.size[0]`. */
export const fieldOf = (list: string, name: string | null, path: readonly (string | number)[]): string =>
  [list, ...(name === null ? [] : [segment(name)])].join('.') +
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${segment(key)}`)).join('');

/** The text that a field is, if it is one. */
export const textAt = (field: string): string | null =>
  formulas.value.texts.find((own) => own.field === field)?.text ?? null;

/** What a text comes to that is being typed. */
export const check = (typed: string): Promise<Checked> => actions.engine.ask({ type: 'check', typed });

/** A name that is free, for a new parameter. */
export const freeName = (): string => {
  const taken = new Set([
    ...formulas.value.parameters.map(({ name }) => name),
    ...(state.look.value?.bodies ?? []).map(({ name }) => name),
  ]);
  const letters = ['L', 'w', 'h', 'r', 'a', 'b', 'c', 'd', 'k', 'm', 'n', 's'];
  const free = letters.find((own) => !taken.has(own));
  if (free !== undefined) return free;
  let number = 1;
  while (taken.has(`p${number}`)) number += 1;
  return `p${number}`;
};

/** An edit that needs a parameter that is not there yet: both are one. */
export const withParameter = (name: string, command: Command): Promise<unknown> =>
  actions.engine.apply({ together: [{ set_parameter: { name, value: 1 } }, command] });
