import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Latency } from '../../src/engine/latency';

let due: FrameRequestCallback[] = [];
const picture = (): void => {
  for (const draw of due.splice(0)) draw(0);
};

beforeEach(() => {
  due = [];
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => due.push(draw));
});
afterEach(() => vi.unstubAllGlobals());

test('pictures are counted from the first input to the poses that include it', () => {
  const latency = new Latency();
  latency.input();
  picture();
  latency.input();
  latency.ask(7);
  picture();
  latency.include(6);
  expect(latency.recent).toEqual([]);
  latency.include(8);
  expect(latency.recent).toEqual([2]);
});

test('nothing is counted while nothing is awaited, and what was let go is forgotten', () => {
  const latency = new Latency();
  latency.input();
  latency.ask(1);
  latency.forget();
  latency.include(1);
  picture();
  expect(latency.recent).toEqual([]);
  expect(due).toEqual([]);
});
