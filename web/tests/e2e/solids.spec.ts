// Solids that deform: by sliders, by hand, and from the palette.

import { expect, type Page, test } from '@playwright/test';
import { drag, inspect, open, saved, seen, slide } from './support';

/** A number of the shape, as the inspector shows it. */
const shape = async (page: Page, number: string): Promise<number> =>
  Number(await page.locator(`[data-number="${number}"] output`).textContent());

test('a superquadric is bent by a slider and by hand, and undone', async ({ page }) => {
  const complaints = await open(page, '/?scene=superquadrics&quality=low&paused');
  await inspect(page, 'rope');
  await expect(page.getByRole('heading', { name: 'Shape' })).toBeVisible();
  // Only what moves of it has a slider.
  await expect(page.getByLabel('pull rope.taper1')).toHaveCount(0);
  await slide(page, 'pull rope.bend1', 0.6);
  await expect.poll(() => shape(page, 'rope.bend1')).toBeCloseTo(0.6, 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => shape(page, 'rope.bend1')).toBeCloseTo(0, 2);

  // The lower tip is pushed toward the hook: it has to give way in length or bend.
  const tip = await seen(page, 'rope', [-1.4, 0, 0]);
  await drag(page, tip, { x: tip.x + 10, y: tip.y - 50 });
  const changed = async (): Promise<number> => {
    const [bend1, bend2, a3] = await Promise.all(['bend1', 'bend2', 'a3'].map((own) => shape(page, `rope.${own}`)));
    return Math.abs(bend1 ?? 0) + Math.abs(bend2 ?? 0) + Math.abs((a3 ?? 0) / 0.3 - 1);
  };
  await expect.poll(changed).toBeGreaterThan(1e-3);
  await page.screenshot({ path: 'test-results/solids.png' });
  expect(complaints).toEqual([]);
});

test('a blob of the palette swells by a slider, and falls', async ({ page }) => {
  const complaints = await open(page, '/?scene=superquadrics&quality=low&paused');
  await page.locator('[data-part=blob]').press('Enter');
  const blob = async () => (await saved(page)).bodies.find(({ name }) => name === 'blob');
  await expect.poll(blob).toMatchObject({ type: 'superquadric', free: { size: {}, bend: {} } });
  await inspect(page, 'blob');
  const before = await shape(page, 'blob.a3');
  await slide(page, 'pull blob.a3', 1.5 * before);
  await expect.poll(async () => (await shape(page, 'blob.a3')) / before).toBeCloseTo(1.5, 1);
  await page.locator('canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.2);
  expect(complaints).toEqual([]);
});
