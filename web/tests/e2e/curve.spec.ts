// A curve that is drawn by hand: pulled, held, undone, and followed by a linkage.

import { expect, test } from '@playwright/test';
import { drag, open, saved } from './support';

test('a stroke becomes a curve that is pulled, held and followed', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.waitForFunction(async () => JSON.parse(await window.linkwork.save()).name === 'untitled');
  await page.locator('canvas').focus();
  await page.keyboard.press('c');
  await expect(page.getByRole('button', { name: 'Curve', exact: true })).toHaveAttribute('aria-pressed', 'true');
  const at = (k: number): [number, number] => [
    480 + 150 * Math.cos((2 * Math.PI * k) / 60),
    340 + 90 * Math.sin((2 * Math.PI * k) / 60) + 15 * Math.sin((6 * Math.PI * k) / 60),
  ];
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let k = 1; k <= 59; k += 1) await page.mouse.move(...at(k));
  await page.mouse.up();
  await expect.poll(async () => (await saved(page)).bodies?.[0]?.type).toBe('spline');
  const [body] = (await saved(page)).bodies;
  const before = body?.points as number[][];
  expect(body?.closed).toBe(true);
  expect(before.length).toBeLessThan(14);
  await expect(page.getByText(/^spline: \d+ control points, at most .* mm from what was drawn$/)).toBeVisible();
  await page.screenshot({ path: 'test-results/curve.png' });

  // Pulled by hand while time stands; one undo each.
  await drag(page, { x: 630, y: 340 }, { x: 680, y: 330 });
  const places = async () => (await saved(page)).bodies[0]?.q as number[] | undefined;
  await expect.poll(async () => (await places())?.length ?? 0).toBe(2 * before.length);
  const moved = (await places())?.map((own, k) => Math.abs(own - (before.flat()[k] ?? 0))) ?? [];
  expect(Math.max(...moved)).toBeGreaterThan(0.05);

  // Held: an anchor that is dropped on it joins a point of the curve.
  const anchor = page.locator('[data-part=anchor]');
  const box = await anchor.boundingBox();
  if (box === null) throw new Error('no anchor');
  await drag(page, { x: box.x + 20, y: box.y + 10 }, { x: 331, y: 340 });
  await expect.poll(async () => (await saved(page)).joints?.length ?? 0).toBe(1);
  expect(JSON.stringify((await saved(page)).joints)).toMatch(/"curve":/);

  for (const [joints, bodies] of [
    [0, 1],
    [0, 1],
    [0, 0],
  ] as const) {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await saved(page)).joints?.length ?? 0).toBe(joints);
    await expect.poll(async () => (await saved(page)).bodies?.length ?? 0).toBe(bodies);
  }
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(async () => (await saved(page)).bodies?.length ?? 0).toBe(1);

  // Linkages whose point follows it.
  await page.getByRole('button', { name: 'Find linkages' }).click();
  const offers = page.getByRole('region', { name: 'Linkages for the drawn path' });
  await expect(offers.getByRole('button', { name: 'Linkage 1' })).toBeVisible({ timeout: 40_000 });
  await page.screenshot({ path: 'test-results/curve-linkages.png' });
  expect(complaints).toEqual([]);
});
