import { expect, test } from 'vitest';
import {
  inFile,
  MOST_BODIES,
  MOST_BYTES,
  refuseBodies,
  refuseBytes,
  refuseTooLarge,
  textOf,
} from '../../src/engine/admit';

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer as ArrayBuffer;

test('the text of a file is read, without the mark that some editors put before it', () => {
  expect(textOf(bytes('\uFEFF{"linkwork": 1}'), 'a.json')).toBe('{"linkwork": 1}');
});

test('what is no text of a scene is refused by the name of the file', () => {
  expect(() => textOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]).buffer, 'a.png')).toThrow('a.png is not text');
  expect(() => textOf(bytes(' \n'), 'a.json')).toThrow('a.json is empty');
  // Else it would open a scene of the library.
  expect(() => textOf(bytes('four-bar'), 'a.txt')).toThrow('a.txt is not a scene');
  expect(() => refuseBytes(MOST_BYTES + 2 ** 20, 'a.json')).toThrow('a.json has 65 MB; the lab reads up to 64 MB');
});

test('what is wrong with a file is told by its name, once', () => {
  expect(inFile('a.json', new Error('line 1, column 2: bodies'))).toBe('a.json: line 1, column 2: bodies');
  expect(inFile('a.json', new Error('a.json is empty'))).toBe('a.json is empty');
});

test('what is too large is refused by its numbers or its names, without being built', () => {
  expect(() => refuseTooLarge(`chain:${MOST_BODIES + 1}`)).toThrow('has 20,001 bodies');
  expect(() => refuseTooLarge('grid:1000,1000')).toThrow('has 1,000,000 bodies');
  expect(() => refuseTooLarge('sheet:200')).toThrow('has 40,000 bodies');
  const entries = '{"name": "p"},'.repeat(100_001);
  expect(() => refuseTooLarge(`{"bodies": [${entries}]}`)).toThrow('has 100,001 named entries');
  expect(() => refuseBodies(MOST_BODIES + 1)).toThrow('20,001');
});

test('what is not is let in', () => {
  for (const name of [
    'four-bar',
    'chain:20000',
    'pantograph:0.5',
    'humanoid-on-strings:-5',
    'chain:many',
    '{"name": "a"}',
  ]) {
    expect(() => refuseTooLarge(name)).not.toThrow();
  }
  refuseBodies(MOST_BODIES);
});
