import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { initSync, Lab } from '../../src/wasm/linkwork_wasm.js';
import { open } from './support';

test('a four-bar loads without complaint and runs', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  await expect(page.getByRole('heading', { name: 'four-bar' })).toBeVisible();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.2);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report).toMatchObject({ rows: 20, loops: 1 });
  expect(report?.residual_m).toBeLessThan(1e-6);
  expect(complaints).toEqual([]);
});

// The crank turns about the origin and is one meter long. Left alone it falls; the hand lifts it upright
// and keeps it there, as near as its way of holding allows.
for (const [key, drag, near] of [
  ['1', 'force', 0.2],
  ['2', 'follow', 0.1],
  ['3', 'pin', 0.1],
] as const) {
  test(`the crank is dragged by ${drag} and the rocker follows`, async ({ page }) => {
    const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
    await page.keyboard.press(key);
    await expect(page.getByRole('radio', { name: drag })).toHaveAttribute('aria-checked', 'true');
    const before = await page.evaluate(() => window.linkwork.position('rocker'));
    const from = await page.evaluate(() => window.linkwork.project('crank', [0.1, 0, 0]));
    const to = await page.evaluate(() => window.linkwork.project('ground', [0, 0.6, 0]));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await expect(page.getByRole('status')).toContainText('crank');
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    await page.mouse.move(to.x, to.y, { steps: 8 });
    const time = (await page.evaluate(() => window.linkwork.report()?.time_s)) ?? 0;
    await page.waitForFunction((since) => (window.linkwork.report()?.time_s ?? 0) > since + 1.5, time);
    const [x, y] = await page.evaluate(() => window.linkwork.position('crank'));
    expect(Math.hypot(x, y - 0.5)).toBeLessThan(near);
    const rocker = await page.evaluate(() => window.linkwork.position('rocker'));
    expect(Math.hypot(rocker[0] - before[0], rocker[1] - before[1])).toBeGreaterThan(0.05);
    const report = await page.evaluate(() => window.linkwork.report());
    expect(report?.residual_m).toBeLessThan(1e-6);
    await page.mouse.up();
    await expect(page.getByRole('status')).toHaveCount(0);
    expect(complaints).toEqual([]);
  });
}

test('a paused scene steps by single frames, with the bits of node', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  for (let k = 0; k < 3; k += 1) await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 2.5 / 60);
  const log = await page.evaluate(() => window.linkwork.log());
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  expect(log?.trim().split('\n')).toHaveLength(5);
  expect(log).toContain(hash);
  initSync({ module: readFileSync(new URL('../../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });
  const lab = Lab.open(
    readFileSync(new URL('../../../crates/linkwork-scene/scenes/four-bar.json', import.meta.url), 'utf8'),
  );
  for (let k = 0; k < 3; k += 1) lab.step();
  expect(hash).toBe(lab.state_hash());
});

test('an edit is undone', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.evaluate(() => window.linkwork.apply({ detach: 'D' }));
  await expect(page.locator('[data-fact=loops]')).toHaveText('0');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.locator('[data-fact=loops]')).toHaveText('1');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await expect(page.locator('[data-fact=loops]')).toHaveText('0');
});

test('a scene that does not exist is told in words', async ({ page }) => {
  await open(page, '/?scene=four-bra&quality=low&paused');
  await expect(page.getByRole('alert')).toContainText('did you mean "four-bar"?');
});

test('a scene is saved and opened again with the same bits', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0);
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('four-bar.json');
  const file = await download.path();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 1.5 / 60);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 1) < 1.5 / 60);
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
  // A file that is no scene is told in words, and the scene stays.
  await page.locator('input[type=file]').setInputFiles({
    name: 'wrong.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"linkwork": 1, "bodys": []}'),
  });
  await expect(page.getByRole('alert')).toContainText('bodys');
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
  expect(complaints).toEqual([]);
});
