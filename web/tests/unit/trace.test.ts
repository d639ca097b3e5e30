import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import type { Look } from '../../src/engine/border';
import { Tracer } from '../../src/engine/tracer';
import { Trace } from '../../src/view/trace';

/** A body that does not turn. */
const at = (x: number): Float64Array => new Float64Array([1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]);

/** An engine with one body, and a trace of its point (0, 2, 0). */
const tracing = (x: number) => {
  const engine = {
    x,
    poses: () => at(engine.x),
    posesInto: (target: Float64Array) => {
      if (target.length !== 12) return false;
      target.set(at(engine.x));
      return true;
    },
  };
  const tracer = new Tracer();
  const look = (point: number[]) => ({ traces: [{ name: 'pen', at: { body: 0, point } }] }) as unknown as Look;
  tracer.show(look([x, 2, 0]), engine.poses());
  const step = (): void =>
    tracer.during(engine, () => {
      engine.x += 1;
    });
  return { engine, tracer, step, look };
};

test('a path has a point for every step, however many there are between pictures', () => {
  const { tracer, step } = tracing(0);
  expect(tracer.take()).toBeNull();
  for (let k = 0; k < 3; k += 1) step();
  expect([...(tracer.take() ?? [])]).toEqual([0, 2, 0, 1, 2, 0, 2, 2, 0, 3, 2, 0]);
  step();
  expect([...(tracer.take() ?? [])]).toEqual([3, 2, 0, 4, 2, 0]);
});

test('no line leads over a jump', () => {
  const { engine, tracer, step, look } = tracing(0);
  const trace = new Trace();
  const draw = (): void => trace.go(tracer.take() ?? [], 0, 1);
  step();
  draw();
  // Undo, a reset, a hand: the body is elsewhere without a step.
  engine.x = 10;
  step();
  step();
  draw();
  expect([0, 1, 2].map((k) => trace.at(k))).toEqual([
    [0, 2, 0, 1, 2, 0],
    [10, 2, 0, 11, 2, 0],
    [11, 2, 0, 12, 2, 0],
  ]);
  // A point that sits elsewhere on its body after an edit.
  tracer.show(look([12, 5, 0]), engine.poses());
  step();
  draw();
  expect(trace.at(3)).toEqual([12, 5, 0, 13, 5, 0]);
  expect(trace.count).toBe(4);
});

test('of several traces each goes its own way, and what stands still or is nowhere adds nothing', () => {
  const trace = new Trace();
  trace.go([0, 0, 0, 9, 9, 9, 1, 0, 0, 8, 8, 8, 1, 0, 0, 7, 7, 7, Number.NaN, 0, 0, 6, 6, 6], 0, 2);
  expect([trace.count, trace.at(0)]).toEqual([1, [0, 0, 0, 1, 0, 0]]);
  trace.go([0, 0, 0, 9, 9, 9, 1, 0, 0, 8, 8, 8], 1, 2);
  expect(trace.at(1)).toEqual([9, 9, 9, 8, 8, 8]);
});

test('a trace forgets its oldest half, and stays a path', () => {
  const trace = new Trace();
  const along = (k: number): number[] => new Vector3(k, 0, 0).toArray();
  for (let k = 0; k < 1499; k += 1) trace.go([...along(k), ...along(k + 1)], 0, 1);
  expect(trace.count).toBe(899);
  expect(trace.at(0)).toEqual([600, 0, 0, 601, 0, 0]);
  expect(trace.at(898)).toEqual([1498, 0, 0, 1499, 0, 0]);
});
