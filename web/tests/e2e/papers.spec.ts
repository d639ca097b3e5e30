// What the papers say of hands, clocks and trees (Faure 1998, §4.2; Faure 1999, §5 and fig. 2).

import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { initSync, Lab } from '../../src/wasm/linkwork_wasm.js';
import { drag, open, seen } from './support';

test('which joints are in the tree is shown, chosen and undone', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  await page.getByText('Show the tree and its loops').click();
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'D' }));
  const standing = page.locator('[data-standing]');
  await expect(standing).toHaveText('Closes a loop.');
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  await page.getByLabel('tree', { exact: true }).selectOption('in');
  await expect(standing).toHaveText('In the tree: it holds rocker.');
  expect(await page.evaluate(() => window.linkwork.save())).toContain('"tree": "in"');
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'C' }));
  await expect(standing).toHaveText('Closes a loop.');
  // One more than fits is told in words, and nothing else changes.
  for (const name of ['A', 'B', 'C']) {
    await page.evaluate((name) => window.linkwork.select({ kind: 'joint', name }), name);
    await page.getByLabel('tree', { exact: true }).selectOption('in');
  }
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'D' }));
  await expect(standing).toContainText('It cannot be in the tree');
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
  for (let k = 0; k < 4; k += 1) await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(standing).toHaveText('Closes a loop.');
  expect(complaints).toEqual([]);
});

test('a press takes hold of the nearest body within reach, and nothing jumps', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  const tip = await seen(page, 'rocker');
  // Beside the rocker, which is some pixels wide.
  let beside = tip;
  for (let k = 0; k < 60; k += 1) {
    beside = { x: tip.x + k, y: tip.y };
    const under = await page.evaluate(({ x, y }) => window.linkwork.pick(x, y), beside);
    if (under === null) break;
  }
  beside = { x: beside.x + 12, y: beside.y };
  expect(await page.evaluate(({ x, y }) => window.linkwork.pick(x, y), beside)).toBeNull();
  await page.mouse.move(beside.x, beside.y);
  await expect(page.locator('canvas').first()).toHaveAttribute('data-cursor', 'hold');
  const before = await page.evaluate(() => window.linkwork.position('rocker'));
  await drag(page, beside, { x: beside.x + 30, y: beside.y - 4 });
  await expect.poll(() => page.evaluate(() => window.linkwork.position('rocker'))).not.toEqual(before);
  const after = await seen(page, 'rocker');
  // As far as the pointer went, not as far as that and the gap: the middle of a rod that turns goes half of the way at
  // most.
  expect(Math.hypot(after.x - tip.x, after.y - tip.y)).toBeLessThan(36);
  // Farther away a press turns the view.
  const far = { x: beside.x + 60, y: beside.y + 20 };
  const still = await page.evaluate(() => window.linkwork.position('rocker'));
  await drag(page, far, { x: far.x + 20, y: far.y });
  expect(await page.evaluate(() => window.linkwork.position('rocker'))).toEqual(still);
});

test('steps are as long as the clock says, and replay to the same bits', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  await page.getByRole('tab', { name: 'Exactness' }).click();
  await page.getByLabel('steps as long as the clock says').check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 1);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const log = await page.evaluate(() => window.linkwork.log());
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const lengths = lines.flatMap((line) => {
    const dt = (line as { step?: { dt?: number } }).step?.dt;
    return dt === undefined ? [] : [dt];
  });
  expect(lengths.length).toBeGreaterThan(5);
  expect(new Set(lengths).size).toBeGreaterThan(3);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0.008);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(0.1);
  // Natively and elsewhere a replay does the same; here in node.
  initSync({ module: readFileSync(new URL('../../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });
  const lab = Lab.open(
    readFileSync(new URL('../../../crates/linkwork-scene/scenes/four-bar.json', import.meta.url), 'utf8'),
  );
  for (const line of lines)
    if (typeof line === 'object' && line !== null && 'step' in line) lab.apply(JSON.stringify(line));
  expect(lab.state_hash()).toBe(hash);
  expect(complaints).toEqual([]);
});
