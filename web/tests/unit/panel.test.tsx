import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { Certificate, Listing } from '../../src/engine/border';
import { KEYS, keyFor } from '../../src/keys';
import { CertificateLine, Notes } from '../../src/panel/certificate_line';
import { short } from '../../src/panel/format';
import { Gallery } from '../../src/panel/gallery';
import { nameOf } from '../../src/panel/help';

afterEach(cleanup);

const certificate: Certificate = {
  time_s: 1.5,
  rows: 20,
  loops: 1,
  iterations: 3,
  substeps: 1,
  rungs: [{ rung: 'whole', about: 'the frame in one step', cause: null, count: 1, damps: false }],
  stiffest: null,
  ended: 'tolerance',
  residual_m: 2.34e-11,
  worst: 'B',
  gave_way: [],
  hands: [],
  events: [],
  energy: { kinetic_j: 1, potential_j: 2, elastic_j: 0, total_j: 3 },
  undo: 0,
  has_left_start: false,
  film_from_s: 0,
  film_until_s: 1,
  redo: 0,
};

test('numbers are short', () => {
  expect([0, 1, 12.3456, 100, -0.5, 2.34e-11, 1780.4, 123456].map(short)).toEqual([
    '0',
    '1',
    '12.3',
    '100',
    '-0.5',
    '2.3e-11',
    '1780',
    '1.2e+5',
  ]);
});

test('the certificate says what it knows and what gave way', () => {
  const gave_way = [{ joint: '<b>D</b>', error_m: 0.25 }];
  const { container } = render(<CertificateLine of={{ ...certificate, gave_way }} stepTime={0.1234} />);
  const fact = (name: string) => container.querySelector(`[data-fact=${name}]`)?.textContent;
  expect(['rows', 'loops', 'iterations', 'residual', 'step', 'energy'].map(fact)).toEqual([
    '20',
    '1',
    '3',
    '2.3e-11 m',
    '0.12 ms',
    '3 J',
  ]);
  // Names are text, whatever they look like.
  render(<Notes of={{ ...certificate, gave_way }} fit={() => {}} />);
  expect(screen.getByText('Gave way: <b>D</b> by 0.25 m')).toBeTruthy();
});

test('the certificate says how the step was taken, and why it damped', () => {
  const fact = (rungs: Certificate['rungs']): { text: string; title: string } => {
    const { container } = render(<CertificateLine of={{ ...certificate, rungs }} stepTime={null} />);
    const own = container.querySelector('[data-fact=sub-steps]');
    cleanup();
    return { text: own?.textContent ?? '', title: own?.parentElement?.title ?? '' };
  };
  expect(fact(certificate.rungs).text).toBe('1 whole');
  // Nothing was stepped yet.
  expect(fact([]).text).toBe('–');
  const { text, title } = fact([
    { rung: 'halved', about: 'a part of the frame, after halving', cause: 'joints would open', count: 3, damps: false },
    { rung: 'implicit', about: 'the implicit step, which damps', cause: 'budget spent', count: 2, damps: true },
  ]);
  expect(text).toBe('3 halved, 2 implicit (budget spent)');
  expect(title).toContain('3 × a part of the frame, after halving (joints would open)');
  expect(title).toContain('2 × the implicit step, which damps (budget spent)');
});

const held = { holds: 'energy', seconds: 1 } as const;
const scenes: Listing[] = [
  { name: 'chain', usage: 'chain:N', why: 'A chain that swings', kind: 'builder', small: 'chain:8', ...held },
  { name: 'grid', usage: 'grid:W,H', why: 'A net', kind: 'builder', small: 'grid:4,4', ...held },
  { name: 'crowd', usage: 'crowd:N', why: 'People', kind: 'builder', small: 'crowd', ...held },
  { name: 'four-bar', usage: 'four-bar', why: 'The smallest loop', kind: 'derived-file', small: 'four-bar', ...held },
];
const gallery = (choose: (name: string) => void) =>
  render(
    <Gallery scenes={scenes} current="four-bar" theme="light" picture={() => ''} choose={choose} close={vi.fn()} />,
  );

test('scenes are found by their words and opened', () => {
  const choose = vi.fn();
  gallery(choose);
  expect(screen.getByRole('button', { name: /four-bar/ }).getAttribute('aria-current')).toBe('true');
  fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'SWINGS chain' } });
  expect(screen.queryByRole('button', { name: /four-bar/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /chain/ }));
  expect(choose).toHaveBeenCalledWith('chain:8');
});

test('scenes with numbers are opened with those that are given', () => {
  const choose = vi.fn();
  gallery(choose);
  const form = screen.getByRole('form', { name: 'Numbers of grid' });
  fireEvent.input(within(form).getByRole('textbox', { name: 'H' }), { target: { value: ' 6 ' } });
  fireEvent.submit(form);
  expect(choose).toHaveBeenLastCalledWith('grid:4,6');
  // A scene that is shown without its number keeps it to itself.
  fireEvent.submit(screen.getByRole('form', { name: 'Numbers of crowd' }));
  expect(choose).toHaveBeenLastCalledWith('crowd');
  expect(screen.queryByRole('form', { name: 'Numbers of four-bar' })).toBeNull();
});

test('keys are named as on keyboards, and each has words in the help', () => {
  expect(nameOf({ key: 'z', control: true, shift: true })).toBe('Ctrl+Shift+Z');
  expect(nameOf({ key: ' ' })).toBe('Space');
  expect(KEYS.every(({ does }) => does.length > 0)).toBe(true);
  const keys = KEYS.map(nameOf);
  expect(new Set(keys).size).toBe(keys.length);
});

test('keys are for the scene, except where they are typed or press something', () => {
  const { container } = render(
    <>
      <button type="button">run</button>
      <input type="checkbox" />
      <input type="range" />
      <select />
      <input type="text" />
      <input type="text" data-typed={false} />
      <input type="search" />
    </>,
  );
  const does = (init: KeyboardEventInit): (string | undefined)[] =>
    [...container.children].map((target) => {
      const event = new KeyboardEvent('keydown', init);
      Object.defineProperty(event, 'target', { value: target });
      return keyFor(event)?.does;
    });
  const undo = 'undo';
  expect(does({ key: 'z', ctrlKey: true })).toEqual([undo, undo, undo, undo, undefined, undo, undefined]);
  const fit = 'show everything';
  expect(does({ key: 'f' })).toEqual([fit, fit, fit, undefined, undefined, undefined, undefined]);
  expect(does({ key: ' ' })).toEqual(Array(7).fill(undefined));
});
