import { expect, test } from '@playwright/test';
import { open } from './support';

test('a path drawn on the empty stage becomes a linkage that draws it', async ({ page }) => {
  const complaints = await open(page, '/?quality=low&paused&scene=slider-crank');
  await page.getByRole('button', { name: 'Path', exact: true }).click();
  // An ellipse above the mechanism, drawn by the mouse.
  const at = (turn: number): Promise<{ x: number; y: number }> =>
    page.evaluate(
      (angle) => window.linkwork.project('ground', [0.5 + 0.25 * Math.cos(angle), 0.45 + 0.1 * Math.sin(angle), 0]),
      turn * 2 * Math.PI,
    );
  const first = await at(0);
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  for (let k = 1; k <= 40; k += 1) {
    const { x, y } = await at(k / 40);
    await page.mouse.move(x, y);
  }
  await page.mouse.up();
  const offers = page.getByRole('region', { name: 'Linkages for the drawn path' });
  await expect(offers).toBeVisible();
  await offers.getByRole('button', { name: 'Linkage 1' }).click({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'drawn linkage' })).toBeVisible();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report?.residual_m).toBeLessThan(1e-6);
  // The coupler's pen follows what was drawn: its trace is there, and the others stay offered.
  await expect(offers.getByRole('listitem').first()).toContainText('% off');
  await offers.getByRole('button', { name: 'Close' }).click();
  await expect(offers).toHaveCount(0);
  expect(complaints).toEqual([]);
});
