import { expect, type Page, test } from '@playwright/test';
import { drawn, open, type Pixel, seen } from './support';

test.use({ viewport: { width: 480, height: 360 } });

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * What steps of a scene take, ms, and how far its joints are open then. Times depend on what else the machine does:
 * stated, not asserted.
 */
const measure = async (page: Page, scene: string) => {
  await open(page, `/?scene=${scene}&quality=low&paused`);
  const taken = await page.evaluate(async () => {
    const times: number[] = [];
    for (let k = 0; k < 120; k += 1) {
      await window.linkwork.step();
      times.push(window.linkwork.stepTime() ?? Number.NaN);
    }
    return times;
  });
  const least = Math.min(...taken);
  console.log(`${scene} in Chromium: median ${median(taken).toFixed(2)} ms, least ${least.toFixed(2)} ms a step`);
  return page.evaluate(() => window.linkwork.report());
};

test('a step of the walker on its floor is measured', async ({ page }) => {
  const report = await measure(page, 'walking-jansen');
  expect(report?.residual_m).toBeLessThan(1e-6);
});

test('a step of the large ladder is measured', async ({ page }) => {
  const report = await measure(page, 'ladder3:6,96');
  expect(report).toMatchObject({ rows: 4032, loops: 96 });
  expect(report?.residual_m).toBeLessThan(1e-6);
});

/** Presses on a body that may be moving, until it is held. */
const press = async (page: Page, body: string): Promise<Pixel> => {
  let from = { x: 0, y: 0 };
  await expect(async () => {
    await page.mouse.up();
    from = await seen(page, body);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await expect(page.getByRole('status')).toContainText(body, { timeout: 500 });
  }).toPass();
  return from;
};

const DRAGS = 5;

for (const isPaused of [false, true]) {
  test(`what a hand does is seen within two pictures, ${isPaused ? 'paused' : 'running'}`, async ({ page }) => {
    await open(page, `/?scene=four-bar&quality=low${isPaused ? '&paused' : ''}`);
    await drawn(page);
    // While time stands the first 4 px may be a click; while it runs every pixel counts.
    const stride = isPaused ? 5 : 1;
    const drags: number[][] = [];
    for (let drag = 0; drag < DRAGS; drag += 1) {
      const from = await press(page, 'crank');
      // Hands let things settle for a second while time stands; the next input must wake them.
      await page.waitForTimeout(drag === 1 ? 1500 : 200);
      const before = await page.evaluate(() => window.linkwork.latency().length);
      for (let k = 1; k <= 12; k += 1) await page.mouse.move(from.x + stride * k, from.y - 0.5 * stride * k);
      await page.waitForTimeout(300);
      drags.push(await page.evaluate((start) => window.linkwork.latency().slice(start), before));
      await page.mouse.up();
      await drawn(page);
    }
    console.log(
      `pictures from input to effect, ${isPaused ? 'paused' : 'running'}: ${drags.map((own) => own.join(' ')).join(' | ')}`,
    );
    for (const own of drags) expect(own.length).toBeGreaterThan(5);
    // First inputs apart: they take hold, and code and shaders may be new then. The middle one of five and a
    // tenth of all leave room for pictures that others on the machine delay; a way that is too long always is.
    expect(median(drags.map(([first]) => first ?? Infinity))).toBeLessThanOrEqual(2);
    const all = drags.flat();
    expect(all.filter((count) => count > 2).length).toBeLessThanOrEqual(0.1 * all.length);
  });
}

test('the first drag of a page is seen within two pictures', async ({ browser }) => {
  const firsts: number[] = [];
  for (let k = 0; k < 3; k += 1) {
    const page = await browser.newPage();
    await open(page, '/?scene=four-bar&quality=low&paused');
    // Engine and picture rehearse for half a second.
    await page.waitForTimeout(1500);
    const from = await press(page, 'crank');
    await page.mouse.move(from.x + 5, from.y);
    await page.waitForTimeout(300);
    firsts.push((await page.evaluate(() => window.linkwork.latency()))[0] ?? Infinity);
    await page.close();
  }
  console.log(`pictures from the first input of a page to its effect: ${firsts.join(' ')}`);
  expect(median(firsts)).toBeLessThanOrEqual(2);
});
