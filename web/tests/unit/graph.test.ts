import { expect, test } from 'vitest';
import type { GraphNode } from '../../src/engine/border';
import { feeds, placed } from '../../src/panel/graph';

const graph: GraphNode[] = [
  { name: 'crank', kind: 'body', takes: [], layer: 0 },
  { name: 'bar', kind: 'body', takes: [], layer: 0 },
  { name: 'mid', kind: 'quantity', takes: [0, 1], layer: 1 },
  { name: 'reach', kind: 'quantity', takes: [2], layer: 2 },
  { name: 'stay', kind: 'joint', takes: [1], layer: 1 },
];

test('nodes stand in columns by their layer, none on another', () => {
  const all = placed(graph);
  expect(new Set(all.map(({ x, y }) => `${x} ${y}`)).size).toBe(graph.length);
  for (const { node, x } of all) for (const from of node.takes) expect(all[from]?.x).toBeLessThan(x);
});

test('what a node is worked out of is lit with it', () => {
  expect([...feeds(graph, 3)].sort()).toEqual([0, 1, 2, 3]);
  expect([...feeds(graph, 4)].sort()).toEqual([1, 4]);
});
