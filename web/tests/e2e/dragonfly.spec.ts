// The dragonfly is swatted: its joints hold, and it stays mangled.

import { expect, test } from '@playwright/test';
import { open } from './support';

test('the dragonfly is swatted, and colored by how it is displaced', async ({ page }) => {
  const complaints = await open(page, '/?scene=dragonfly-swat&quality=low&paused');
  await page.getByLabel('Color', { exact: true }).selectOption('displacement');
  const scale = page.getByRole('img', { name: /^displacement from 0 to/ });
  await expect(scale).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.8, undefined, { timeout: 50_000 });
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  // Something of it was moved by more than a millimeter, and its joints are closed.
  await expect(scale).toContainText(/[1-9]\d* mm/);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  await page.screenshot({ path: 'test-results/dragonfly.png' });
  expect(complaints).toEqual([]);
});
