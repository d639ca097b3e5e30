// Panels that say what a scene is: with an engine that only notes what it is asked.

import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Certificate, Command, FieldInfo, Findings, Look, Quantity, WorldEntry } from '../../src/engine/border';
import { choicesOf, worldField } from '../../src/engine/catalogue';
import { commandOf, withValue } from '../../src/engine/change';
import type { Told } from '../../src/engine/client';
import type { Ask, Entry } from '../../src/engine/messages';
import { withSteps } from '../../src/engine/options';

vi.mock('uplot', () => ({
  default: class {
    setData = vi.fn();
    setSize = vi.fn();
    destroy = vi.fn();
  },
}));
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = vi.fn();
    disconnect = vi.fn();
  },
);

const actions = await import('../../src/actions');
const state = await import('../../src/state');
const { pulse } = await import('../../src/now');
const { world } = await import('../../src/world');
const { Tree, rowsOf } = await import('../../src/panel/tree');
const { Inspector } = await import('../../src/panel/inspector');
const { Exactness } = await import('../../src/panel/exactness');
const { Diagnosis } = await import('../../src/panel/diagnosis');
const { CertificateLine, Notes } = await import('../../src/panel/certificate_line');
const { Plots } = await import('../../src/panel/plots');
const { choose, chosen, recording } = await import('../../src/recording');
const { NumberField, dragged } = await import('../../src/panel/number_field');

const body = (name: string, enabled = true) => ({
  name,
  id: 0,
  type: 'rod' as const,
  planar: false,
  turns: true,
  deforms: false,
  movable: true,
  enabled,
  mass: 1,
  color: null,
  parts: [],
});

const look: Look = {
  name: 'test',
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat: false,
  camera: null,
  extent: 2,
  ground: [],
  bodies: [body('crank'), body('<i>rod</i>', false)],
  joints: [
    {
      id: 1,
      name: 'pin',
      type: 'hinge',
      enabled: true,
      ends: [
        { body: null, point: [0, 0, 0] },
        { body: 0, point: [0, 0, 0] },
      ],
      axis: [0, 0, 1],
    },
  ],
  behaviors: [{ id: 1, name: 'wind', type: 'force', enabled: true, ends: [] }],
  traces: [{ name: 'path', color: null, at: { body: 0, point: [1, 0, 0] } }],
  skins: [],
};

const certificate: Certificate = {
  time_s: 2,
  rows: 5,
  loops: 0,
  iterations: 3,
  substeps: 1,
  rungs: [{ rung: 'whole', about: 'the frame in one step', cause: null, count: 1, damps: false }],
  stiffest: null,
  ended: 'tolerance',
  residual_m: 1e-10,
  worst: 'pin',
  gave_way: [],
  hands: [],
  events: [],
  energy: { kinetic_j: 1, potential_j: 2, elastic_j: 3, total_j: 6 },
  undo: 0,
  has_left_start: false,
  film_from_s: 0,
  film_until_s: 1,
  redo: 0,
};

/** Columns of what is watched: forces are vectors. */
const columnsOf = (names: string[]): Quantity[] => [
  { name: 'time', unit: 's', about: '' },
  ...names.flatMap((name) =>
    name.endsWith('.force')
      ? ['x', 'y'].map((axis) => ({ name: `${name}.${axis}`, unit: 'N', about: '' }))
      : [{ name, unit: 'J', about: '' }],
  ),
];

/** As if the worker said it. */
const tell = (message: Told): void => (actions.engine as unknown as { told: (message: Told) => void }).told(message);

/** Edits that were sent, in order. */
let sent: Command[][] = [];
/** Present values of quantities, by name. */
let now: Record<string, number> = {};
let entries: Record<string, Entry> = {};
let refuses: string | null = null;

beforeEach(() => {
  sent = [];
  now = {};
  refuses = null;
  entries = {
    'body crank': {
      name: 'crank',
      type: 'rod',
      length: 1,
      radius: 0.05,
      mass: 2,
      position: [0.5, 0, 0],
      velocity: [3, 4, 0],
    },
    'joint pin': {
      name: 'pin',
      type: 'hinge',
      a: { body: 'ground', point: [0, 0, 0] },
      b: { body: 'crank', point: [-0.5, 0, 0] },
    },
    'behavior wind': { name: 'wind', type: 'force', on: 'crank', force: [1, 0, 0] },
    'world ': { gravity: [0, -9.81, 0] },
  };
  vi.spyOn(actions.engine, 'ask').mockImplementation((ask: Ask) => {
    if (ask.type === 'apply') {
      sent.push(ask.commands);
      return refuses === null ? Promise.resolve(null) : Promise.reject(new Error(refuses));
    }
    if (ask.type === 'steps') {
      sent.push([{ set_world: withSteps(entries['world '] as WorldEntry, ask.options) }]);
      return Promise.resolve(null);
    }
    if (ask.type === 'field') {
      const of = `${ask.kind} ${ask.name}`;
      sent.push([commandOf(ask.kind, entries[of] as Entry, ask.path, ask.value)]);
      if (refuses !== null) return Promise.reject(new Error(refuses));
      entries[of] = withValue(entries[of] as Entry, ask.path, ask.value);
      return Promise.resolve(null);
    }
    if (ask.type === 'entry') {
      const entry = entries[`${ask.kind} ${ask.name}`];
      return entry === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(entry);
    }
    if (ask.type === 'watch') return Promise.resolve(columnsOf(ask.names));
    if (ask.type === 'values') return Promise.resolve(Float64Array.from(ask.names, (name) => now[name] ?? Number.NaN));
    if (ask.type === 'formulas')
      return Promise.resolve({
        parameters: [],
        texts: [],
        relations: [],
        at_bounds: [],
        numbers: [],
        quantities: [],
        graph: [],
      });
    return Promise.resolve([]);
  });
  state.look.value = look;
  state.certificate.value = certificate;
  state.selection.value = null;
  world.value = { gravity: [0, -9.81, 0] };
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const type = (field: HTMLElement, text: string): void => {
  fireEvent.input(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: 'Enter' });
};

test('rows have all the words, under headings with counts', () => {
  const names = (wanted: string) =>
    rowsOf(look, wanted).map((row) => ('heading' in row ? `${row.heading} ${row.count}` : row.name));
  expect(names('')).toEqual([
    'Bodies 2',
    'crank',
    '<i>rod</i>',
    'Joints 1',
    'pin',
    'Behaviors 1',
    'wind',
    'Traces 1',
    'path',
  ]);
  expect(names('HINGE p')).toEqual(['Joints 1', 'pin']);
  expect(names('zebra')).toEqual([]);
});

test('the tree shows names as text, quiet ones as off, and selects', async () => {
  render(<Tree />);
  expect(screen.getByRole('treeitem', { name: '<i>rod</i> off' }).className).toBe('off');
  fireEvent.click(screen.getByRole('treeitem', { name: /pin/ }));
  expect(state.selection.value).toEqual({ kind: 'joint', name: 'pin' });
  expect(await screen.findByRole('treeitem', { name: 'wind force' })).toBeTruthy();
  // A trace belongs to the body it rides on.
  fireEvent.click(screen.getByRole('treeitem', { name: /path/ }));
  expect(state.selection.value).toEqual({ kind: 'body', name: 'crank' });
});

test('keys go through the tree, close its headings and open them', async () => {
  render(<Tree />);
  const tree = screen.getByRole('tree');
  /** Presses a key; the text of the row where keys are then. */
  const at = async (key: string): Promise<string> => {
    await act(() => void fireEvent.keyDown(tree, { key }));
    return document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
  };
  expect(await at('ArrowDown')).toBe('Bodies2');
  expect(state.selection.value).toBe(null);
  expect(await at('ArrowRight')).toBe('crankrod');
  expect(state.selection.value).toEqual({ kind: 'body', name: 'crank' });
  expect(await at('End')).toBe('path');
  // Only the body it rides on could be selected, and the keys would be there.
  expect(state.selection.value).toEqual({ kind: 'body', name: 'crank' });
  expect(await at('Home')).toBe('Bodies2');
  expect(await at('ArrowLeft')).toBe('Bodies2');
  expect(screen.queryByRole('treeitem', { name: /crank/ })).toBe(null);
  expect(screen.getByRole('treeitem', { name: 'Bodies 2' }).getAttribute('aria-expanded')).toBe('false');
  expect(await at('ArrowDown')).toBe('Joints1');
  expect(await at('ArrowUp')).toBe('Bodies2');
  expect(await at('Enter')).toBe('Bodies2');
  expect(screen.getByRole('treeitem', { name: /crank/ }).getAttribute('aria-posinset')).toBe('1');
  await at('ArrowDown');
  expect(await at('ArrowDown')).toBe('<i>rod</i>off');
  expect(await at('ArrowLeft')).toBe('Bodies2');
  // What is looked for is found under headings that are closed.
  await at('ArrowLeft');
  fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'crank' } });
  expect(await screen.findByRole('treeitem', { name: /crank/ })).toBeTruthy();
});

test('of five thousand things only those in sight are made', () => {
  state.look.value = { ...look, bodies: Array.from({ length: 5000 }, (_, k) => body(`bar ${k}`)) };
  render(<Tree />);
  expect(screen.getAllByRole('treeitem').length).toBeLessThan(60);
  expect(screen.getByText('5000')).toBeTruthy();
});

test('a size goes by resize and a mass by set_body, without the pose, and neither takes the other back', async () => {
  state.selection.value = { kind: 'body', name: 'crank' };
  render(<Inspector />);
  type(await screen.findByLabelText('length, m'), '1.5');
  type(screen.getByLabelText('mass, kg'), '3,5');
  const bare = { name: 'crank', type: 'rod', length: 1, radius: 0.05, mass: 2 };
  expect(sent).toEqual([[{ resize: { ...bare, length: 1.5 } }], [{ set_body: { ...bare, length: 1.5, mass: 3.5 } }]]);
});

test('speed and rotation are those of the frame that is shown, and follow it', async () => {
  state.selection.value = { kind: 'body', name: 'crank' };
  now = { 'body.crank.speed': 5, 'body.crank.angular_speed': Math.PI };
  render(<Inspector />);
  expect(await screen.findByText('5 m/s')).toBeTruthy();
  expect(screen.getByText('180 °/s')).toBeTruthy();
  // Round-off is nothing; what the engine does not have is no number.
  now = { 'body.crank.speed': 1e-15 };
  act(() => {
    pulse.value += 1;
  });
  expect(await screen.findByText('0 m/s')).toBeTruthy();
  expect(screen.getByText('–')).toBeTruthy();
});

test('what is no number, or no mass, does not reach the engine', async () => {
  state.selection.value = { kind: 'body', name: 'crank' };
  render(<Inspector />);
  const mass = await screen.findByLabelText('mass, kg');
  for (const text of ['', 'NaN', 'Infinity', '-1', '0', 'heavy']) {
    type(mass, text);
    expect(screen.getByRole('status').textContent).toMatch(/needed|above 0/);
    expect((mass as HTMLInputElement).value).toBe('2');
  }
  expect(sent).toEqual([]);
});

test('a refusal is shown in the words of the engine', async () => {
  refuses = 'set_body.mass: is too heavy';
  state.selection.value = { kind: 'body', name: 'crank' };
  render(<Inspector />);
  type(await screen.findByLabelText('mass, kg'), '1e300');
  expect((await screen.findByRole('status')).textContent).toBe('mass: is too heavy');
});

test('a joint becomes another type where it is, and is driven from now on', async () => {
  state.selection.value = { kind: 'joint', name: 'pin' };
  render(<Inspector />);
  fireEvent.change(await screen.findByLabelText('type'), { target: { value: 'weld' } });
  const sides = { a: { body: 'ground', point: [0, 0, 0] }, b: { body: 'crank', point: [-0.5, 0, 0] } };
  expect(sent[0]).toEqual([{ set_joint: { name: 'pin', ...sides, type: 'weld' } }]);
  fireEvent.click(screen.getByRole('button', { name: 'Drive it' }));
  expect(sent[1]).toEqual([{ set_joint: { ...entries['joint pin'], motor: { speed: Math.PI / 2 } } }]);
  type(screen.getByLabelText('breaks at, N'), '50');
  expect(sent[2]).toEqual([{ set_joint: entries['joint pin'] }]);
  expect(entries['joint pin']).toMatchObject({ breaks_at: { force: 50 } });
});

test('a motor is no joint of its own where joints are counted', () => {
  const joints = look.joints.flatMap((own) => [own, { ...own, name: `${own.name} drive`, motor_of: own.name }]);
  state.look.value = { ...look, joints };
  state.selection.value = null;
  render(<Inspector />);
  expect(screen.getByText(/^2 bodies, 1 joint\. /)).toBeTruthy();
});

test('a behavior and the world are changed by their own commands', async () => {
  state.selection.value = { kind: 'behavior', name: 'wind' };
  render(<Inspector />);
  type(await screen.findByLabelText('force y, N'), '7');
  expect(sent[0]).toEqual([{ set_behavior: { name: 'wind', type: 'force', on: 'crank', force: [1, 7, 0] } }]);
  act(() => {
    state.selection.value = null;
  });
  type(screen.getByLabelText('gravity y, m/s²'), '0');
  expect(sent[1]).toEqual([{ set_world: { gravity: [0, 0, 0] } }]);
});

/** Each edit is made from the world as it is then: none takes back what was asked for before it. */
test('the dial and the choosers change one thing of the world', async () => {
  world.value = {
    gravity: [0, -1, 0],
    preset: 'parts',
    integrator: 'rk4',
    stabilization: { type: 'post', iterations: 10 },
  };
  entries['world '] = world.value;
  render(<Exactness />);
  expect(screen.getByLabelText('Accuracy').getAttribute('aria-valuetext')).toBe('own settings');
  fireEvent.change(screen.getByLabelText('preset'), { target: { value: 'precise' } });
  fireEvent.change(screen.getByLabelText('method'), { target: { value: 'normal-cg' } });
  fireEvent.click(screen.getByRole('radio', { name: 'First order' }));
  fireEvent.input(screen.getByLabelText('Accuracy'), { target: { value: '4' } });
  await waitFor(() => expect(sent).toHaveLength(4));
  const precise = { gravity: [0, -1, 0], preset: 'precise' };
  expect(sent.map(([first]) => (first as { set_world: Entry }).set_world)).toEqual([
    precise,
    { ...precise, method: 'normal-cg' },
    { ...precise, method: 'normal-cg', dynamics: 'first-order' },
    { ...precise, dynamics: 'first-order', tolerance: 1e-12 },
  ]);
});

test('every word of the engine is offered with its help, and numbers that belong to it are asked for', () => {
  world.value = { preset: 'parts', integrator: 'rk4', stabilization: { type: 'post', iterations: 10 } };
  const { container } = render(<Exactness />);
  for (const name of ['preset', 'integrator', 'stabilization', 'method'] as const) {
    const choices = choicesOf(worldField(name) as FieldInfo);
    expect(choices.length).toBeGreaterThan(2);
    const offered = [...(screen.getByLabelText(name) as HTMLSelectElement).options];
    expect(offered.map(({ value, title }) => [value, title])).toEqual(choices.map(({ word, help }) => [word, help]));
    for (const { word, help } of choices) {
      expect(help).toMatch(/\.$/);
      act(() => {
        world.value = { preset: 'parts', [name]: name === 'stabilization' ? { type: word } : word };
      });
      expect((screen.getByLabelText(name) as HTMLSelectElement).value).toBe(word);
      expect(container.textContent).toContain(help);
    }
  }
  const dynamics = choicesOf(worldField('dynamics') as FieldInfo);
  expect(screen.getAllByRole('radio').map(({ title }) => title)).toEqual(dynamics.map(({ help }) => help));

  // What is left out is shown as the engine says it.
  act(() => {
    world.value = { preset: 'parts', stabilization: { type: 'baumgarte' }, method: 'normal-cg' };
  });
  const value = (label: string): string => (screen.getByLabelText(label) as HTMLInputElement).value;
  expect(value('integrator')).toBe('rk4');
  expect(value('alpha, 1/s')).toBe('12');
  expect(value('iterations, a solve')).toBe('1000');
  expect(value('frame, ms')).toBe('16.6667');
  expect(value('closed to, m')).toBe('1e-9');
  expect(screen.queryByLabelText('step error, m')).toBeNull();
});

test('a diagnosis is words, and a click selects', () => {
  const findings: Findings = {
    mobility: 2,
    velocities: 12,
    rows: 9,
    rank: 8,
    closure: 'contradictory',
    redundant: [{ joint: 'D', rows: 3, with: ['A', 'B'], momentary: false }],
    contradictory: [{ joint: '<b>cord</b>', residual: 0.25, unit: 'm' }],
    undetermined: ['A'],
    held: [
      { of: ['stop'], rows: 1, shared: false },
      { of: ['ground', 'table'], rows: 4, shared: true },
    ],
    held_mobility: 1,
    overlaps: [
      { bodies: ['low', 'high'], depth_m: 0.05, collide: true },
      { bodies: ['low', 'arm'], depth_m: 0.03, collide: false },
    ],
    motions: [['crank'], ['rod', 'crank']],
  };
  state.findings.value = findings;
  const { container } = render(<Diagnosis />);
  expect(container.textContent).toContain('Can move in 2 ways. Some joints cannot be closed together.');
  expect(container.textContent).toContain('<b>cord</b> stays open by 0.25 m');
  expect(container.textContent).toContain('D repeats 3 things that A and B hold');
  expect(container.textContent).toContain('While these stay closed, 1 way to move is left. Friction is not counted.');
  expect(container.textContent).toContain('stop is at its stop');
  expect(container.textContent).toContain('low and high are in each other by 0.05 mContacts push them apart at once.');
  expect(container.textContent).toContain('low and arm are in each other by 0.03 mThey never collide');
  expect(container.textContent).toContain(
    'ground and table touch at 4 pointsStatics of rigid parts does not determine',
  );
  fireEvent.click(screen.getByRole('button', { name: 'A' }));
  expect(state.selection.value).toEqual({ kind: 'joint', name: 'A' });
  const ask = vi.mocked(actions.engine.ask);
  fireEvent.click(screen.getAllByRole('button', { name: 'Wiggle' })[1] as HTMLElement);
  expect(ask).toHaveBeenLastCalledWith({ type: 'wiggle', motion: 1 });
  act(() => {
    state.wiggling.value = 1;
  });
  fireEvent.click(screen.getAllByRole('button', { name: 'Wiggle' })[1] as HTMLElement);
  expect(ask).toHaveBeenLastCalledWith({ type: 'wiggle', motion: null });
  state.findings.value = null;
  state.wiggling.value = null;
});

test('the certificate splits energy, tells news, and points at open joints', () => {
  state.news.value = [
    { type: 'broke', joint: 'pin', force_n: 5, torque_nm: 0.25 },
    { type: 'closed', joint: 'cap' },
  ];
  const of: Certificate = { ...certificate, ended: 'open', residual_m: 0.1 };
  const { container } = render(
    <>
      <Notes of={of} fit={() => {}} />
      <CertificateLine of={of} stepTime={null} />
    </>,
  );
  expect(container.querySelector('[data-fact=energy]')?.parentElement?.title).toBe(
    'kinetic 1 J, potential 2 J, elastic 3 J',
  );
  expect(screen.getByText('pin broke at 5.000 N and 0.250 N·m; cap closed')).toBeTruthy();
  expect(container.querySelector('.hint')?.textContent).toContain('Joints are open: pin by 0.1 m.');
  expect(screen.getByRole('button', { name: 'Diagnose' })).toBeTruthy();
  state.news.value = null;
});

test('curves are chosen, recorded at every step, listed by unit, and removed', async () => {
  const labels = () => screen.queryAllByRole('figure').map((own) => own.getAttribute('aria-label'));
  const frame = (watched: number[]): Told => ({
    type: 'frame',
    version: 0,
    poses: new ArrayBuffer(0),
    certificate,
    stepTime: 0.5,
    running: true,
    watched: new Float64Array(watched),
    traced: null,
    forces: null,
    contacts: null,
    shades: null,
    points: null,
    wiggling: null,
    shown: null,
    after: 0,
  });
  render(<Plots />);
  await waitFor(() => expect(labels()).toEqual(['energy.total against time, J']));
  await act(async () => choose([...chosen.value, 'joint.pin.force', 'step time']));
  await waitFor(() =>
    expect(labels()).toEqual([
      'energy.total against time, J',
      'step time against time, ms',
      'joint.pin.force.x, joint.pin.force.y against time, N',
    ]),
  );
  tell(frame([0, 1, 2, 3, 0.1, 11, 12, 13]));
  expect(recording.csv()).toBe(
    'time [s],energy.total [J],step time [ms],joint.pin.force.x [N],joint.pin.force.y [N]\n0,1,0.5,2,3\n0.1,11,0.5,12,13\n',
  );
  expect(await screen.findByRole('row', { name: /energy.total 11 1 11/ })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Remove joint.pin.force.y' }));
  expect(chosen.value).toEqual(['energy.total', 'step time']);
  // A scene that opens starts afresh.
  act(() => tell({ type: 'look', version: 1, opened: true, look, poses: new ArrayBuffer(24 * 8) }));
  expect(recording.times).toEqual([]);
});

test('a number is dragged in proportion, evenly, or by whole steps', () => {
  expect(dragged(2, 120, { limit: 'positive' })).toBe(4);
  expect(dragged(2, -120, { limit: 'positive' })).toBe(1);
  expect(dragged(0, 50, {})).toBe(0.5);
  expect(dragged(1, -500, { limit: 'not-negative' })).toBe(0);
  expect(dragged(3, 25, { whole: true })).toBe(5);
});

test('arrow keys nudge, and all nudges are one edit', async () => {
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => setTimeout(then, 0));
  const edits: [number | null, boolean][] = [];
  const edit = async (mass: number | null, again: boolean) => edits.push([mass, again]);
  render(<NumberField label="mass" unit="kg" limit="positive" value={2} edit={edit} />);
  const field = screen.getByLabelText('mass, kg') as HTMLInputElement;
  fireEvent.keyDown(field, { key: 'ArrowUp' });
  await waitFor(() => expect(edits).toHaveLength(1));
  expect(field.value).toBe('2.1');
  fireEvent.keyDown(field, { key: 'ArrowUp' });
  await waitFor(() => expect(edits).toHaveLength(2));
  expect(edits).toEqual([
    [2.1, false],
    [2.2, true],
  ]);
  fireEvent.blur(field);
  expect(edits).toHaveLength(2);
});
