import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { initSync, Lab } from '../../src/wasm/linkwork_wasm.js';
import { faults } from './axe';
import { drawn, open, saved, seen } from './support';

const report = (page: Page) => page.evaluate(() => window.linkwork.report());

/** A puppet is performed, scrubbed, edited, and its log replays to the same hash. */
test('a puppet is performed, scrubbed and edited, and the log replays to the same hash', async ({ page }) => {
  const complaints = await open(page, '/?scene=puppet-show&quality=low&paused');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await drawn(page);
  const rows = page.getByRole('list', { name: 'Tracks' }).getByRole('listitem');
  await expect(rows).toHaveCount(4);
  const start = await page.evaluate(() => window.linkwork.stateHash());

  // Play, then look back: that changes nothing.
  await page.getByRole('button', { name: 'Film: play from here' }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.6);
  await page.getByRole('button', { name: 'Film: pause' }).click();
  await expect(page.getByRole('button', { name: 'Film: play from here' })).toBeVisible();
  const played = await page.evaluate(() => window.linkwork.stateHash());
  const end = (await report(page))?.time_s ?? 0;
  const film = page.getByRole('slider', { name: 'Film' });
  const there = await seen(page, 'left hand');
  await film.fill('0');
  await expect(page.locator('.time output')).toHaveText('0.00 s');
  await expect
    .poll(async () =>
      Math.hypot((await seen(page, 'left hand')).x - there.x, (await seen(page, 'left hand')).y - there.y),
    )
    .toBeGreaterThan(5);
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(played);
  expect((await report(page))?.time_s).toBe(end);
  // By keys, a frame at a time.
  await film.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.time output')).toHaveText('0.02 s');
  await page.getByRole('button', { name: 'Now' }).click();
  await expect(page.locator('.time output')).toHaveText(`${end.toFixed(2)} s`);

  // From an earlier time on: one undo leads back.
  await film.fill('0.3');
  await page.getByRole('button', { name: 'Film: step one frame' }).click();
  await expect.poll(async () => (await report(page))?.time_s ?? 9).toBeLessThan(0.35);
  expect((await report(page))?.film_until_s).toBeLessThan(0.35);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.evaluate(() => window.linkwork.stateHash())).toBe(played);
  await page.getByRole('button', { name: 'Film: back to start' }).click();
  await expect.poll(() => page.evaluate(() => window.linkwork.stateHash())).toBe(start);

  // Perform: lead the head while time runs.
  await page.getByRole('button', { name: 'Perform' }).click();
  const head = await seen(page, 'head', [0, 0.1, 0]);
  await page.mouse.move(head.x, head.y);
  await page.mouse.down();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.1);
  for (let k = 1; k <= 30; k += 1) {
    await page.mouse.move(head.x + 40 * Math.sin(k / 5), head.y - 20 * (1 - Math.cos(k / 5)));
    await page.waitForTimeout(20);
  }
  await page.mouse.up();
  await expect(rows).toHaveCount(5);
  await expect(rows.last()).toContainText('take of head');
  await expect.poll(async () => (await report(page))?.time_s).toBe(0);
  const take = (await saved(page)).joints?.find(({ name }) => name === 'take of head');
  expect(take?.type).toBe('trajectory');

  // Keys are edited by their numbers, each an undo.
  await page.getByRole('button', { name: 'tap', exact: true }).click();
  await page.getByRole('button', { name: 'Key after' }).click();
  const time = page.locator('.key input').first();
  await time.fill('1.2');
  await time.press('Enter');
  const keys = async (): Promise<unknown> => {
    const tap = (await saved(page)).joints?.find(({ name }) => name === 'tap');
    return (tap?.path as { keyframes: number[][] } | undefined)?.keyframes[1]?.[0];
  };
  await expect.poll(keys).toBe(1.2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(keys).toBe(1);
  // The other take of the wave.
  await page.getByRole('checkbox', { name: 'wave, take 2 acts' }).check();
  await expect(page.getByRole('checkbox', { name: 'wave, take 1 acts' })).not.toBeChecked();

  await page.getByRole('button', { name: 'Film: play from here' }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  await page.getByRole('button', { name: 'Film: pause' }).click();
  await expect(page.getByRole('button', { name: 'Film: play from here' })).toBeVisible();
  await page.screenshot({ path: 'test-results/film.png' });
  expect(await faults(page)).toEqual([]);

  // What was done, done again in an engine of its own.
  const [log, hash] = [
    await page.evaluate(() => window.linkwork.log()),
    await page.evaluate(() => window.linkwork.stateHash()),
  ];
  expect(log).toContain('"rewind"');
  initSync({ module: readFileSync(new URL('../../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });
  const [first = '', ...commands] = log.trim().split('\n');
  const again = Lab.open(JSON.stringify(JSON.parse(first).scene));
  // The last line is the hash.
  for (const command of commands.slice(0, -1)) again.apply(command);
  expect(again.state_hash()).toBe(hash);
  again.free();
  expect(complaints).toEqual([]);
});

test('the time bar fits a small window', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 700 });
  const complaints = await open(page, '/?scene=puppet-show&quality=low&paused');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await drawn(page);
  await page.getByRole('button', { name: 'wave, take 1', exact: true }).click();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  const stage = await page.locator('.stage').boundingBox();
  expect(stage?.height ?? 0).toBeGreaterThan(120);
  await page.screenshot({ path: 'test-results/film-small.png' });
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
