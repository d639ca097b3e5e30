// Things that touch: a stack, a limit and its stops, a motor that stalls.

import { expect, type Page, test } from '@playwright/test';
import { drag, drawn, open, type Pixel, saved, seen } from './support';

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

const undoable = (page: Page): Promise<number> => page.evaluate(() => window.linkwork.report()?.undo ?? 0);

const until = (page: Page, time: number): Promise<unknown> =>
  page.waitForFunction((time) => (window.linkwork.report()?.time_s ?? 0) > time, time);

const heightOf = (page: Page, body: string): Promise<number> =>
  page.evaluate((body) => window.linkwork.position(body)[1], body);

const BOXES = ['box', 'box 2', 'box 3'];

/** A rod that a hinge holds level by its end, seen flat. */
const arm = (motor: object): string =>
  JSON.stringify({
    linkwork: 1,
    name: 'arm',
    world: { gravity: [0, -9.81, 0] },
    bodies: [{ name: 'arm', type: 'planar-rod', length: 1, mass: 1, position: [0.5, 0] }],
    joints: [
      {
        name: 'pin',
        type: 'hinge',
        a: { body: 'ground', point: [0, 0] },
        b: { body: 'arm', point: [-0.5, 0] },
        ...motor,
      },
    ],
    view: { flat: true, camera: { eye: [0, 0, 4], target: [0, 0, 0] } },
  });

/** Opens a text, selects its hinge and shows the panel. */
const openArm = async (page: Page, motor: object = {}): Promise<void> => {
  await page.evaluate((text) => window.linkwork.open(text), arm(motor));
  await page.evaluate(() => window.linkwork.select({ kind: 'joint', name: 'pin' }));
  await press(page, 'Panel');
  await expect(page.getByRole('heading', { name: 'pin', exact: true })).toBeVisible();
};

test('a stack is built, stands, and is poked', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await press(page, 'New');
  await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
  await press(page, 'Floor');
  await expect(page.getByRole('button', { name: 'Floor', exact: true })).toHaveAttribute('aria-pressed', 'true');
  for (const [k] of BOXES.entries()) {
    await page.locator('[data-part=box]').click();
    await expect.poll(async () => (await saved(page)).bodies.length).toBe(k + 1);
  }
  // What is new collides where there is a floor, and nothing was joined.
  const file = await saved(page);
  expect(file.bodies.map(({ collide }) => collide)).toEqual([true, true, true]);
  expect(file.joints ?? []).toEqual([]);
  await press(page, 'Panel');
  await page.evaluate(() => window.linkwork.select(null));
  await expect(page.getByLabel('everything collides')).toBeChecked();
  await page.getByLabel('Show contacts and their forces').check();

  await press(page, 'Run');
  await until(page, 2);
  const floor = -1;
  for (const [k, name] of BOXES.entries())
    expect(Math.abs((await heightOf(page, name)) - (floor + 0.125 + 0.25 * k))).toBeLessThan(1e-6);
  expect((await page.evaluate(() => window.linkwork.report()))?.energy.kinetic_j).toBeLessThan(1e-12);
  await drawn(page);
  await page.screenshot({ path: 'test-results/stack.png' });

  // The middle box is drawn aside: what lies on it comes along or down, and nothing goes into the floor.
  const middle = await seen(page, 'box 2');
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 200, middle.y - 10, { steps: 20 });
  await page.mouse.up();
  await until(page, ((await page.evaluate(() => window.linkwork.report()))?.time_s ?? 0) + 2.5);
  expect((await saved(page)).joints ?? []).toEqual([]);
  const [x] = await page.evaluate(() => window.linkwork.position('box 2'));
  expect(x).toBeGreaterThan(0.2);
  for (const name of BOXES) expect(await heightOf(page, name)).toBeGreaterThan(floor + 0.125 - 1e-6);
  expect(complaints).toEqual([]);
});

test('everything collides by one switch, and one undo takes it back; a floor too', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await press(page, 'Panel');
  const all = page.getByLabel('everything collides');
  await expect(all).not.toBeChecked();
  await page.getByLabel('floor', { exact: true }).check();
  await expect(page.getByText('No body collides yet')).toBeVisible();
  await all.check();
  await expect(page.getByText('No body collides yet')).toBeHidden();
  const collide = async (): Promise<unknown[]> => (await saved(page)).bodies.map((own) => own.collide);
  expect(await collide()).toEqual([true, true, true]);
  expect(await undoable(page)).toBe(2);
  await press(page, 'Undo');
  await expect(all).not.toBeChecked();
  expect(await collide()).toEqual([undefined, undefined, undefined]);
  await press(page, 'Undo');
  await expect(page.getByLabel('floor', { exact: true })).not.toBeChecked();

  // One body alone, and how it slides and rebounds.
  await page.evaluate(() => window.linkwork.select({ kind: 'body', name: 'crank' }));
  await page.getByLabel('collide', { exact: true }).check();
  await page.getByLabel('friction', { exact: true }).fill('0.8');
  await page.getByLabel('restitution', { exact: true }).fill('0.3');
  await page.getByLabel('restitution', { exact: true }).press('Enter');
  await expect
    .poll(async () => (await saved(page)).bodies.find(({ name }) => name === 'crank'))
    .toMatchObject({ collide: true, friction: 0.8, restitution: 0.3 });
  expect(complaints).toEqual([]);
});

/** Where a stop of the limit that is shown is in the window. */
const stop = async (page: Page, end: 'lower' | 'upper'): Promise<Pixel> => {
  const box = await page.locator(`[data-stop=${end}]`).boundingBox();
  if (box === null) throw new Error(`no ${end} stop is shown`);
  return { x: box.x + 0.5 * box.width, y: box.y + 0.5 * box.height };
};

test('a limit is set by dragging its stop, holds, and is undone', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await openArm(page);
  await press(page, 'Limit it');
  const lower = page.getByLabel('lower, °');
  await expect(lower).toHaveValue('-45');
  await expect(page.locator('[data-stop]')).toHaveCount(2);
  const before = await undoable(page);
  const center = await seen(page, 'ground');
  const angle = (-20 * Math.PI) / 180;
  // Somewhere along the ray of the angle: an angle has no distance.
  await drag(page, await stop(page, 'lower'), {
    x: center.x + 90 * Math.cos(angle),
    y: center.y - 90 * Math.sin(angle),
  });
  await expect(lower).toHaveValue('-20');
  expect(await undoable(page)).toBe(before + 1);
  await press(page, 'Run');
  await until(page, 1.5);
  const [x, y] = await page.evaluate(() => window.linkwork.position('arm'));
  expect(Math.abs(Math.atan2(y, x) - angle)).toBeLessThan(1e-6);
  await page.screenshot({ path: 'test-results/limit.png' });
  await press(page, 'Pause');
  await press(page, 'Undo');
  await expect(lower).toHaveValue('-45');
  // The field does the same for those who have no pointer.
  await lower.fill('-30');
  await lower.press('Enter');
  await expect.poll(async () => (await saved(page)).joints?.[1]?.lower).toBeCloseTo((-30 * Math.PI) / 180, 6);
  await press(page, 'Remove the limits');
  await expect(page.locator('[data-stop]')).toHaveCount(0);
  expect((await saved(page)).joints?.length).toBe(1);
  expect(complaints).toEqual([]);
});

test('a motor that stalls says so', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  // The weight of the arm turns it with 4.9 N·m where it is level.
  await openArm(page, { motor: { speed_deg: 30, max_torque: 10 } });
  const motor = page.locator('[data-live=motor]');
  await press(page, 'Run');
  await expect(motor).toHaveText('The motor holds.');
  const most = page.getByLabel('at most, N·m');
  await most.fill('2');
  await most.press('Enter');
  await expect(motor).toContainText('gives way');
  const torque = page.locator('[data-live="motor torque"]');
  await expect.poll(async () => Math.abs(Number.parseFloat((await torque.textContent()) ?? '0'))).toBeCloseTo(2, 6);
  await page.screenshot({ path: 'test-results/stall.png' });
  // It swings below, where its weight asks for less than it has.
  await most.fill('10');
  await most.press('Enter');
  await expect(motor).toHaveText('The motor holds.');
  expect(complaints).toEqual([]);
});
