import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import type { BodyLook, Command, Look } from '../../src/engine/border';
import type { Bench } from '../../src/hold/bench';
import { dragEntry, freeName, heldEntry, Pull } from '../../src/hold/pull';
import * as state from '../../src/state';

const body = (name: string, more: Partial<BodyLook> = {}): BodyLook => ({
  id: 0,
  name,
  type: 'box',
  planar: false,
  turns: true,
  deforms: false,
  movable: true,
  enabled: true,
  mass: 2,
  color: null,
  parts: [],
  ...more,
});
const look = (bodies: BodyLook[]): Look => ({
  name: null,
  why: null,
  frame: 1 / 60,
  up: [0, 1, 0],
  flat: false,
  camera: null,
  extent: 1,
  ground: [],
  bodies,
  joints: [],
  behaviors: [],
  skins: [],
  traces: [],
});

test('a hand takes a name that is free', () => {
  expect(freeName(look([body('crank')]))).toBe('pointer');
  expect(freeName(look([body('pointer'), body('pointer 2')]))).toBe('pointer 3');
});

test('points have as many numbers as their bodies', () => {
  expect(heldEntry(body('a'), [1, 2, 3])).toEqual({ body: 'a', point: [1, 2, 3] });
  expect(heldEntry(body('a', { planar: true }), [1, 2, 0])).toEqual({ body: 'a', point: [1, 2] });
  expect(heldEntry(body('a', { type: 'particle', turns: false, deforms: false }), [0, 0, 0])).toEqual({ body: 'a' });
});

test('only a pull by force has numbers, and they grow with what is pulled', () => {
  expect(dragEntry('pin', look([]))).toEqual({ type: 'pin' });
  const entry = dragEntry('force', look([body('a'), body('b')]));
  expect(entry).toEqual({ type: 'force', stiffness: 576, damping: expect.closeTo(67.2, 6) });
});

/** Commands that a press and moves to these pixels of a row send, by their first words. */
const sent = (isRunning: boolean, ...pixels: number[]): string[] => {
  const words: string[] = [];
  const stage = {
    toBody: (_: number, point: Vector3) => point.clone(),
    worldOf: (_: number, point: Vector3) => point.clone(),
    onPlane: (x: number) => new Vector3(x, 0, 0),
    project: () => ({ x: 0, y: 0 }),
    showHand: () => {},
  };
  const bench = {
    stage,
    look: look([body('a')]),
    marks: { set: () => {} },
    catalog: { ask: () => words.push('places'), tiesOf: () => [], placesOf: () => [] },
    depth: () => 1,
    moved: () => words.push('moved'),
    send: (...commands: Command[]) => {
      words.push(...commands.map((command) => Object.keys(command)[0] ?? ''));
      return Promise.resolve(true);
    },
  } as unknown as Bench;
  const pointer = (x: number) => ({ pointerId: 1, clientX: x, clientY: 0 }) as PointerEvent;
  state.running.value = isRunning;
  const pull = new Pull(bench, pointer(0), 0, { body: 0, point: new Vector3(), target: { kind: 'body', name: 'a' } });
  for (const x of pixels) {
    pull.move(pointer(x));
    pull.update();
  }
  return words;
};

test('what moves is caught by a press, and goes with the pointer from the first pixel on', () => {
  expect(sent(true, 0)).toEqual(['grab']);
  expect(sent(true, 1, 2)).toEqual(['grab', 'moved', 'drag', 'moved', 'drag']);
});

test('while time stands a click does nothing, and a drag takes hold and goes at once', () => {
  expect(sent(false, 1, 3)).toEqual([]);
  expect(sent(false, 3, 5)).toEqual(['grab', 'moved', 'drag']);
});
