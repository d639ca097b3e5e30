import { writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { breakEngine, open } from './support';

test.use({ viewport: { width: 640, height: 420 } });

const hash = (page: Page) => page.evaluate(() => window.linkwork.stateHash());

for (const how of ['trap', 'error'] as const) {
  test(`an engine that stops by ${how} is started again with the last good world`, async ({ page }) => {
    await open(page, '/?scene=four-bar&quality=low&paused');
    await page.evaluate(() => window.linkwork.apply({ detach: 'D' }));
    await expect(page.locator('[data-fact=loops]')).toHaveText('0');
    const before = await hash(page);
    // Copies are made within a second of an edit.
    await page.waitForTimeout(1500);
    await breakEngine(page, how);
    // A trap is met by the next question.
    if (how === 'trap') await page.getByRole('button', { name: 'Step', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('The engine stopped: ');
    await expect(page.getByRole('alert')).toContainText(
      'was asked for. It was started again with the scene as it was at 0.00 s',
    );
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
    expect(await hash(page)).toBe(before);
    await expect(page.locator('[data-fact=loops]')).toHaveText('0');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.1);
  });
}

test('what was asked of an engine that stops is answered in words', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low');
  await breakEngine(page, 'late error');
  const answer = await page.evaluate(() => window.linkwork.save().catch((error: Error) => error.message));
  expect(answer).toContain('The engine stopped before it could answer');
  // A running scene stands after it.
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
});

test('an engine that hangs is restarted by hand', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  const before = await hash(page);
  await breakEngine(page, 'hang');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  const restart = page.getByRole('button', { name: 'Restart the engine' });
  await expect(restart).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await restart.click();
  await expect(restart).toBeHidden();
  await expect(page.getByRole('alert')).toContainText('It was started again with the scene as it was opened');
  expect(await hash(page)).toBe(before);
});

test('the page offers nothing by which the engine could be made to fail', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  const hooks = await page.evaluate(() => Object.keys(window.linkwork).sort());
  expect(hooks).toEqual([
    'apply',
    'latency',
    'library',
    'log',
    'open',
    'pick',
    'position',
    'project',
    'ready',
    'report',
    'save',
    'select',
    'stateHash',
    'step',
    'stepTime',
  ]);
  // Nor do the scripts that are served know the words.
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.js') ? [name] : [])),
  );
  const worker = page.workers().map((own) => own.url());
  for (const address of [...scripts, ...worker]) {
    expect(await (await page.request.get(address)).text()).not.toMatch(/asked for|\bkill\b/);
  }
});

const particle = (k: number, name = `p${k}`) => ({ name, type: 'particle', mass: 1, position: [0.1 * k, 0, 0] });
const scene = (bodies: unknown, more: object = {}) => JSON.stringify({ linkwork: 1, bodies, ...more });

const WRONG: [string, () => string | Buffer, RegExp][] = [
  ['nothing', () => '', /is empty/],
  ['a picture', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0]), /is not text/],
  ['words', () => 'Dear engine', /is not a scene/],
  ['broken JSON', () => '{"linkwork": 1, "bodies": [', /the file ends too early/],
  ['deep nesting', () => `{"linkwork": 1, "bodies": ${'['.repeat(200_000)}`, /ends too early|deep|recursion/],
  ['deep objects', () => '{"a":'.repeat(200_000), /ends too early|deep|recursion/],
  ['wrong types', () => scene('many'), /bodies/],
  ['numbers beyond', () => '{"linkwork": 1, "world": {"gravity": [0, 1e999, 0]}}', /gravity\[1\]: number out of range/],
  ['equal names', () => scene([particle(0), particle(1, 'p0')]), /p0/],
  ['another version', () => '{"linkwork": 99}', /99/],
  [
    'names like HTML',
    () => scene([{ ...particle(0), name: '<img src=x onerror=alert(1)>', mass: 'heavy' }]),
    /mass: is "heavy"/,
  ],
  ['50 MB of spaces', () => ' '.repeat(50 << 20), /is empty/],
  ['50 MB in one name', () => `{"linkwork": 1, "name": ${JSON.stringify('x'.repeat(50 << 20))}, "bodys": []}`, /bodys/],
  ['too much', () => Buffer.alloc(65 << 20, ' '), /65 MB/],
  [
    '100,000 bodies',
    () =>
      scene(
        Array.from({ length: 100_000 }, (_, k) => particle(k)),
        { name: 'dust' },
      ),
    /bodies/,
  ],
];

test('files that are no good are refused in words, and the scene stays', async ({ page }, testInfo) => {
  test.setTimeout(180_000);
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  page.on('dialog', () => complaints.push('a dialog was opened'));
  const before = await hash(page);
  const alert = page.getByRole('alert');
  for (const [what, make, words] of WRONG) {
    const file = testInfo.outputPath(`${what}.json`);
    writeFileSync(file, make());
    await page.locator('input[type=file]').setInputFiles(file);
    await expect(alert, what).toContainText(words, { timeout: 30_000 });
    await expect(alert, what).toContainText(`${what}.json`);
    expect((await alert.textContent())?.length, what).toBeLessThan(2100);
    expect(await hash(page), what).toBe(before);
    await alert.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('status'), what).toHaveCount(0);
  }
  expect(complaints).toEqual([]);
});

test('numbers at the edge of what numbers can say are refused or stepped, and the page lives', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  const heavy = { mass: 1e308, position: [1e308, -1e308, 1e308], velocity: [1e308, 0, 0] };
  const text = scene([
    { ...particle(0), ...heavy },
    { ...particle(1), ...heavy },
  ]);
  const answers = await page.evaluate(async (file) => {
    const words = (error: Error) => error.message;
    const opened = await window.linkwork.open(file).then(() => 'opened', words);
    const stepped = await window.linkwork.step().then(() => 'stepped', words);
    return [opened, stepped];
  }, text);
  // Whatever the engine makes of it, it says so.
  expect(answers[0]).toMatch(/^opened$|p0|p1/);
  expect(answers[1]).toMatch(/^stepped$|p0|p1/);
  await page.evaluate(() => window.linkwork.open('watt'));
  await expect(page.getByRole('heading', { name: 'watt' })).toBeVisible();
  await page.evaluate(() => window.linkwork.step());
  expect(await page.evaluate(() => window.linkwork.report()?.residual_m)).toBeLessThan(1e-6);
});

/** Drops a file of this text onto the window. */
const drop = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([file, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], file));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    },
    [name, text] as const,
  );

test('names are text, whatever they look like', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar&quality=low&paused');
  page.on('dialog', () => complaints.push('a dialog was opened'));
  const name = '<img src=x onerror=alert(1)>';
  await drop(page, `${name}.json`, scene([particle(0, name)], { name, why: name }));
  await expect(page.getByRole('heading', { name })).toBeVisible();
  expect(await page.locator('img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a large scene says that it opens, and opens while the page lives', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '/?scene=four-bar&quality=low&paused');
  const { said, longest } = await page.evaluate(async () => {
    const pictures = async (count: number) => {
      for (let k = 0; k < count; k += 1) await new Promise(requestAnimationFrame);
    };
    // The longest time the page was away, ms.
    let [last, most] = [performance.now(), 0];
    const watch = setInterval(() => {
      most = Math.max(most, performance.now() - last);
      last = performance.now();
    }, 10);
    const opening = window.linkwork.open('chain:20000');
    await pictures(2);
    const status = document.querySelector('[role=status]')?.textContent;
    await opening;
    await pictures(3);
    clearInterval(watch);
    return { said: status, longest: most };
  });
  expect(said).toBe('Opening chain:20000 …');
  console.log(`chain:20000 kept the page busy for ${longest.toFixed(0)} ms at most`);
  await expect(page.getByRole('heading', { name: 'chain:20000' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveCount(0);
  const refused = await page.evaluate(() =>
    window.linkwork.open('chain:100000').catch((error: Error) => error.message),
  );
  expect(refused).toContain('The scene has 100,000 bodies; the lab shows up to 20,000.');
});

test('of two openings the last one wins', async ({ page }) => {
  await open(page, '/?scene=four-bar&quality=low&paused');
  await page.evaluate(() =>
    Promise.all([
      window.linkwork.open('chain:3000'),
      window.linkwork.open('no such scene').catch(() => null),
      window.linkwork.open('watt'),
    ]),
  );
  await expect(page.getByRole('heading', { name: 'watt' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveCount(0);
});

test('a file of the address that is not there is told in words', async ({ page }) => {
  await open(page, '/?file=nowhere.json&quality=low&paused');
  await expect(page.getByRole('alert')).toContainText('nowhere.json cannot be read: 404');
  await expect(page.getByRole('heading', { name: 'four-bar' })).toBeVisible();
});
