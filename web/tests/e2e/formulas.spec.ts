// Parameters and formulas, as people type them.

import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { drag, open, saved, seen, shelved, show, slide } from './support';

const text = (page: Page): Promise<string> => page.evaluate(() => window.linkwork.save());

test('a parameter is made, used in a field, slid, undone, and there after a reload', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await show(page, 'Formulas');
  await page.getByRole('button', { name: 'Add a parameter' }).click();
  const value = page.getByLabel('value of L');
  await expect(value).toHaveValue('1');
  await expect(page.getByText('not used yet')).toBeVisible();

  // A field of the inspector becomes a text over it.
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'crank' }));
  await show(page, 'Inspect');
  const mass = page.getByLabel('mass, kg');
  await mass.fill('=2L');
  await mass.press('Enter');
  await expect(mass).toHaveValue('=2L');
  await expect.poll(() => text(page)).toContain('"mass": "=2L"');

  await show(page, 'Formulas');
  await expect(page.getByText('used once')).toBeVisible();
  await slide(page, 'slider of L', 1.5);
  await expect(value).toHaveValue('1.5');
  await expect.poll(async () => JSON.parse(await text(page)).parameters.L).toBe(1.5);
  // The whole way of the slider is one edit.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(value).toHaveValue('1');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(value).toHaveValue('1.5');
  expect(await faults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/formulas.png' });

  // What is kept has the text, and what was done again.
  const works = () => shelved(page).catch(() => []);
  const kept = async (): Promise<string> => (await works()).map((own) => own.text).join();
  await expect.poll(kept).toContain('=2L');
  await expect.poll(kept).toContain('"L": 1.5');
  await page.reload();
  await page.waitForFunction(() => window.linkwork !== undefined);
  await page.evaluate(() => window.linkwork.ready);
  await expect.poll(() => text(page)).toContain('"mass": "=2L"');
  await show(page, 'Formulas');
  await expect(page.getByLabel('value of L')).toHaveValue('1.5');
  expect(complaints).toEqual([]);
});

test('a name that is misspelled is marked, mended, or made a parameter', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar-design&quality=low&paused');
  await show(page, 'Formulas');
  const value = page.getByLabel('value of speed');
  await value.fill('=2*diagnal');
  await expect(page.locator('.mistake mark')).toHaveText('diagnal');
  await expect(page.locator('.mistake')).toContainText('did you mean diagonal?');
  // Nothing applies until it is whole.
  await value.press('Enter');
  expect(JSON.parse(await text(page)).parameters.speed).toBe('=30rpm');
  await page.screenshot({ path: 'test-results/formulas-mistake.png' });
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Write =2*diagonal' }).click();
  await value.press('Enter');
  await expect.poll(async () => JSON.parse(await text(page)).parameters.speed).toBe('=2*diagonal');

  await value.fill('=pace*1rpm');
  await page.getByRole('button', { name: 'Make pace a parameter' }).click();
  await expect(page.getByLabel('value of pace')).toHaveValue('1');
  await expect.poll(async () => JSON.parse(await text(page)).parameters.speed).toBe('=pace*1rpm');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => JSON.parse(await text(page)).parameters.speed).toBe('=2*diagonal');
  expect(JSON.parse(await text(page)).parameters.pace).toBeUndefined();

  // A new name goes into all texts.
  const name = page.getByLabel('name of d', { exact: true });
  await name.fill('span');
  await name.press('Enter');
  await expect.poll(() => text(page)).toContain('=sqrt(a^2 + span^2)');
  await page.getByRole('button', { name: 'Remove span' }).click();
  await expect(page.locator('.refusal')).toContainText('is used by');
  await page.getByRole('button', { name: 'Remove, and keep the values' }).click();
  await expect.poll(() => text(page)).toContain('=sqrt(a^2 + (2)^2)');
  expect(complaints).toEqual([]);
});

test('proportions change while the mechanism runs', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar-design&quality=low&paused');
  await show(page, 'Formulas');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.3);
  await slide(page, 'slider of a', 0.6);
  await expect(page.getByLabel('value of a', { exact: true })).toHaveValue('0.6');
  const now = await page.evaluate(() => window.linkwork.report()?.time_s ?? 0);
  await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time + 0.3, now);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-5);
  const scene = await saved(page);
  expect(scene.bodies.find(({ name }) => name === 'crank')?.mass).toBe('=a');
  expect(complaints).toEqual([]);
});

test('a relation is typed, checked as it is typed, and held', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await show(page, 'Formulas');
  const relation = page.getByLabel('new relation');
  await relation.fill('cupler.y');
  await expect(page.locator('.mistake mark')).toHaveText(/cupler/);
  await relation.fill('coupler.y <= 9');
  await expect(page.locator('.mistake')).toHaveCount(0);
  await relation.press('Enter');
  await expect(page.getByLabel('formula of formula 1')).toHaveValue('coupler.y <= 9');
  await expect.poll(() => text(page)).toContain('coupler.y <= 9');
  expect(complaints).toEqual([]);
});

test('an objective is typed, gone down, switched off, and one undo goes back', async ({ page }) => {
  const complaints = await open(page, '/?scene=least-tin&quality=low&paused');
  await show(page, 'Formulas');
  const objectives = page.getByRole('region', { name: 'Objectives' });
  const before = await page.evaluate(() => window.linkwork.stateHash());
  await objectives.getByRole('button', { name: 'Minimize' }).click();
  await expect(objectives.getByRole('status')).toContainText('At a minimum');
  expect(await page.evaluate(() => window.linkwork.stateHash())).not.toBe(before);
  await page.screenshot({ path: 'test-results/objectives.png' });
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.evaluate(() => window.linkwork.stateHash())).toBe(before);

  // What is made small at the same time pulls too, until it is switched off.
  const fresh = objectives.getByLabel('new objective');
  await fresh.fill('minimise 1');
  await expect(objectives.locator('.mistake')).toHaveCount(1);
  await fresh.fill('can.r ~ 1');
  await fresh.press('Enter');
  await expect(objectives.getByLabel('formula of formula 1')).toHaveValue('can.r ~ 1');
  await objectives.getByLabel('formula 1', { exact: true }).uncheck();
  await expect(objectives.getByText('off', { exact: true })).toBeVisible();
  await expect.poll(() => text(page)).toContain('"enabled": false');
  expect(complaints).toEqual([]);
});

test('an ellipse is typed and pulled, an equation with one sign is mended, and the scene has a name', async ({
  page,
}) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('button', { name: 'untitled' }).click();
  await page.getByLabel('Name of the scene').fill('egg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'egg' })).toBeVisible();
  await expect(page).toHaveTitle('egg – Linkwork lab');

  await show(page, 'Formulas');
  const curve = page.getByLabel('new curve');
  await curve.fill('[a*cos(u), b*sin(u)]');
  await curve.press('Enter');
  await expect(page.getByLabel('formula of graph')).toHaveValue('[a*cos(u), b*sin(u)]');
  const from = await seen(page, 'ground', [1, 0, 0]);
  await drag(page, from, { x: from.x - 40, y: from.y });
  const values = async (): Promise<number[]> => ((await saved(page)).bodies[0]?.q ?? []) as number[];
  await expect.poll(async () => (await values())[0] ?? 1).toBeLessThan(0.95);
  expect((await values())[1]).toBeCloseTo(1, 3);

  const relation = page.getByLabel('new relation');
  await relation.fill('graph.a = 2*graph.b');
  await page.getByRole('button', { name: 'Write graph.a == 2*graph.b' }).click();
  await relation.press('Enter');
  const off = async (): Promise<number> => {
    const [a = 0, b = 0] = await values();
    return Math.abs(a - 2 * b);
  };
  await expect.poll(off).toBeLessThan(1e-6);
  // The keys of a field that was left are the scene's; of one that is typed in, its own.
  await page.keyboard.press('Control+z');
  await expect(page.getByLabel('formula of formula 1')).toHaveCount(0);
  await page.keyboard.press('Control+Shift+z');
  await page.getByRole('button', { name: 'Remove formula 1' }).click();
  await expect(page.getByLabel('formula of formula 1')).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
