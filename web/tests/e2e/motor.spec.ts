import { expect, test } from '@playwright/test';
import { drag, drawn, open, saved, seen } from './support';

/** A four-bar with a motor, from nothing: its torque is read and plotted. Every action of the hand is counted. */
test('a four-bar with a motor is built, and its torque read and plotted, in twelve actions', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  let actions = 0;
  const carry = async (part: string, to: [number, number, number]): Promise<void> => {
    actions += 1;
    const button = await page.locator(`[data-part=${part}]`).boundingBox();
    if (button === null) throw new Error(`the palette has no ${part}`);
    const from = { x: button.x + 0.5 * button.width, y: button.y + 0.5 * button.height };
    await drag(page, from, await seen(page, 'ground', to));
  };
  const click = async (name: string): Promise<void> => {
    actions += 1;
    await page.getByRole('button', { name, exact: true }).click();
  };
  const joints = async (): Promise<number> => (await saved(page)).joints?.length ?? 0;

  await click('New');
  await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
  await drawn(page);
  await carry('anchor', [-0.6, 0, 0]);
  await carry('anchor', [-0.2, 0, 0]);
  // Three bars in a row, each joined to the last; the fourth is the ground between the anchors.
  await carry('rod', [-0.35, 0, 0]);
  await expect.poll(joints).toBe(1);
  await carry('rod', [0.15, 0, 0]);
  await expect.poll(joints).toBe(2);
  await carry('rod', [0.65, 0, 0]);
  await expect.poll(joints).toBe(3);
  // The free end is brought to the second anchor.
  actions += 1;
  const end = await seen(page, 'rod 3', [0.25, 0, 0]);
  const anchor = await seen(page, 'ground', [-0.2, 0, 0]);
  await page.mouse.move(end.x, end.y);
  await page.mouse.down();
  await page.mouse.move(end.x - 60, end.y - 160, { steps: 12 });
  await page.mouse.move(anchor.x + 4, anchor.y - 3, { steps: 40 });
  await page.mouse.up();
  await expect.poll(joints).toBe(4);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);

  actions += 2;
  await page.locator('[data-part=motor]').click();
  const hinge = await seen(page, 'ground', [-0.6, 0, 0]);
  await page.mouse.click(hinge.x, hinge.y);
  await click('Panel');
  await expect(page.getByLabel('motion of the motor')).toBeVisible();
  // One joint, one motor: nothing else is in the list.
  expect(await joints()).toBe(4);
  await click('Run');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  const torque = page.locator('[data-live="motor torque"]');
  await expect(torque).toHaveText(/-?\d.* N·m$/);
  expect(Math.abs(Number.parseFloat((await torque.textContent()) ?? '0'))).toBeGreaterThan(0.05);
  await expect(page.locator('[data-live="motor power"]')).toHaveText(/-?\d.* W$/);
  await click('Plot this');
  await expect(page.getByRole('figure', { name: /motor\.torque/ })).toBeVisible();
  const told = page
    .getByRole('row', { name: /motor\.torque/ })
    .getByRole('cell')
    .first();
  await expect.poll(async () => Math.abs(Number.parseFloat((await told.textContent()) ?? '0'))).toBeGreaterThan(0.05);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  await page.screenshot({ path: 'test-results/motor.png' });
  expect(actions).toBeLessThanOrEqual(12);
  expect(complaints).toEqual([]);
});

test('words that people look for find quantities', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  await page.getByRole('tab', { name: 'Plots' }).click();
  for (const word of ['angle', 'speed', 'torque', 'power', 'distance', 'acceleration']) {
    await page.getByLabel('Find a quantity').fill(word);
    await expect(page.getByRole('list', { name: 'Quantities' }).getByRole('button').first()).toBeVisible();
  }
});
