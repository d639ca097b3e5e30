import { expect, type Page, test } from '@playwright/test';
import { open, saved, show } from './support';

const rename = async (page: Page, from: string, to: string): Promise<void> => {
  const field = page.getByRole('textbox', { name: `name of ${from}`, exact: true });
  await field.fill(to);
  await field.press('Enter');
};

test('a body has another name, and what is selected, watched and plotted goes along', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  const before = await page.evaluate(() => window.linkwork.stateHash());
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'crank' }));
  await show(page, 'Inspect');
  await page.getByRole('button', { name: 'Plot this', exact: true }).click();
  await expect(page.getByRole('figure', { name: /body\.crank\.position/ })).toBeVisible();
  for (let k = 0; k < 3; k += 1) await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 2.5 / 60);
  const later = await page.evaluate(() => window.linkwork.stateHash());
  await show(page, 'Inspect');
  await rename(page, 'crank', 'left arm');
  // It is still what is selected, and the field that was typed in has the keys.
  await expect(page.getByRole('heading', { name: 'left arm', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'name of left arm', exact: true })).toBeFocused();
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(later);
  const { bodies, joints } = await saved(page);
  expect(bodies.map(({ name }) => name)).toEqual(['left arm', 'coupler', 'rocker']);
  expect(JSON.stringify(joints)).not.toContain('crank');
  await show(page, 'Plots');
  const curve = page.getByRole('figure', { name: /body\."left arm"\.position/ });
  await expect(curve).toBeVisible();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 3.5 / 60);
  const told = page.getByRole('row', { name: /left arm.*position/ }).first();
  await expect(told.getByRole('cell').first()).toHaveText(/\d/);
  // A name that is taken is refused in words, beside the field.
  await show(page, 'Inspect');
  await rename(page, 'left arm', 'rocker');
  await expect(page.locator('.refusal')).toContainText('"rocker" is taken by a body');
  // Undo takes the name back, and everything goes along again.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'crank', exact: true })).toBeVisible();
  await show(page, 'Plots');
  await expect(page.getByRole('figure', { name: /body\.crank\.position/ })).toBeVisible();
  // A joint takes its motor along.
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'A' }));
  await show(page, 'Inspect');
  await page.getByRole('button', { name: 'Drive it', exact: true }).click();
  await expect(page.getByLabel('motion of the motor')).toBeVisible();
  await rename(page, 'A', 'pivot');
  await expect(page.getByRole('heading', { name: 'pivot', exact: true })).toBeVisible();
  await expect(page.getByLabel('motion of the motor')).toBeVisible();
  expect((await saved(page)).joints?.map(({ name }) => name)).toEqual(['pivot', 'B', 'C', 'D']);
  expect(before).not.toBe(later);
  expect(complaints).toEqual([]);
});
