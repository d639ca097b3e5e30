import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as actions from '../../src/actions';
import type { Look } from '../../src/engine/border';
import type { FromWorker } from '../../src/engine/messages';
import { Plots } from '../../src/panel/plots';
import * as state from '../../src/state';
import { chosenKey } from '../../src/tracks';

/** A worker that does nothing by itself. */
class Puppet {
  static now = new Puppet();
  onmessage: (event: { data: FromWorker }) => void = () => {};

  constructor() {
    Puppet.now = this;
  }

  postMessage(): void {}
  terminate(): void {}
}

/** The scene is seen with these names of its body and its joint. */
const see = (body: string, joint: string, opened = false): void => {
  const look = {
    bodies: [{ id: 3, name: body }],
    joints: [{ id: 5, name: joint, axis: null, ends: [] }],
    behaviors: [],
  };
  Puppet.now.onmessage({
    data: { type: 'look', look: look as unknown as Look, opened, poses: new Float32Array() } as never,
  });
};

beforeEach(() => {
  vi.stubGlobal('Worker', Puppet);
  vi.useFakeTimers();
  actions.engine.start();
  see('crank', 'A', true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  chosenKey.value = null;
  state.look.value = null;
});

test('the name of a quantity that is typed follows another name, and its undo', () => {
  render(<Plots />);
  const field = screen.getByRole('searchbox', { name: 'Find a quantity' }) as HTMLInputElement;
  fireEvent.input(field, { target: { value: 'joint.A.force' } });
  see('crank', 'left hip');
  vi.runOnlyPendingTimers();
  cleanup();
  render(<Plots />);
  const typed = () => (screen.getByRole('searchbox', { name: 'Find a quantity' }) as HTMLInputElement).value;
  expect(typed()).toBe('joint."left hip".force');
  see('crank', 'A');
  cleanup();
  render(<Plots />);
  expect(typed()).toBe('joint.A.force');
  // Another scene has other quantities.
  see('crank', 'A', true);
  cleanup();
  render(<Plots />);
  expect(typed()).toBe('');
});

test('the key that is chosen follows the name of its track', () => {
  chosenKey.value = { kind: 'joint', name: 'A', key: 2 };
  see('crank', 'hip');
  expect(chosenKey.value).toEqual({ kind: 'joint', name: 'hip', key: 2 });
  see('A', 'hip');
  expect(chosenKey.value).toEqual({ kind: 'joint', name: 'hip', key: 2 });
});
