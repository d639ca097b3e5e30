// Points that are dropped: bodies follow them over time, and are colored by what is left.

import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { open, saved, show } from './support';

/**
 * A recording of the scene `arm`, as a TRC file: what its own table has, moved aside by some centimeters, in
 * millimeters, without one marker.
 */
const recording = async (page: Page): Promise<string> => {
  const scene = JSON.parse(await page.evaluate(() => window.linkwork.save()));
  const { columns, rows } = scene.tables[0] as { columns: string[]; rows: number[][] };
  const names = columns.filter((own) => own.endsWith('.x') && own !== 'DELT.x').map((own) => own.slice(0, -2));
  const at = (row: number[], name: string): number[] =>
    ['x', 'y', 'z'].map((axis) => 1000 * ((row[columns.indexOf(`${name}.${axis}`)] ?? 0) + (axis === 'y' ? 0.04 : 0)));
  const lines = rows.map((row, k) =>
    [
      k + 1,
      (5 + (row[0] ?? 0)).toFixed(2),
      ...names.flatMap((name) => at(row, name).map((own) => own.toFixed(1))),
    ].join('\t'),
  );
  return [
    'PathFileType\t4\t(X/Y/Z)\tmove.trc',
    'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits',
    `33\t33\t${rows.length}\t${names.length}\tmm`,
    `Frame#\tTime\t${names.join('\t\t\t')}`,
    `\t\t${names.map((_, k) => `X${k + 1}\tY${k + 1}\tZ${k + 1}`).join('\t')}`,
    ...lines,
  ].join('\n');
};

const drop = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, text] as const,
  );

/** The root mean square that the legend shows, mm. */
const rms = async (page: Page): Promise<number> => {
  const words = (await page.locator('.fitting').textContent()) ?? '';
  const [, value = 'NaN', unit] = words.match(/rms ([\d.e-]+) (mm|µm|m) of/) ?? [];
  return Number(value) * { mm: 1, µm: 1e-3, m: 1e3 }[unit as 'mm' | 'µm' | 'm'];
};

test('a TRC file is dropped, bodies track it, and the film shows it again', async ({ page }) => {
  const complaints = await open(page, '/?scene=arm&quality=low&paused');
  const text = await recording(page);
  await drop(page, 'move.trc', text);
  // Where the file says points are, 4 cm beside the bodies, before time goes on.
  await expect.poll(() => rms(page)).toBeGreaterThan(30);
  await page.screenshot({ path: 'test-results/points-before.png' });
  await show(page, 'Formulas');
  const table = page.locator('[data-table=markers]');
  await expect(table).toContainText('of 6 points');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await table.getByRole('button', { name: 'Plot joint angles' }).click();
  await expect(page.getByRole('tab', { name: 'Plots' })).toHaveAttribute('aria-selected', 'true');
  await run.click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.9);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  // The recording moves by 30 cm: bodies have gone with it, joints are closed.
  await expect.poll(() => rms(page)).toBeLessThan(12);
  expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);
  await page.screenshot({ path: 'test-results/points-after.png' });

  // The film shows points at their time.
  const time = page.getByRole('button', { name: 'Time', exact: true });
  if ((await time.getAttribute('aria-pressed')) !== 'true') await time.click();
  const now = await rms(page);
  await page.getByRole('slider', { name: 'Film' }).press('Home');
  await expect.poll(() => rms(page)).toBeGreaterThan(30);
  await page.getByRole('slider', { name: 'Film' }).press('End');
  await expect.poll(() => rms(page)).toBeCloseTo(now, 3);

  // One undo takes the file away. A file with none of the markers is refused in words.
  await drop(
    page,
    'other.trc',
    text.replaceAll(/[A-Z]{3,}[a-z_]*(?=\t|\n\t)/g, (own) => (own === 'DELT' ? own : `${own}q`)),
  );
  await expect(page.getByRole('alert')).toContainText('no marker is one of those');
  expect((await saved(page)).joints?.filter(({ type }) => type === 'points')).toHaveLength(4);
  expect(complaints).toEqual([]);
});

test('a cloud is fitted, and bodies and points are colored by what is left', async ({ page }) => {
  const complaints = await open(page, '/?scene=fit-cloud&quality=low&paused');
  await page.getByLabel('Color', { exact: true }).selectOption('residual');
  const scale = page.getByRole('img', { name: /^residual from 0 to/ });
  await expect(scale).toContainText(' m');
  const before = await rms(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.5);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  // Fifteen of 240 points are wrong and stay so.
  await expect.poll(async () => (await rms(page)) / before).toBeLessThan(0.9);
  await expect(scale).toContainText('≥');
  await page.screenshot({ path: 'test-results/residual.png' });
  expect(await faults(page)).toEqual([]);

  await page.getByLabel('Color', { exact: true }).selectOption('displacement');
  await expect(page.getByRole('img', { name: /^displacement from 0 to/ })).toBeVisible();
  await page.getByLabel('Color', { exact: true }).selectOption('strain');
  await expect(page.getByRole('img', { name: /^strain from 0 to \d+ %/ })).toBeVisible();
  await page.screenshot({ path: 'test-results/strain.png' });
  await show(page, 'Formulas');
  await expect(page.locator('[data-table=cloud]')).toContainText('of 240 points');
  expect(complaints).toEqual([]);
});

test('a cloud that nothing knows is dropped, pulls the selected body, and all of it is undone', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  await page.getByRole('button', { name: 'New 3D' }).click();
  await page.waitForFunction(async () => JSON.parse(await window.linkwork.save()).name === 'untitled');
  await page.locator('[data-part=blob]').press('Enter');
  await expect.poll(async () => (await saved(page)).bodies.length).toBe(1);
  // A ball of 20 cm, aside.
  const points = Array.from({ length: 80 }, (_, k) => {
    const [z, turn] = [1 - (2 * (k + 0.5)) / 80, 2.4 * k];
    const r = Math.sqrt(1 - z * z);
    return [0.2 + 0.2 * r * Math.cos(turn), 0.1 + 0.2 * r * Math.sin(turn), 0.2 * z]
      .map((own) => own.toFixed(4))
      .join(' ');
  });
  await drop(page, 'ball.xyz', points.join('\n'));
  await show(page, 'Formulas');
  const table = page.locator('[data-table=ball]');
  await expect(table).toContainText('80 rows');
  await table.getByRole('button', { name: 'Pull blob' }).click();
  await expect.poll(() => rms(page)).toBeGreaterThan(20);
  const before = await rms(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => rms(page)).toBeLessThan(0.2 * before);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.screenshot({ path: 'test-results/pulled.png' });
  for (let k = 0; k < 2; k += 1) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(table).toHaveCount(0);
  expect(complaints).toEqual([]);
});
