// Tables and pictures that are dropped: curves are fitted to them.

import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { open, saved } from './support';

const give = (page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });

const panel = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Panel', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
};

const fresh = async (page: Page): Promise<string[]> => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await panel(page);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.waitForFunction(async () => JSON.parse(await window.linkwork.save()).name === 'untitled');
  return complaints;
};

/** Points of an ellipse, with a gap. */
const ellipse = (): string => {
  const at = (k: number): [number, number] => {
    const [u, phi] = [(2 * Math.PI * k) / 40, 0.5];
    const [x, y] = [2 * Math.cos(u), 0.8 * Math.sin(u)];
    return [1 + Math.cos(phi) * x - Math.sin(phi) * y, 0.5 + Math.sin(phi) * x + Math.cos(phi) * y];
  };
  const rows = Array.from({ length: 40 }, (_, k) =>
    at(k)
      .map((own) => (1000 * own).toFixed(1))
      .join(','),
  );
  return ['x [mm],y [mm]', ...rows, '12,'].join('\n');
};

test('a table is dropped, an ellipse is fitted to it, and all of it is undone', async ({ page }) => {
  const complaints = await fresh(page);
  await give(page, 'my points.csv', 'text/csv', Buffer.from(ellipse()));
  const table = page.locator('[data-table=my_points]');
  await expect(table).toContainText('41 rows of x, y');
  await table.getByRole('button', { name: 'Fit an ellipse' }).click();
  const objectives = page.getByRole('region', { name: 'Objectives' });
  await objectives.getByRole('button', { name: 'Minimize' }).click();
  await expect(objectives.getByRole('status')).toContainText('At a minimum');
  await expect(objectives.getByText(/^rms \d(\.\d)?e-\d|^rms 0/)).toBeVisible();
  const body = (await saved(page)).bodies.find(({ name }) => name === 'ellipse');
  const values = body?.q as number[];
  expect(Math.max(values[2] ?? 0, values[3] ?? 0)).toBeCloseTo(2, 3);
  expect(values[0]).toBeCloseTo(1, 3);
  await page.screenshot({ path: 'test-results/fit.png' });
  expect(await faults(page)).toEqual([]);
  for (const left of [1, 0, 0]) {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await saved(page)).bodies?.length ?? 0).toBe(left);
  }
  await expect(table).toHaveCount(0);

  // A file that is none is answered with its place.
  await give(page, 'bad.csv', 'text/csv', Buffer.from('x,y\n1,2\n3,four\n'));
  await expect(page.getByText(/four/).first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a snake on a dropped picture finds its edge, and is sharpened', async ({ page }) => {
  const complaints = await fresh(page);
  // A dark disc of 0.3 of the width, a little aside.
  const png = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 200;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#d8d8d8';
    context.fillRect(0, 0, 200, 200);
    context.fillStyle = '#303848';
    context.beginPath();
    context.arc(108, 96, 60, 0, 7);
    context.fill();
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await give(page, 'cell.png', 'image/png', Buffer.from(png, 'base64'));
  const picture = page.locator('[data-picture=cell]');
  await picture.getByRole('button', { name: 'Put a snake on it' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  for (const blur of [6, 3, 1.5]) {
    const now = await page.evaluate(() => window.linkwork.report()?.time_s ?? 0);
    await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time + 0.3, now);
    await picture.getByRole('button', { name: 'Sharpen' }).click();
    await expect(picture.getByText(`${blur} px`)).toBeVisible();
  }
  await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time + 0.5, 1.2);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.screenshot({ path: 'test-results/snake.png' });
  // A pixel is a centimeter: the middle is 8 to the right and 4 up, the radius 60.
  const points = (await saved(page)).bodies.find(({ name }) => name === 'snake')?.q as number[];
  const radii = Array.from({ length: 16 }, (_, k) =>
    Math.hypot((points[2 * k] ?? 0) - 0.08, (points[2 * k + 1] ?? 0) - 0.04),
  );
  // Control points of a round spline lie a little outside it.
  expect(Math.min(...radii)).toBeGreaterThan(0.58);
  expect(Math.max(...radii)).toBeLessThan(0.66);
  expect(complaints).toEqual([]);
});
