// Weights by size on screen.

import { expect, test } from 'vitest';
import { Importance } from '../../src/importance';

const sizes = (a: number, b: number, c: number) => new Map([...Object.entries({ a, b, c })]);

const three = (): Importance => {
  const importance = new Importance();
  importance.see([{ name: 'a' }, { name: 'b' }, { name: 'c', weight: 10 }], true);
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
  importance.see(
    [
      { name: 'a', weight: 4 },
      { name: 'b', weight: 3 },
      { name: 'c', weight: 40 },
    ],
    false,
  );
  expect(importance.restore()).toEqual([{ weigh: { joint: 'a', weight: 1 } }, { weigh: { joint: 'c', weight: 10 } }]);
  expect(importance.restore()).toEqual([]);
});

test('another scene has weights of its own', () => {
  const importance = three();
  importance.weigh(sizes(100, 100, 100));
  importance.see([{ name: 'a', weight: 4 }], true);
  expect(importance.restore()).toEqual([]);
});

test('weights stay within what the engine takes', () => {
  const importance = new Importance();
  importance.see(
    [
      { name: 'a', weight: 1e6 },
      { name: 'b', weight: 1e-6 },
    ],
    true,
  );
  expect(importance.weigh(sizes(1, 0, 0))).toEqual([]);
});
