// Weights by size on screen.

import { expect, test } from 'vitest';
import { Importance } from '../../src/importance';

const sizes = (a: number, b: number, c: number) => new Map([...Object.entries({ a, b, c })]);

const joint = (name: string, weight = 1, id = name.charCodeAt(0)) => ({ id, name, weight });

const three = (): Importance => {
  const importance = new Importance();
  importance.see([joint('a'), joint('b'), joint('c', 10)], true);
  return importance;
};

test('what is large counts more, by powers of two, and what is out of sight counts least', () => {
  expect(three().weigh(sizes(100, 50, 0))).toEqual([
    { weigh: { joint: 'a', weight: 4 } },
    { weigh: { joint: 'b', weight: 2 } },
    { weigh: { joint: 'c', weight: 2.5 } },
  ]);
});

test('small changes of size are not sent', () => {
  const importance = three();
  importance.weigh(sizes(100, 50, 100));
  expect(importance.weigh(sizes(100, 40, 90))).toEqual([]);
  expect(importance.weigh(sizes(100, 25, 90))).toEqual([{ weigh: { joint: 'b', weight: 1 } }]);
});

test('where nothing is seen, nothing changes', () => {
  expect(three().weigh(sizes(0, 0, 0))).toEqual([]);
  expect(three().weigh(new Map())).toEqual([]);
  expect(three().weigh(sizes(Number.NaN, 1, 1))).toEqual([]);
});

test('joints get their own weights back, also those that people gave them meanwhile', () => {
  const importance = three();
  importance.weigh(sizes(100, 100, 100));
  importance.see([joint('a', 4), joint('b', 3), joint('c', 40)], false);
  expect(importance.restore()).toEqual([{ weigh: { joint: 'a', weight: 1 } }, { weigh: { joint: 'c', weight: 10 } }]);
  expect(importance.restore()).toEqual([]);
});

test('joints keep what was theirs under other names', () => {
  const importance = three();
  importance.weigh(sizes(100, 100, 100));
  const [a, b, c] = 'abc';
  const id = (name = '') => name.charCodeAt(0);
  // One name moves from a joint to another.
  importance.see([joint('hip', 4, id(a)), joint('a', 4, id(b)), joint('knee', 40, id(c))], false);
  expect(importance.weigh(new Map([...Object.entries({ hip: 100, a: 50, knee: 100 })]))).toEqual([
    { weigh: { joint: 'a', weight: 2 } },
  ]);
  expect(importance.restore()).toEqual([
    { weigh: { joint: 'hip', weight: 1 } },
    { weigh: { joint: 'a', weight: 1 } },
    { weigh: { joint: 'knee', weight: 10 } },
  ]);
});

test('another scene has weights of its own', () => {
  const importance = three();
  importance.weigh(sizes(100, 100, 100));
  importance.see([joint('a', 4)], true);
  expect(importance.restore()).toEqual([]);
});

test('weights stay within what the engine takes', () => {
  const importance = new Importance();
  importance.see([joint('a', 1e6), joint('b', 1e-6)], true);
  expect(importance.weigh(sizes(1, 0, 0))).toEqual([]);
});
