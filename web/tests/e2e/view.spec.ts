import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { drawn, open } from './support';

const picture = async (page: Page): Promise<string> => {
  await drawn(page);
  return (await page.locator('canvas').screenshot()).toString('base64');
};

test('scenes of all kinds are drawn without complaint', async ({ page }) => {
  const scenes = ['puppet', 'stewart-driven', 'sheet:6', 'double-hooke', 'jansen', 'bead-on-wire', 'sea-weeds'];
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  const found: Record<string, string[]> = {};
  for (const scene of scenes) {
    await page.evaluate((name) => window.linkwork.open(name), scene);
    await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.1);
    await drawn(page);
    found[scene] = complaints.splice(0);
  }
  expect(found).toEqual(Object.fromEntries(scenes.map((scene) => [scene, []])));
});

test('while nothing changes no picture is asked for', async ({ page }) => {
  await page.addInitScript(() => {
    const ask = window.requestAnimationFrame.bind(window);
    Object.assign(window, { asked: 0 });
    window.requestAnimationFrame = (then) => {
      (window as unknown as { asked: number }).asked += 1;
      return ask(then);
    };
  });
  await open(page, '/?scene=four-bar&quality=low&paused');
  /** Pictures that are asked for in half a second. */
  const asked = () =>
    page.evaluate(async () => {
      const count = () => (window as unknown as { asked: number }).asked;
      const before = count();
      await new Promise((done) => setTimeout(done, 500));
      return count() - before;
    });
  await expect.poll(asked).toBe(0);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  expect(await asked()).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.poll(asked).toBe(0);
});

test('shadows and all are drawn without complaint', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&paused');
  await drawn(page);
  expect(complaints).toEqual([]);
});

test('each body of a mesh of many is picked, where it is now, and so are joints', async ({ page }) => {
  const complaints = await open(page, '/?scene=chain-hinge:6&quality=low&paused');
  /** What is at a point of some bars. */
  const meets = (point: [number, number, number]) =>
    page.evaluate(
      (at) =>
        [1, 3, 5].map((k) => {
          const { x, y } = window.linkwork.project(`bar ${k}`, at);
          return window.linkwork.pick(x, y);
        }),
      point,
    );
  const bodies = [1, 3, 5].map((k) => ({ kind: 'body', name: `bar ${k}` }));
  expect(await meets([0, 0, 0])).toEqual(bodies);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.7);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  expect(await meets([0, 0, 0])).toEqual(bodies);
  const joints = await meets([-0.5, 0, 0]);
  expect(joints.map((joint) => joint?.kind)).toEqual(['joint', 'joint', 'joint']);
  expect(await page.evaluate(() => window.linkwork.pick(5, 5))).toBeNull();
  expect(complaints).toEqual([]);
});

test('a graphics card that is lost and found shows the same picture', async ({ page }) => {
  const complaints = await open(page, '/?scene=stewart&quality=low&paused');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0);
  const before = await picture(page);
  await page.evaluate(() => {
    const context = document.querySelector('canvas')?.getContext('webgl2');
    const loss = context?.getExtension('WEBGL_lose_context');
    Object.assign(window, { loss });
    loss?.loseContext();
  });
  await expect(page.getByRole('alert')).toContainText('graphics context');
  // Time goes on.
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 1.5 / 60);
  await page.evaluate(() => (window as unknown as { loss: { restoreContext(): void } }).loss.restoreContext());
  await expect(page.getByRole('alert')).toHaveCount(0);
  // The platform stands still: six legs hold it.
  await expect.poll(() => picture(page)).toBe(before);
  expect(complaints).toEqual([]);
});

test('without graphics the page says so and goes on', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const complaints = await open(page, '/?scene=four-bar&quality=low');
  await expect(page.getByRole('alert')).toContainText('no 3D graphics');
  expect(await faults(page)).toEqual([]);
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.2);
  await page.keyboard.press('f');
  await page.keyboard.press('v');
  const { x, y } = await page.evaluate(() => window.linkwork.project('coupler'));
  expect(Number.isFinite(x + y)).toBe(true);
  await page.mouse.click(x, y);
  expect(complaints).toEqual([]);
});

test('another theme keeps the traces', async ({ page }) => {
  await open(page, '/?scene=jansen&quality=low');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.8);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  const before = await picture(page);
  const theme = page.getByRole('button', { name: /Theme/ });
  await theme.click();
  await theme.click();
  expect(await picture(page)).not.toBe(before);
  await theme.click();
  await page.mouse.move(2, 2);
  expect(await picture(page)).toBe(before);
});

test('a flat scene turns into one in space, and all of it comes into view', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  const box = await page.locator('canvas').boundingBox();
  await page.keyboard.press('v');
  await page.keyboard.press('v');
  await page.keyboard.press('f');
  for (const body of ['crank', 'coupler', 'rocker']) {
    const { x, y } = await page.evaluate((name) => window.linkwork.project(name), body);
    expect(x).toBeGreaterThan(box?.x ?? 0);
    expect(x).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0));
    expect(y).toBeGreaterThan(box?.y ?? 0);
    expect(y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
  }
  expect(complaints).toEqual([]);
});
