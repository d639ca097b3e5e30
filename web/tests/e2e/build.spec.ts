import { expect, type Page, test } from '@playwright/test';
import { drag, drawn, open, saved, seen } from './support';

const names = async (page: Page, list: 'bodies' | 'joints' | 'behaviors' | 'connectors'): Promise<string[]> =>
  ((await saved(page))[list] ?? []).map(({ name }) => name);

/** Carries a part of the palette to a point of the world. */
const carry = async (page: Page, part: string, to: [number, number, number]): Promise<void> => {
  const button = await page.locator(`[data-part=${part}]`).boundingBox();
  if (button === null) throw new Error(`the palette has no ${part}`);
  const from = { x: button.x + 0.5 * button.width, y: button.y + 0.5 * button.height };
  await drag(page, from, await seen(page, 'ground', to));
};

const empty = async (page: Page): Promise<string[]> => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
  await drawn(page);
  return complaints;
};

test('a pendulum is built, gets a second rod, runs, is taken apart and put together again', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'anchor', [0, 0.5, 0]);
  await expect.poll(() => names(page, 'connectors')).toEqual(['anchor']);
  // The left end of the rod comes near the anchor: it joins there exactly.
  await carry(page, 'rod', [0.26, 0.49, 0]);
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
  await expect(page.getByRole('group', { name: 'New joint' })).toBeVisible();
  const [x, y] = await page.evaluate(() => window.linkwork.position('rod'));
  expect([x, y]).toEqual([expect.closeTo(0.25, 2), expect.closeTo(0.5, 2)]);
  // A second rod is dropped aside, and brought to the first by hand.
  await carry(page, 'rod', [0.2, -0.3, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod', 'rod 2']);
  expect(await names(page, 'joints')).toHaveLength(1);
  const free = await seen(page, 'rod 2', [-0.25, 0, 0]);
  const end = await seen(page, 'rod', [0.25, 0, 0]);
  await drag(page, free, { x: end.x + 5, y: end.y + 4 }, 20);
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground', 'rod 2 – rod']);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report?.residual_m).toBeLessThan(1e-6);
  await page.screenshot({ path: 'test-results/pendulum.png' });

  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  const fallen = await page.evaluate(() => window.linkwork.position('rod 2'));
  expect(fallen[1]).toBeLessThan(0.3);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);

  // Apart, undone and done again, while time runs.
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'rod 2 – rod' }));
  await page.keyboard.press('u');
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground', 'rod 2 – rod']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();

  const hash = await page.evaluate(() => window.linkwork.stateHash());
  const text = await page.evaluate(() => window.linkwork.save());
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(() => page.evaluate(() => window.linkwork.stateHash())).not.toBe(hash);
  await page.evaluate((scene) => window.linkwork.open(scene ?? ''), text);
  expect(await page.evaluate(() => window.linkwork.stateHash())).toBe(hash);
  expect(complaints).toEqual([]);
});

test('an anchor holds what it is dropped on, and equal rods meet where the pointer is', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'rod', [0, 0.5, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod']);
  // On the right end, not quite: it snaps there. The sign of the anchor gives way to that of the joint.
  await carry(page, 'anchor', [0.27, 0.48, 0]);
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
  expect(await names(page, 'connectors')).toEqual(['anchor']);
  await expect(page.locator('.marks .anchor')).toHaveCount(0);
  const { joints } = await saved(page);
  expect(joints?.[0]).toMatchObject({ type: 'hinge', b: { body: 'rod', point: [expect.closeTo(0.25, 9), 0] } });
  // Both are one edit, and what is held there is not held twice.
  await page.keyboard.press('Control+z');
  await expect.poll(() => names(page, 'connectors')).toEqual([]);
  expect(await names(page, 'joints')).toEqual([]);
  await page.keyboard.press('Control+Shift+z');
  await carry(page, 'anchor', [0.25, 0.5, 0]);
  await expect.poll(() => names(page, 'connectors')).toEqual(['anchor', 'anchor 2']);
  expect(await names(page, 'joints')).toEqual(['rod – ground']);
  // A rod that is dropped on the middle of a rod is joined there, not by its left end.
  await carry(page, 'rod', [0, 0.49, 0]);
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground', 'rod 2 – rod']);
  const crossed = (await saved(page)).joints?.[1];
  expect(crossed).toMatchObject({ a: { point: [0, 0] }, b: { point: [0, 0] } });
  // The held end stays.
  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.3);
  const end = await page.evaluate(() => window.linkwork.project('rod', [0.25, 0, 0]));
  const anchor = await seen(page, 'ground', [0.25, 0.5, 0]);
  expect(Math.hypot(end.x - anchor.x, end.y - anchor.y)).toBeLessThan(1);
  expect(complaints).toEqual([]);
});

test('places join while time runs, close smoothly, and the joint becomes another one', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'anchor', [0, 0.5, 0]);
  await carry(page, 'rod', [0, 0, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod']);
  await page.evaluate(() => window.linkwork.apply({ set_world: { gravity: [0, 0, 0] } }));
  await page.keyboard.press('Space');
  const from = await seen(page, 'rod', [-0.25, 0, 0]);
  const to = await seen(page, 'ground', [0, 0.5, 0]);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x + 9, to.y + 5, { steps: 25 });
  await expect(page.locator('.marks .ring')).toHaveCount(2);
  await page.mouse.up();
  await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
  const chip = page.getByRole('group', { name: 'New joint' });
  await chip.getByRole('combobox').selectOption({ label: 'weld' });
  await expect.poll(async () => (await saved(page)).joints?.[0]?.type).toBe('weld');
  const time = (await page.evaluate(() => window.linkwork.report()?.time_s)) ?? 0;
  await page.waitForFunction((since) => (window.linkwork.report()?.time_s ?? 0) > since + 0.5, time);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  const end = await seen(page, 'rod', [-0.25, 0, 0]);
  expect(Math.hypot(end.x - to.x, end.y - to.y)).toBeLessThan(1);
  await chip.getByRole('button', { name: 'Detach' }).click();
  await expect.poll(() => names(page, 'joints')).toEqual([]);
  await expect(chip).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('every part of the palette is dropped by a click, and the world runs on', async ({ page }) => {
  const complaints = await empty(page);
  const parts = ['rod', 'plate', 'disc', 'box', 'blob', 'ball', 'particle', 'troid'];
  for (const part of parts) await page.locator(`[data-part=${part}]`).press('Enter');
  await expect.poll(() => names(page, 'bodies')).toEqual(parts);
  expect(await names(page, 'joints')).toEqual([]);
  await page.screenshot({ path: 'test-results/parts.png' });
  await page.keyboard.press('Escape');
  await page.locator('canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  // Everything falls, and nothing else: −g·t²/2 for all.
  const heights = await page.evaluate((all) => all.map((part) => window.linkwork.position(part)[1]), parts);
  expect(Math.max(...heights)).toBeLessThan(-0.2);
  expect(complaints).toEqual([]);
});

test('in space parts have depth, and places join by balls', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New 3D', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
  await carry(page, 'anchor', [0, 0.4, 0]);
  await expect.poll(() => names(page, 'connectors')).toEqual(['anchor']);
  await carry(page, 'rod', [0.25, 0.4, 0]);
  await carry(page, 'disc', [-0.7, -0.3, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod', 'disc']);
  const { bodies, joints } = await saved(page);
  expect(bodies.map(({ type }) => type)).toEqual(['rod', 'disc']);
  expect(joints?.map(({ type }) => type)).toEqual(['ball']);
  await page.screenshot({ path: 'test-results/space.png' });
  expect(complaints).toEqual([]);
});

test('a spring, a damper and a motor are put where one presses', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'anchor', [0, 0.5, 0]);
  await carry(page, 'rod', [0.25, 0.5, 0]);
  await expect.poll(() => names(page, 'joints')).toHaveLength(1);
  for (const [part, to] of [
    ['spring', [0.5, 1, 0]],
    ['damper', [0.7, 0.5, 0]],
  ] as const) {
    await page.locator(`[data-part=${part}]`).click();
    await drag(page, await seen(page, 'rod', [0.25, 0, 0]), await seen(page, 'ground', [...to]));
    await expect.poll(() => names(page, 'joints')).toContain(part);
  }
  await page.locator('[data-part=motor]').click();
  const hinge = await seen(page, 'ground', [0, 0.5, 0]);
  await page.mouse.click(hinge.x, hinge.y);
  const motor = async (): Promise<unknown> =>
    (await saved(page)).joints?.find(({ name }) => name === 'rod – ground')?.motor;
  await expect.poll(motor).toMatchObject({ speed: Math.PI / 2 });
  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 1);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  // The hinge is selected: its motor is taken away, undo brings it back.
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the motor' }).click();
  await expect.poll(motor).toBeUndefined();
  await page.locator('canvas').focus();
  await page.keyboard.press('Control+z');
  await expect.poll(motor).toMatchObject({ speed: Math.PI / 2 });
  // A motor does not outlive its hinge.
  await page.keyboard.press('u');
  await expect.poll(() => names(page, 'joints')).toEqual(['spring', 'damper']);
  expect(complaints).toEqual([]);
});

test('a click selects, a body is duplicated and deleted, Alt pulls it out of its joints', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  const crank = await seen(page, 'crank', [0.1, 0, 0]);
  await page.mouse.move(crank.x, crank.y);
  await expect(page.locator('.hover')).toHaveText('crank');
  await page.mouse.click(crank.x, crank.y);
  // A click moves nothing: there is nothing to undo.
  expect((await page.evaluate(() => window.linkwork.report()))?.undo).toBe(0);
  await page.keyboard.press('Control+d');
  await expect.poll(() => names(page, 'bodies')).toContain('crank 2');
  await page.keyboard.press('Delete');
  await expect.poll(() => names(page, 'bodies')).not.toContain('crank 2');
  await page.keyboard.down('Alt');
  await drag(page, crank, { x: crank.x - 60, y: crank.y - 40 });
  await page.keyboard.up('Alt');
  await expect.poll(() => names(page, 'joints')).toEqual(['C', 'D']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => names(page, 'joints')).toEqual(['A', 'B', 'C', 'D']);
  expect(complaints).toEqual([]);
});

test('a hand keeps to an axis, turns a frame, and lets go', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'rod', [0, 0, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod']);
  const before = await page.evaluate(() => window.linkwork.position('rod'));
  const from = await seen(page, 'rod');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.keyboard.press('x');
  await page.keyboard.press('g');
  await page.mouse.move(from.x + 80, from.y + 60, { steps: 8 });
  await expect(page.getByRole('status')).toHaveText('rod · all of it · along x');
  const moved = () => page.evaluate(() => window.linkwork.position('rod'));
  await expect.poll(async () => (await moved())[0] - before[0]).toBeGreaterThan(0.2);
  expect((await moved())[1]).toBeCloseTo(before[1], 6);
  // Shift turns: the end of the rod goes down as the pointer goes right.
  const endBefore = await seen(page, 'rod', [0.25, 0, 0]);
  await page.keyboard.down('Shift');
  await page.mouse.move(from.x + 180, from.y + 60, { steps: 8 });
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await seen(page, 'rod', [0.25, 0, 0])).y - endBefore.y).toBeGreaterThan(30);
  // The wheel rolls it a twelfth of a half turn further, and does not zoom.
  const y = async (): Promise<number> => (await seen(page, 'rod', [0.25, 0, 0])).y - (await seen(page, 'rod')).y;
  const span = async (): Promise<number> => {
    const [middle, end] = [await seen(page, 'rod'), await seen(page, 'rod', [0.25, 0, 0])];
    return Math.hypot(end.x - middle.x, end.y - middle.y);
  };
  const [tilt, length] = [Math.asin((await y()) / (await span())), await span()];
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Alt');
  await expect.poll(async () => Math.asin((await y()) / (await span())) - tilt).toBeCloseTo(Math.PI / 12, 2);
  expect(await span()).toBeCloseTo(length, 3);
  const turned = await moved();
  // Escape lets go: the pointer moves on alone.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status')).toHaveCount(0);
  await page.mouse.move(from.x, from.y, { steps: 4 });
  await page.mouse.up();
  expect(await moved()).toEqual(turned);
  expect(complaints).toEqual([]);
});

test('the puppet follows a path that is drawn', async ({ page }) => {
  const complaints = await open(page, '/?scene=puppet&quality=low&paused');
  await page.getByRole('button', { name: 'Path', exact: true }).click();
  const fingers: [number, number, number] = [0.18, 0, 0];
  const start = await seen(page, 'left hand', fingers);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  // A circle that begins at its right.
  const radius = 50;
  for (let k = 1; k <= 24; k += 1) {
    const angle = (2 * Math.PI * k) / 24;
    await page.mouse.move(start.x - radius + radius * Math.cos(angle), start.y - radius * Math.sin(angle));
  }
  await expect(page.locator('.marks .drawn')).toHaveCount(1);
  await page.screenshot({ path: 'test-results/path.png' });
  await page.mouse.up();
  // It takes the place of the path that the fingers had.
  await expect.poll(async () => (await saved(page)).joints?.find(({ name }) => name === 'hand path')?.priority).toBe(1);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  // Wherever the fingers are, they are on the circle, on all sides of it.
  const sides = new Set<string>();
  for (let k = 0; k < 60 && sides.size < 4; k += 1) {
    const now = await seen(page, 'left hand', fingers);
    const [dx, dy] = [now.x - (start.x - radius), now.y - start.y];
    expect(Math.abs(Math.hypot(dx, dy) - radius)).toBeLessThan(6);
    sides.add(`${Math.sign(dx)} ${Math.sign(dy)}`);
    await page.waitForTimeout(100);
  }
  expect(sides.size).toBeGreaterThanOrEqual(4);
  await page.keyboard.press('Control+z');
  await expect
    .poll(async () => (await saved(page)).joints?.find(({ name }) => name === 'hand path')?.priority)
    .toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a path is drawn while time runs, and followed to and fro', async ({ page }) => {
  const complaints = await open(page, '/?scene=double-pendulum&quality=low&paused');
  // Without weight it stays where it is though time runs, and can be aimed at.
  await page.evaluate(() => window.linkwork.apply({ set_world: { gravity: [0, 0, 0] } }));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.1);
  const last = 'lower';
  await page.keyboard.press('p');
  const start = await seen(page, last);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  // Time stands while one draws.
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  const from = await seen(page, last);
  for (let k = 1; k <= 10; k += 1) await page.mouse.move(from.x - 4 * k, from.y - 2 * k);
  await page.mouse.up();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect.poll(() => names(page, 'joints')).toContain(`path of ${last}`);
  let most = 0;
  for (let k = 0; k < 30; k += 1) {
    const now = await seen(page, last);
    most = Math.max(most, Math.hypot(now.x - from.x, now.y - from.y));
    // Joints stay closed, whatever the path asks for.
    expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
    await page.waitForTimeout(100);
  }
  expect(most).toBeGreaterThan(15);
  expect(most).toBeLessThan(80);
  expect(complaints).toEqual([]);
});

test('a finger drags, and a hand that rested goes on while time stands', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  const from = await seen(page, 'crank', [0.1, 0, 0]);
  const device = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const crank = () => page.evaluate(() => window.linkwork.position('crank'));
  const start = await crank();
  await touch('touchStart', [from]);
  await touch('touchMove', [{ x: from.x - 30, y: from.y }]);
  await expect.poll(async () => (await crank())[0] - start[0]).toBeLessThan(-0.05);
  // Longer than the engine goes on by itself.
  await page.waitForTimeout(2000);
  const rested = await crank();
  await touch('touchMove', [{ x: from.x - 60, y: from.y + 10 }]);
  await expect.poll(async () => (await crank())[0] - rested[0]).toBeLessThan(-0.03);
  await touch('touchEnd', []);
  await expect(page.getByRole('status')).toHaveCount(0);
  const report = await page.evaluate(() => window.linkwork.report());
  expect(report?.residual_m).toBeLessThan(1e-6);
  expect(report?.time_s).toBe(0);
  // All of it is one edit.
  expect(report?.undo).toBe(1);
  await page.keyboard.press('Control+z');
  await expect.poll(crank).toEqual(start);
  expect(complaints).toEqual([]);
});

test('what is held can vanish, what is carried can be left, and an anchor can be deleted', async ({ page }) => {
  const complaints = await empty(page);
  await carry(page, 'anchor', [-0.5, 0.2, 0]);
  await carry(page, 'box', [0, 0, 0]);
  await expect.poll(() => names(page, 'bodies')).toEqual(['box']);
  // It must not fall away from the pointer before the press.
  await page.evaluate(() => window.linkwork.apply({ set_world: { gravity: [0, 0, 0] } }));
  await page.keyboard.press('Space');
  const box = await seen(page, 'box');
  await page.mouse.move(box.x, box.y + 2);
  await page.mouse.down();
  await expect(page.getByRole('status')).toContainText(' N');
  await page.evaluate(() => window.linkwork.apply({ remove_body: 'box' }));
  await expect(page.getByRole('status')).toHaveCount(0);
  await page.mouse.move(box.x + 40, box.y);
  await page.mouse.up();
  await page.keyboard.press('Space');

  const button = await page.locator('[data-part=rod]').boundingBox();
  await page.mouse.move((button?.x ?? 0) + 20, (button?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move(box.x, box.y, { steps: 4 });
  await expect(page.locator('.marks .ghost')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.mouse.move(box.x, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.marks .ghost')).toHaveCount(0);

  const anchor = await seen(page, 'ground', [-0.5, 0.2, 0]);
  await page.mouse.move(anchor.x, anchor.y);
  await page.keyboard.press('Delete');
  await expect.poll(() => names(page, 'connectors')).toEqual([]);
  expect(await names(page, 'bodies')).toEqual([]);
  expect(complaints).toEqual([]);
});

test('in an empty scene time stands until somebody runs it, so that parts stay where they are put', async ({
  page,
}) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  await page.getByRole('button', { name: 'New 3D' }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await drawn(page);
  const since = await page.evaluate(() => window.linkwork.report()?.time_s);
  await page.locator('[data-part=rod]').press('Enter');
  await expect.poll(() => names(page, 'bodies')).toEqual(['rod']);
  expect((await page.evaluate(() => window.linkwork.position('rod')))[1]).toBeGreaterThan(-0.5);
  expect(await page.evaluate(() => window.linkwork.report()?.time_s)).toBe(since);
  expect(complaints).toEqual([]);
});
