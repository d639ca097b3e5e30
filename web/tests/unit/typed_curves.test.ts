import { expect, test } from 'vitest';
import { curveOf, ownNames } from '../../src/curves';

const NONE = new Set<string>();

test('names that nothing else has are numbers of a curve that is typed', () => {
  expect(ownNames('[a*cos(u), L*sin(u) + 2mm*b + egg.a]', new Set(['L', 'egg']))).toEqual(['a', 'b']);
  expect(curveOf('[a*cos(u), b*sin(u)]', NONE, new Map([['b', 3]]))).toEqual({
    name: null,
    curve: '[a*cos(u), b*sin(u)]',
    names: ['a', 'b'],
    values: [1, 3],
    u: ['0', 'tau'],
    closed: true,
  });
});

test('a curve may have a name, be a function of x, and have no numbers but its place', () => {
  expect(curveOf('egg = [a*cos(u), sin(2u)]', NONE)).toMatchObject({ name: 'egg', closed: true });
  expect(curveOf('y = k*x^2 + exp(x)', NONE)).toMatchObject({
    name: null,
    curve: '[u, k*u^2 + exp(u)]',
    names: ['k'],
    u: ['-1', '1'],
  });
  const spiral = curveOf('[u*cos(u), u*sin(u), max(u, 1)]', NONE);
  expect(spiral).toMatchObject({ names: ['x', 'y', 'z'], values: [0, 0, 0], u: ['0', 'tau'] });
  expect(spiral.curve).toBe('[x, y, z] + [u*cos(u), u*sin(u), max(u, 1)]');
  expect(spiral.closed).toBeUndefined();
});
