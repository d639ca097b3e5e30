// Curves that are typed: a formula of u becomes a body, and names that nothing else has its own numbers.

import type { AnyBody } from './engine/messages';

/** What is known without being said: u itself, time and constants of the language. */
const WORDS = ['u', 't', 'pi', 'π', 'tau', 'e', 'deg', 'mm', 'cm', 'rpm'];

/** A name that is not a part of another word, of a number, or behind a point; and what follows it. */
const NAME = /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)(?=\s*(\(|\.)?)/gu;

/** Names in a formula that are neither functions nor parts of bodies nor known. */
export const ownNames = (formula: string, known: ReadonlySet<string>): string[] => {
  const names = [...formula.matchAll(NAME)].flatMap(([, name = '', after]) => (after === undefined ? [name] : []));
  return [...new Set(names)].filter((name) => !known.has(name) && !WORDS.includes(name));
};

/** What comes back after a whole turn of u. */
const TURNS = /\b(sin|cos)\(\s*(\d+\s*\*?\s*)?u\s*\)/g;
const hasU = (formula: string): boolean => /(?<![\p{L}\p{N}_.])u(?![\p{L}\p{N}_])/u.test(formula);

/** Where u begins and ends, and whether the ends meet: once around where sines turn, else through the middle. */
const rangeOf = (formula: string): Pick<AnyBody, 'u' | 'closed'> => {
  const rest = formula.replace(TURNS, '');
  if (rest !== formula) return hasU(rest) ? { u: ['0', 'tau'] } : { u: ['0', 'tau'], closed: true };
  return hasU(formula) ? { u: ['-1', '1'] } : {};
};

/** What is typed: `[a*cos(u), b*sin(u)]`, the same with a name before it, or `y = …` of x. */
const readTyped = (typed: string): { name: string | null; formula: string } => {
  const [, left, right = ''] = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)\s*(.*)$/su.exec(typed) ?? [];
  if (left === undefined) return { name: null, formula: typed.trim() };
  if (left !== 'y') return { name: left, formula: right.trim() };
  const ofU = right.replace(NAME, (name, _, after) => (name === 'x' && after === undefined ? 'u' : name));
  return { name: null, formula: `[u, ${ofU.trim()}]` };
};

/** A curve without numbers of its own has a place. */
const placed = (formula: string): { curve: string; names: string[]; start: number } => {
  const names = formula.replace(/\([^()]*\)/g, '').split(',').length > 2 ? ['x', 'y', 'z'] : ['x', 'y'];
  return { curve: `[${names.join(', ')}] + ${formula}`, names, start: 0 };
};

/** The fields of a body that make this curve of it. Numbers that it had keep their values; new ones are one. */
export const curveOf = (
  typed: string,
  known: ReadonlySet<string>,
  before: ReadonlyMap<string, number> = new Map(),
): Pick<AnyBody, 'curve' | 'names' | 'values' | 'u' | 'closed'> & { name: string | null } => {
  const { name, formula } = readTyped(typed);
  const names = ownNames(formula, known);
  const own = names.length > 0 ? { curve: formula, names, start: 1 } : placed(formula);
  const values = own.names.map((of) => before.get(of) ?? own.start);
  return { name, curve: own.curve, names: own.names, values, ...rangeOf(formula) };
};
