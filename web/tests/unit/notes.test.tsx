// What is told over the picture.

import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { Certificate } from '../../src/engine/border';
import * as state from '../../src/state';

const { KeptWork } = await import('../../src/panel/work');
const { HoverLine } = await import('../../src/panel/held');
const { Notes } = await import('../../src/panel/certificate_line');

afterEach(() => {
  cleanup();
  state.offers.value = [];
  state.certificate.value = null;
  state.tool.value = 'hold';
  state.isLeft.value = false;
});

const edited = (undo: number): Certificate => ({ undo, gave_way: [], events: [] }) as unknown as Certificate;

test('all that is kept can be reached, and folds up once somebody works', () => {
  state.offers.value = Array.from({ length: 5 }, (_, k) => ({ id: `${k}`, name: `scene ${k}`, text: '', when: 0 }));
  state.certificate.value = edited(0);
  const { container } = render(<KeptWork />);
  const isOpen = () => container.querySelector('details')?.open;
  expect(isOpen()).toBe(true);
  expect(screen.getAllByText('Restore')).toHaveLength(3);
  fireEvent.click(screen.getByText('2 more'));
  expect(screen.getAllByText('Restore')).toHaveLength(5);
  cleanup();
  state.certificate.value = edited(1);
  expect(render(<KeptWork />).container.querySelector('details')?.open).toBe(false);
});

test('every tool says what the next press is for', () => {
  for (const tool of ['path', 'curve', 'perform'] as const) {
    state.tool.value = tool;
    expect(render(<HoverLine />).container.textContent).toMatch(/^Press /);
  }
});

test('an empty picture says that everything has left it, and shows it again', () => {
  const fit = vi.fn();
  render(<Notes of={edited(0)} fit={fit} />);
  expect(screen.queryByText(/left the picture/)).toBeNull();
  cleanup();
  state.isLeft.value = true;
  render(<Notes of={edited(0)} fit={fit} />);
  fireEvent.click(screen.getByText('Fit'));
  expect(fit).toHaveBeenCalledOnce();
});
