import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { Lab, initSync } from '../../src/wasm/linkwork_wasm.js';

/** Opens a scene and gathers whatever the page complains about. */
const open = async (page: Page, address: string): Promise<string[]> => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => window.linkwork !== undefined);
  await page.evaluate(() => window.linkwork.ready);
  return complaints.filter((text) => !text.includes('GPU stall'));
};

test('a four-bar loads without complaint and runs', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  await expect(page.getByRole('heading', { name: 'four-bar' })).toBeVisible();
  await page.waitForFunction(() => (window.linkwork.report()?.time ?? 0) > 0.2);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report).toMatchObject({ rows: 20, loops: 1 });
  expect(report?.residual).toBeLessThan(1e-6);
  expect(complaints).toEqual([]);
});

for (const [key, drag] of [['1', 'force'], ['2', 'follow'], ['3', 'pin']] as const) {
  test(`the crank is dragged by ${drag} and the rocker follows`, async ({ page }) => {
    const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
    await page.keyboard.press(key);
    await expect(page.getByRole('radio', { name: drag })).toHaveAttribute('aria-checked', 'true');
    const before = await page.evaluate(() => window.linkwork.position('rocker'));
    const from = await page.evaluate(() => window.linkwork.project('crank', [0.2, 0, 0]));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await expect(page.getByRole('status')).toContainText('crank');
    await page.getByRole('button', { name: 'Run' }).press('Enter');
    await page.mouse.move(from.x - 25, from.y + 10, { steps: 8 });
    await page.waitForFunction(
      ([x = 0, y = 0]) => {
        const [a, b] = window.linkwork.position('rocker');
        return Math.hypot(a - x, b - y) > 0.05;
      },
      before,
    );
    const report = await page.evaluate(() => window.linkwork.report());
    expect(report?.residual).toBeLessThan(1e-6);
    await page.mouse.up();
    await expect(page.getByRole('status')).toHaveCount(0);
    expect(complaints).toEqual([]);
  });
}

test('a paused scene steps by single frames, with the bits of node', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  for (let k = 0; k < 3; k += 1) await page.getByRole('button', { name: 'Step' }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time ?? 0) > 2.5 / 60);
  const log = await page.evaluate(() => window.linkwork.log());
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  expect(log?.trim().split('\n')).toHaveLength(5);
  expect(log).toContain(hash);
  initSync({ module: readFileSync(new URL('../../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });
  const lab = Lab.open('four-bar');
  for (let k = 0; k < 3; k += 1) lab.step();
  expect(hash).toBe(lab.state_hash());
});

test('an edit is undone', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.evaluate(() => window.linkwork.apply({ detach: 'D' }));
  await expect(page.locator('[data-fact=loops]')).toHaveText('0');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('[data-fact=loops]')).toHaveText('1');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(page.locator('[data-fact=loops]')).toHaveText('0');
});

test('a scene that does not exist is told in words', async ({ page }) => {
  await open(page, '/?scene=four-bra&quality=low&paused');
  await expect(page.getByRole('alert')).toContainText('did you mean "four-bar"?');
});
