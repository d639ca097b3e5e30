// The panel of formulas, with an engine that only notes what it is asked.

import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Formulas as All, Checked, Command, Minimum } from '../../src/engine/border';
import type { Ask } from '../../src/engine/messages';

const actions = await import('../../src/actions');
const { fieldOf, formulas, textAt } = await import('../../src/formulas');
const { Formulas } = await import('../../src/panel/formulas');
const { NumberField } = await import('../../src/panel/number_field');

const ALL: All = {
  parameters: [
    { name: 'L', value: 0.5, range: [0.05, 1], used_by: ['bodies.crank.length'], help: 'a length' },
    { name: 'w', text: '=L/5', value: 0.1, range: [0.01, 0.2], used_by: [] },
  ],
  texts: [{ field: 'bodies.crank.length', text: '=L', value: 0.5 }],
  relations: [
    { joint: 'far', text: 'tip.x <= 1', sense: 'limit', error: 0, enabled: true },
    { joint: 'goal', text: 'minimize tip.y^2', sense: 'objective', error: 0.25, slope: 1, enabled: true },
  ],
  quantities: [],
  graph: [],
  at_bounds: [{ joint: 'far', force: 3 }],
  numbers: [{ body: 'design', name: 'a', value: 0.6, range: [-0.6, 1.8] }],
};

let sent: Command[] = [];
let checked: Checked = {};
let refuses: string | null = null;
let found: Minimum = { outcome: 'minimum', steps: 4, slope: 2e-10, open_m: 0 };

/** An objective with more than its text. */
const ENTRY = { name: 'goal', type: 'formula', is: 'minimize tip.y^2', breaks_at: 9 };

beforeEach(() => {
  sent = [];
  checked = { value: 1 };
  refuses = null;
  formulas.value = ALL;
  vi.spyOn(actions.engine, 'ask').mockImplementation(((ask: Ask) => {
    if (ask.type === 'check') return Promise.resolve(checked);
    if (ask.type === 'minimize') return Promise.resolve(found);
    if (ask.type === 'entry') return Promise.resolve(ENTRY);
    if (ask.type !== 'apply') return Promise.resolve(null);
    if (refuses !== null) return Promise.reject(new Error(refuses));
    sent.push(...ask.commands);
    return Promise.resolve(null);
  }) as typeof actions.engine.ask);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const type = (label: string, text: string): HTMLInputElement => {
  const field = screen.getByLabelText(label) as HTMLInputElement;
  fireEvent.input(field, { target: { value: text } });
  return field;
};

test('fields are called as settings call them', () => {
  expect(fieldOf('bodies', 'crank', ['size', 0])).toBe('bodies.crank.size[0]');
  expect(fieldOf('joints', 'pin "2".b', ['a', 'point', 1])).toBe('joints."pin \\"2\\".b".a.point[1]');
  expect(fieldOf('world', null, ['gravity', 1])).toBe('world.gravity[1]');
  expect(textAt('bodies.crank.length')).toBe('=L');
  expect(textAt('bodies.crank.mass')).toBeNull();
});

test('values are typed as numbers and as expressions', async () => {
  render(<Formulas />);
  for (const [text, value] of [
    ['0,75', 0.75],
    ['=2w', '=2w'],
    ['2w', '=2w'],
  ] as const) {
    const field = type('value of L', text);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('false'));
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(sent.at(-1)).toEqual({ set_parameter: { name: 'L', value } }));
  }
  // An expression has no slider.
  expect(screen.queryByLabelText('slider of w')).toBeNull();
});

test('a slider is one edit, however far it goes', async () => {
  render(<Formulas />);
  const slider = screen.getByLabelText('slider of L');
  fireEvent.input(slider, { target: { value: '0.6' } });
  await waitFor(() => expect(sent).toHaveLength(1));
  fireEvent.input(slider, { target: { value: '0.7' } });
  await waitFor(() => expect(sent).toHaveLength(3));
  const set = (value: number): Command => ({ set_parameter: { name: 'L', value } });
  expect(sent).toEqual([set(0.6), 'undo', set(0.7)]);
});

test('a mistake is marked, and nothing applies until it is mended', async () => {
  checked = {
    mistake: { message: '"q" is not known', start: 1, end: 2, mended: ['=L'], unknown: 'q' },
  };
  render(<Formulas />);
  const field = type('value of w', '=q');
  await waitFor(() => expect(document.querySelector('.mistake mark')?.textContent).toBe('q'));
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByText('Make q a parameter'));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        together: [{ set_parameter: { name: 'q', value: 1 } }, { set_parameter: { name: 'w', value: '=q' } }],
      },
    ]),
  );
});

test('a parameter in use is removed only with the values kept', async () => {
  refuses = 'remove_parameter.name: "L" is used by bodies.crank.length\n  hint: change them first';
  render(<Formulas />);
  fireEvent.click(screen.getByLabelText('Remove L'));
  await waitFor(() => expect(screen.getByText(/is used by bodies.crank.length/)).toBeTruthy());
  refuses = null;
  fireEvent.click(screen.getByText('Remove, and keep the values'));
  await waitFor(() => expect(sent).toEqual([{ remove_parameter: { name: 'L', keep_values: true } }]));
});

test('a number is pulled by a hand that lets go at the end', async () => {
  render(<Formulas />);
  const slider = screen.getByLabelText('pull design.a');
  fireEvent.input(slider, { target: { value: '0.9' } });
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[0]).toEqual({
    grab: { name: 'slider', held: { body: 'design', scalar: 'a' }, drag: { type: 'follow' } },
  });
  expect(sent[2]).toEqual({ pose: {} });
  fireEvent.change(slider);
  await waitFor(() => expect(sent.at(-1)).toEqual({ release: 'slider' }));
});

test('a field of the inspector shows its text and takes one', async () => {
  const edits: unknown[] = [];
  const edit = (value: number | null): Promise<null> => {
    edits.push(value);
    return Promise.resolve(null);
  };
  const written: unknown[] = [];
  const write = (to: string | number): Promise<null> => {
    written.push(to);
    return Promise.resolve(null);
  };
  render(<NumberField label="length" unit="m" limit="positive" value={0.5} edit={edit} text="=L" write={write} />);
  const field = type('length, m', '=2L');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(written).toEqual(['=2L']));
  // A number in its place, even if it is what the text comes to.
  type('length, m', '0.5');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(written).toEqual(['=2L', 0.5]));
  expect(edits).toEqual([]);
});

test('a field of the inspector offers to make a name that is not known a parameter', async () => {
  checked = { mistake: { message: '"k" is not known', start: 1, end: 2, mended: [], unknown: 'k' } };
  const refused = (): Promise<null> => Promise.reject(new Error('bodies.crank.mass: "k" is not known'));
  const made: string[][] = [];
  const make = (...of: string[]): Promise<null> => {
    made.push(of);
    return Promise.resolve(null);
  };
  render(<NumberField label="mass" unit="kg" value={1} edit={refused} write={refused} make={make} />);
  fireEvent.keyDown(type('mass, kg', '=k'), { key: 'Enter' });
  await waitFor(() => expect(screen.getByText('"k" is not known')).toBeTruthy());
  fireEvent.click(screen.getByText('Make k a parameter'));
  await waitFor(() => expect(screen.queryByText('"k" is not known')).toBeNull());
  expect(made).toEqual([['k', '=k']]);
});

test('objectives are apart from what is held, and say what pushes back', () => {
  render(<Formulas />);
  expect(screen.getByText('now 0.25')).toBeTruthy();
  expect(screen.getByText('At its bound: far, pushing with 3')).toBeTruthy();
  expect(screen.getByText('far · limit · holds')).toBeTruthy();
});

test('a text that changes leaves the other fields of its joint', async () => {
  render(<Formulas />);
  const field = type('formula of goal', 'minimize tip.y^4');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(sent).toEqual([{ set_joint: { ...ENTRY, is: 'minimize tip.y^4' } }]));
});

test('an objective is switched off and on', async () => {
  render(<Formulas />);
  fireEvent.click(screen.getByLabelText('goal'));
  await waitFor(() => expect(sent).toEqual([{ set_joint: { ...ENTRY, enabled: false } }]));
});

test('a search says how it ended', async () => {
  render(<Formulas />);
  fireEvent.click(screen.getByText('Minimize'));
  await waitFor(() => expect(screen.getByText(/At a minimum after 4 steps/)).toBeTruthy());
  found = { outcome: 'open', steps: 1, slope: 1, open_m: 0.1 };
  fireEvent.click(screen.getByText('Minimize'));
  await waitFor(() => expect(screen.getByText(/open by 0.1 m/)).toBeTruthy());
});
