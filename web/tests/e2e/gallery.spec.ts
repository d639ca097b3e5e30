import { expect, test } from '@playwright/test';
import { open } from './support';

test.use({ viewport: { width: 480, height: 360 } });

test('every scene of the library opens and runs without complaint', async ({ page }) => {
  test.setTimeout(300_000);
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  const names = await page.evaluate(() => window.linkwork.library().map(({ small }) => small));
  expect(names.length).toBeGreaterThan(50);
  const wrong: string[] = [];
  for (const name of names) {
    const report = await page.evaluate(async (scene) => {
      await window.linkwork.open(scene);
      // A fifth of a second of the scene, however slow the machine is; same-bits steps it for longer.
      while ((window.linkwork.report()?.time_s ?? 0) < 0.2) await window.linkwork.step();
      return window.linkwork.report();
    }, name);
    const fault = await page.getByRole('alert').allTextContents();
    if (report === null || !Number.isFinite(report.residual_m) || !Number.isFinite(report.energy.total_j)) {
      wrong.push(`${name}: ${JSON.stringify(report)}`);
    }
    wrong.push(...fault.map((text) => `${name}: ${text}`), ...complaints.splice(0).map((text) => `${name}: ${text}`));
  }
  expect(wrong).toEqual([]);
});

test('the gallery shows pictures, is searched, and opens a scene with numbers', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 600 });
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  await page.getByRole('button', { name: 'Scenes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scenes' });
  await expect(dialog).toBeVisible();
  const card = dialog.getByRole('button', { name: /^four-bar A / });
  await expect(card).toHaveAttribute('aria-current', 'true');
  await expect(card.locator('img')).toHaveAttribute('src', /^data:image\/png/);
  // Pictures of what is not seen are not made.
  expect(await dialog.locator('img').count()).toBeLessThan(40);
  // The scene behind runs on, and keys do not reach it.
  const before = await page.evaluate(() => window.linkwork.report()?.time_s ?? 0);
  await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time, before);
  await dialog.getByRole('searchbox').fill('ball joints level');
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(dialog.getByRole('listitem').locator('img')).toHaveCount(1);
  await dialog.getByRole('textbox', { name: 'N' }).fill('5');
  await dialog.getByRole('textbox', { name: 'N' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'chain:5' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('scene')).toBe('chain:5');
  expect(complaints).toEqual([]);
});

test('the gallery keeps the focus and is closed by Escape', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  const scenes = page.getByRole('button', { name: 'Scenes' });
  await scenes.click();
  const dialog = page.getByRole('dialog', { name: 'Scenes' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  const isInside = () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null;
  expect(await page.evaluate(isInside)).toBe(true);
  await page.keyboard.press('.');
  expect(await page.evaluate(() => window.linkwork.report()?.time_s)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(scenes).toBeFocused();
  // And again.
  await scenes.click();
  await expect(dialog).toBeVisible();
});

test('the help has every key, and keys of the scene rest while it is open', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help.getByText('Ctrl+Shift+Z')).toBeVisible();
  await page.keyboard.press('.');
  expect(await page.evaluate(() => window.linkwork.report()?.time_s)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.getByRole('button', { name: 'Help' }).click();
  await expect(help).toBeVisible();
});

test('the help leads to the licenses of all that is in the page', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.keyboard.press('?');
  const link = page.getByRole('link', { name: 'Licenses of third-party code' });
  const [other] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  for (const part of ['three v', 'preact v', 'serde_json v', 'wasm-bindgen v', 'Permission is hereby granted'])
    await expect(other.getByText(part).first()).toBeAttached();
});
