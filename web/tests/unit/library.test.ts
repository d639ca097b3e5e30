import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Listing } from '../../src/engine/border';
import { openable } from '../../src/engine/library';
import { initSync, Lab } from '../../src/wasm/linkwork_wasm.js';

afterEach(() => vi.unstubAllGlobals());

const answer = (text: string, status = 200): void => {
  vi.stubGlobal('fetch', async (address: URL) => {
    expect(address.pathname).toMatch(/scenes\/four-bar.*\.json/);
    return new Response(text, { status, statusText: status === 200 ? '' : 'Not Found' });
  });
};

test('a file of the library is fetched', async () => {
  answer('{ "linkwork": 1 }');
  expect(await openable('four-bar')).toBe('{ "linkwork": 1 }');
});

test('names with numbers, texts and what nobody knows are left to the engine', async () => {
  vi.stubGlobal('fetch', () => expect.fail('nothing is fetched'));
  for (const own of ['chain:12', 'catenary', '{}', 'four-bra', 'four-bar:3', 'linkwork.schema', '../four-bar']) {
    expect(await openable(own)).toBe(own);
  }
});

test('a file that does not come is told in words', async () => {
  answer('there is nothing at this address', 404);
  await expect(openable('four-bar')).rejects.toThrow('scenes/four-bar.json cannot be read: 404 Not Found.');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(openable('four-bar')).rejects.toThrow('scenes/four-bar.json cannot be read: Failed to fetch.');
  answer('<!doctype html>');
  await expect(openable('four-bar')).rejects.toThrow('scenes/four-bar.json is not a scene.');
});

test('every scene is either built by the engine or a file beside the page', async () => {
  initSync({ module: readFileSync(join(import.meta.dirname, '../../src/wasm/linkwork_wasm_bg.wasm')) });
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    fetched.push(pathname);
    return new Response('{}');
  });
  for (const { name, small, kind } of JSON.parse(Lab.library()) as Listing[]) {
    const text = await openable(small);
    if (kind === 'builder') {
      Lab.open(text).free();
      continue;
    }
    expect(fetched.pop()).toContain(`scenes/${name}.json`);
    expect(() => Lab.open(name)).toThrow(`open the text of scenes/${name}.json`);
  }
  expect(fetched).toEqual([]);
});
