// Knowing a scene: what it is, how exact it is, what it does, what is wrong with it.

import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { open } from './support';

const PAUSED = '/?scene=four-bar&quality=low&paused';

const show = async (page: Page, tab: string): Promise<void> => {
  const panel = page.getByRole('button', { name: 'Panel', exact: true });
  if ((await panel.getAttribute('aria-pressed')) !== 'true') await panel.click();
  await page.getByRole('tab', { name: tab }).click();
};

const step = async (page: Page, count: number): Promise<void> => {
  const before = (await page.evaluate(() => window.linkwork.report()?.time_s)) ?? 0;
  for (let k = 0; k < count; k += 1) await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time, before + (count - 0.5) / 60);
};

const position = (page: Page, body: string): Promise<[number, number, number]> =>
  page.evaluate((name) => window.linkwork.position(name), body);

const apart = (a: number[], b: number[]): number => Math.hypot(...a.map((x, k) => x - (b[k] ?? 0)));

test('the tree filters, selects by click and by keys', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Tree');
  const list = page.getByRole('tree', { name: 'Things of the scene' });
  await expect(list.getByRole('treeitem')).toHaveCount(11);
  await page.getByLabel('Find in the scene').fill('hinge');
  await expect(list.getByRole('treeitem')).toHaveCount(5);
  await page.getByLabel('Find in the scene').fill('rock');
  await list.getByRole('treeitem', { name: 'rocker' }).click();
  await expect(list.getByRole('treeitem', { name: 'rocker' })).toHaveAttribute('aria-selected', 'true');
  await page.getByLabel('Find in the scene').fill('');
  await list.press('ArrowDown');
  await expect(list.locator('[data-at=true]')).toHaveText('Joints4');
  await list.press('ArrowDown');
  await expect(list.getByRole('treeitem', { name: 'A hinge' })).toHaveAttribute('aria-selected', 'true');
  await show(page, 'Inspect');
  await expect(page.getByRole('heading', { name: 'A', exact: true })).toBeVisible();
  await expect(page.getByLabel('type', { exact: true })).toHaveValue('hinge');
  expect(complaints).toEqual([]);
});

test('a large scene has a short list', async ({ page }) => {
  await open(page, '/?scene=chain:1000&quality=low&paused');
  await show(page, 'Tree');
  const list = page.getByRole('tree', { name: 'Things of the scene' });
  await list.press('End');
  await expect(list.getByRole('treeitem', { name: 'joint 999 ball' })).toBeVisible();
  expect(await list.getByRole('treeitem').count()).toBeLessThan(60);
});

test('a longer crank keeps its joints closed and moves the rocker, and one undo takes it back', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Inspect');
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'crank' }));
  const length = page.getByLabel('size x, m');
  await expect(length).toHaveValue('1');
  const before = await position(page, 'rocker');
  await length.fill('1.2');
  await length.press('Enter');
  await expect(length).toHaveValue('1.2');
  await page.waitForFunction(() => (window.linkwork.report()?.undo ?? 0) === 1);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report?.residual_m).toBeLessThan(1e-6);
  expect(apart(await position(page, 'rocker'), before)).toBeGreaterThan(0.01);

  // Dragged by its label: many edits, one undo.
  const label = page.locator('.scrub', { hasText: 'size x' });
  const box = await label.boundingBox();
  if (box === null) throw new Error('the label is not there');
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 25, box.y + 5, { steps: 10 });
  await page.mouse.up();
  await expect(length).not.toHaveValue('1.2');
  await expect.poll(async () => Number(await length.inputValue())).toBeCloseTo(1.2 * 2 ** (20 / 120), 2);
  await expect.poll(() => page.evaluate(() => window.linkwork.report()?.undo)).toBe(2);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(length).toHaveValue('1.2');

  // What is no length does not reach the engine, and the old one stays.
  for (const [typed, words] of [
    ['', 'a number is needed'],
    ['-1', 'must be above 0'],
    ['long', 'a number is needed'],
  ] as const) {
    await length.fill(typed);
    await length.press('Enter');
    await expect(page.locator('.refusal')).toHaveText(words);
    await expect(length).toHaveValue('1.2');
  }
  expect(await page.evaluate(() => window.linkwork.report()?.undo)).toBe(1);
  expect(complaints).toEqual([]);
});

test('what the engine refuses is said beside the field', async ({ page }) => {
  await open(page, PAUSED);
  await show(page, 'Inspect');
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'B' }));
  await page.getByLabel('type', { exact: true }).selectOption('distance');
  await expect(page.locator('.refusal')).toContainText('to keep two points together use a ball joint');
  await expect(page.getByLabel('type', { exact: true })).toHaveValue('hinge');
  await page.getByLabel('type', { exact: true }).selectOption('ball');
  await expect(page.getByLabel('type', { exact: true })).toHaveValue('ball');
  await page.waitForFunction(() => window.linkwork.report()?.rows === 18);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
});

test('a body is copied, detached, plotted and deleted, and all of it undone', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Inspect');
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'rocker' }));
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'rocker 2' })).toBeVisible();
  expect(apart(await position(page, 'rocker 2'), await position(page, 'rocker'))).toBeGreaterThan(0.1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'World' })).toBeVisible();
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'rocker' }));
  await page.getByRole('button', { name: 'Detach' }).click();
  await expect(page.locator('[data-fact=rows]')).toHaveText('10');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.locator('[data-fact=rows]')).toHaveText('20');
  await page.getByRole('button', { name: 'Plot this' }).click();
  await expect(page.getByRole('figure', { name: /body.rocker.position.x/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Inspect' }).click();
  await page.getByLabel('takes part').uncheck();
  await expect(page.locator('[data-fact=rows]')).toHaveText('10');
  await page.getByLabel('type', { exact: true }).selectOption('rod');
  await expect(page.getByLabel('radius, m')).toHaveValue('0.125');
  await page.getByLabel('Show forces in joints').check();
  expect(complaints).toEqual([]);
});

test('a hinge is driven, and its speed changes while it runs', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Inspect');
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'A' }));
  await page.getByRole('button', { name: 'Drive it' }).click();
  const speed = page.getByLabel('speed, °/s');
  await expect(speed).toHaveValue('90');
  await step(page, 6);
  const angle = async (): Promise<number> => {
    const [x, y] = await position(page, 'crank');
    return (Math.atan2(y, x) * 180) / Math.PI;
  };
  // Starts at 60°, and a tenth of a second makes nine degrees.
  expect(await angle()).toBeCloseTo(69, 3);
  await speed.fill('-300');
  await speed.press('Enter');
  await page.waitForFunction(() => (window.linkwork.report()?.undo ?? 0) === 2);
  expect(await angle()).toBeCloseTo(69, 3);
  await step(page, 6);
  expect(await angle()).toBeCloseTo(39, 3);
  // Of the frame that is shown, not of the start; the crank is asked about after it has moved, while time stands.
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'crank' }));
  await expect(page.locator('[data-live="turns at"]')).toHaveText('300 °/s');
  await expect(page.locator('[data-live=speed]')).not.toHaveText(/^(0 m\/s|–)$/);
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'A' }));
  await expect(page.locator('[data-live=force]')).toContainText(/\d N$/);
  // While time runs too: the angle goes on from where it is, whenever the edit arrives.
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByLabel('motion of the motor').selectOption('constant');
  await page.waitForFunction(() => (window.linkwork.report()?.undo ?? 0) === 3);
  const held = await angle();
  const since = (await page.evaluate(() => window.linkwork.report()?.time_s)) ?? 0;
  await page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time + 0.1, since);
  expect(await angle()).toBeCloseTo(held, 6);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  expect(complaints).toEqual([]);
});

test('the dial changes what a step costs and how closed joints are', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Exactness');
  const dial = page.getByLabel('Accuracy', { exact: true });
  await expect(dial).toHaveAttribute('aria-valuetext', 'exact');
  const turned = async (stop: number, name: string): Promise<{ iterations: number; residual: number }> => {
    await dial.fill(String(stop));
    await expect(dial).toHaveAttribute('aria-valuetext', name);
    await step(page, 3);
    const report = await page.evaluate(() => window.linkwork.report());
    await expect(page.locator('[data-effect=iterations]')).toHaveText(String(report?.iterations));
    return { iterations: report?.iterations ?? 0, residual: report?.residual_m ?? 1 };
  };
  const fast = await turned(0, 'fast');
  const precise = await turned(3, 'precise');
  const exact = await turned(2, 'exact');
  const closed = await turned(1, 'closed');
  expect(precise.iterations).toBeGreaterThan(exact.iterations);
  expect(exact.iterations).toBeGreaterThan(fast.iterations);
  expect(fast.residual).toBeLessThan(1e-3);
  expect(fast.residual).toBeGreaterThan(exact.residual);
  expect(closed.residual).toBeLessThan(1e-6);
  expect(exact.residual).toBeLessThan(1e-9 * 1.01);
  expect(precise.residual).toBeLessThan(1e-11);
  expect(complaints).toEqual([]);
});

test('with few iterations joints open while the hand moves, and close again when it rests', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await page.evaluate(() =>
    window.linkwork.apply({
      set_world: { gravity: [0, -9.81, 0], method: 'normal-cg', solve_iterations: 5, iterations: 10, tolerance: 1e-6 },
    }),
  );
  await page.evaluate(() => {
    const gaps: number[] = [];
    const look = (): void => {
      gaps.push(window.linkwork.report()?.residual_m ?? 0);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { gaps });
  });
  const from = await page.evaluate(() => window.linkwork.project('crank', [0.4, 0, 0]));
  const to = await page.evaluate(() => window.linkwork.project('ground', [0.9, 0.1, 0]));
  await page.keyboard.press('2');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
  const widest = async (): Promise<number> =>
    page.evaluate(() => Math.max(...(window as unknown as { gaps: number[] }).gaps));
  await expect.poll(widest).toBeGreaterThan(1e-4);
  // The hand still holds: it rests.
  await expect.poll(() => page.evaluate(() => window.linkwork.report()?.residual_m ?? 1)).toBeLessThan(1e-5);
  await page.mouse.up();
  expect(complaints).toEqual([]);
});

test('in first order everything stops when forces do', async ({ page }) => {
  await open(page, PAUSED);
  await show(page, 'Exactness');
  await page.getByRole('radio', { name: 'First order' }).click();
  await expect(page.getByRole('radio', { name: 'First order' })).toHaveAttribute('aria-checked', 'true');
  const start = await position(page, 'coupler');
  await step(page, 5);
  const moved = await position(page, 'coupler');
  expect(apart(moved, start)).toBeGreaterThan(0.01);
  await show(page, 'Inspect');
  const gravity = page.getByLabel('gravity y, m/s²');
  await gravity.fill('0');
  await gravity.press('Enter');
  await page.waitForFunction(() => (window.linkwork.report()?.undo ?? 0) === 2);
  await step(page, 5);
  expect(apart(await position(page, 'coupler'), moved)).toBeLessThan(1e-9);
  // With momentum they would go on.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await step(page, 10);
  await gravity.fill('0');
  await gravity.press('Enter');
  await page.waitForFunction(() => (window.linkwork.report()?.undo ?? 0) === 1);
  const swinging = await position(page, 'coupler');
  await step(page, 5);
  expect(apart(await position(page, 'coupler'), swinging)).toBeGreaterThan(0.01);
});

test('a contradiction is pointed out and named, with what to do', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  // The crank reaches a meter up; the cord would have to be 1.9 m shorter than that leaves.
  await page.evaluate(() =>
    window.linkwork.apply({
      join: {
        name: 'cord',
        type: 'distance',
        length: 0.1,
        a: { body: 'ground', point: [0, 3, 0] },
        b: { body: 'crank', point: [0.5, 0, 0] },
      },
    }),
  );
  const hint = page.locator('.hint');
  await expect(hint).toContainText('Joints are open');
  await hint.getByRole('button', { name: 'Diagnose' }).click();
  const list = page.getByRole('list', { name: 'Contradictory joints' });
  await expect(list).toContainText('cord stays open by 0.95 m');
  await expect(list).toContainText('Detach it');
  await expect(page.getByRole('list', { name: 'Redundant joints' })).not.toContainText('cord');
  await list.getByRole('button', { name: 'cord' }).click();
  await show(page, 'Inspect');
  await page.getByRole('button', { name: 'Detach' }).click();
  await expect(hint).toHaveCount(0);
  await show(page, 'Diagnosis');
  await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
  await expect(page.getByText('Can move in 1 way. All joints are closed.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('wiggle shows what can move and changes nothing', async ({ page }) => {
  await open(page, PAUSED);
  await show(page, 'Diagnosis');
  await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Motions' })).toContainText('crank');
  const hash = await page.evaluate(() => window.linkwork.stateHash());
  const still = await position(page, 'crank');
  const wiggle = page.getByRole('button', { name: 'Wiggle' });
  await wiggle.click();
  await expect(wiggle).toHaveAttribute('aria-pressed', 'true');
  await page.waitForFunction((from) => {
    const [x, y] = window.linkwork.position('crank');
    return Math.hypot(x - (from[0] ?? 0), y - (from[1] ?? 0)) > 0.02;
  }, still);
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
  await wiggle.click();
  await expect(wiggle).toHaveAttribute('aria-pressed', 'false');
  expect(apart(await position(page, 'crank'), still)).toBe(0);
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
});

test('energy and a force are plotted and downloaded', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await show(page, 'Plots');
  await expect(page.getByRole('checkbox', { name: 'energy' })).toBeChecked();
  await page.getByLabel('Find a quantity').fill('joint.D force');
  await page.getByRole('list', { name: 'Quantities' }).getByRole('button', { name: 'joint.D.force N' }).click();
  await expect(page.getByRole('figure')).toHaveCount(2);
  await step(page, 10);
  const row = page.getByRole('row', { name: /energy\.total/ });
  await expect(row).toContainText('91.');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('four-bar.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines[0]).toBe('time [s],energy.total [J],joint.D.force.x [N],joint.D.force.y [N],joint.D.force.z [N]');
  expect(lines).toHaveLength(11);
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  expect(rows.flat().every(Number.isFinite)).toBe(true);
  expect(rows[9]?.[0]).toBeCloseTo(10 / 60, 9);
  // Another scene starts afresh, with what it has too.
  await page.evaluate(() => window.linkwork.open('double-pendulum'));
  await expect(page.getByRole('figure')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
  expect(complaints).toEqual([]);
});
