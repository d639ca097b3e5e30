// A balloon of the palette: blown up, tied to a string, let go.

import { expect, type Page, test } from '@playwright/test';
import { drag, inspect, open, saved, seen, show, slide } from './support';

/** A number of the balloon, as the inspector shows it. */
const volume = async (page: Page): Promise<number> =>
  Number(await page.locator('[data-number="balloon.volume"] output').textContent());

const height = (page: Page): Promise<number> => page.evaluate(() => window.linkwork.position('balloon')[1]);

const until = (page: Page, time: number): Promise<unknown> =>
  page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time, time);

test('a balloon is inflated, tied and let go', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New 3D' }).click();
  await page.waitForFunction(async () => JSON.parse(await window.linkwork.save()).name === 'untitled');
  await page.locator('[data-part=balloon]').press('Enter');
  await expect.poll(async () => (await saved(page)).bodies[0]?.type).toBe('soft-shell');
  await inspect(page, 'balloon');
  const before = await volume(page);
  await show(page, 'Inspect');

  // Tied: a rope from its lower end to a place on the ground below it.
  await page.locator('[data-part=rope]').click();
  const middle = await seen(page, 'balloon', [0, 0, 0]);
  const foot = await page.evaluate(() => window.linkwork.project('ground', [0, -1.2, 0]));
  await drag(page, middle, foot);
  await expect.poll(async () => (await saved(page)).joints?.length).toBe(1);
  const length = (await saved(page)).joints?.[0]?.upper as number;
  expect(length).toBeGreaterThan(0.5);

  // Inflated: when time runs it grows, rises, and is held. (One that falls first is pressed together by what lifts it,
  // and may not rise again.)
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'balloon' }));
  await slide(page, 'pressure in balloon', 120);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await until(page, 1.5);
  await expect.poll(() => volume(page)).toBeGreaterThan(1.3 * before);
  await page.getByLabel('Color', { exact: true }).selectOption('strain');
  await until(page, 4);
  const held = await height(page);
  await page.screenshot({ path: 'test-results/balloon.png' });
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);

  // Let go: the rope is taken away, and it rises on.
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'rope' }));
  await page.locator('canvas').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => height(page)).toBeGreaterThan(held + 0.5);
  expect(complaints).toEqual([]);
});
