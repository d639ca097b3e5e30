import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { drag, drawn, open, saved, seen, shelved } from './support';

const FOUR_BAR = '/?scene=four-bar&quality=low&paused';

const hash = (page: Page) => page.evaluate(() => window.linkwork.stateHash());
const undos = (page: Page) => page.evaluate(() => window.linkwork.report()?.undo ?? 0);
const kept = (page: Page) => page.getByRole('region', { name: 'Kept work' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const detach = (page: Page, joint = 'D') => page.evaluate((name) => window.linkwork.apply({ detach: name }), joint);

/** Names of what lies on the shelf, with how many joints each has. */
const shelf = async (page: Page): Promise<string[]> =>
  (await shelved(page)).map(({ name, text }) => `${name} ${JSON.parse(text).joints.length}`);
const isOnShelf = (page: Page, what: string[]) => expect.poll(() => shelf(page).catch(() => [])).toEqual(what);

test('200 random edits and their undoing while time stands, to the bit', async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, FOUR_BAR);
  const wrong = await page.evaluate(async () => {
    let seed = 5;
    const roll = (sides: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * sides);
    };
    const { apply, save, stateHash, report } = window.linkwork;
    const depth = () => report()?.undo ?? 0;
    const hashes = [await stateHash()];
    let last = 0;
    for (let k = 0; hashes.length <= 200 && k < 2000; k += 1) {
      const scene = JSON.parse(await save());
      const body = scene.bodies[roll(scene.bodies.length)];
      const joint = scene.joints[roll(scene.joints.length)];
      const { position: _p, quaternion: _q, velocity: _v, angular_velocity: _w, ...entry } = body;
      const by = 0.8 + 0.05 * roll(9);
      const size = 'size' in entry ? { size: [by * entry.size[0], ...entry.size.slice(1)] } : { radius: by * 0.1 };
      const at = [roll(20) / 10, roll(20) / 10, 0];
      const command = [
        { resize: { ...entry, ...size } },
        { put: { body: body.name, position: at } },
        { detach: joint?.name ?? '' },
        { join: { name: `link ${k}`, type: 'ball', a: body.name, b: scene.bodies[roll(scene.bodies.length)].name } },
        { add_body: { name: `ball ${k}`, type: 'sphere', radius: 0.1, mass: 1, position: at } },
        { set_world: { gravity: at } },
      ][roll(6)];
      await apply(command as never).catch(() => null);
      await new Promise((done) => setTimeout(done));
      if (depth() > last) hashes.push(await stateHash());
      last = depth();
    }
    const wrong: number[] = hashes.length === 201 ? [] : [-hashes.length];
    for (let k = hashes.length - 2; k >= 0; k -= 1) {
      await apply('undo');
      if ((await stateHash()) !== hashes[k]) wrong.push(k);
    }
    return wrong;
  });
  expect(wrong).toEqual([]);
  expect(await undos(page)).toBe(0);
});

test('a drag and the joint that ends it are one undo', async ({ page }) => {
  await open(page, FOUR_BAR);
  await page.evaluate(() =>
    window.linkwork.apply({
      add_body: { name: 'free', type: 'sphere', radius: 0.1, mass: 1, position: [0.3, -0.7, 0] },
    }),
  );
  await drawn(page);
  const before = await hash(page);
  const joints = ((await saved(page)).joints ?? []).length;
  await drag(page, await seen(page, 'free'), await seen(page, 'ground', [0, 0, 0]));
  await expect.poll(async () => ((await saved(page)).joints ?? []).length).toBe(joints + 1);
  await expect.poll(() => undos(page)).toBe(2);
  await button(page, 'Undo').click();
  await expect.poll(() => undos(page)).toBe(1);
  expect(await hash(page)).toBe(before);
});

test('a reset goes back to the start of time, by button and key, and can be undone', async ({ page }) => {
  await open(page, FOUR_BAR);
  const start = await hash(page);
  await expect(button(page, 'Reset')).toBeDisabled();
  await button(page, 'Run').click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0.3);
  await expect(button(page, 'Reset')).toBeEnabled();
  await page.screenshot({ path: 'test-results/reset.png' });
  await button(page, 'Reset').click();
  await expect(button(page, 'Run')).toBeVisible();
  await expect(button(page, 'Reset')).toBeDisabled();
  expect(await hash(page)).toBe(start);
  await button(page, 'Step').click();
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0);
  const later = await hash(page);
  await page.keyboard.press('r');
  await page.waitForFunction(() => window.linkwork.report()?.time_s === 0);
  expect(await hash(page)).toBe(start);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => (window.linkwork.report()?.time_s ?? 0) > 0);
  expect(await hash(page)).toBe(later);
});

test('a page that is loaded again has what was there', async ({ page }) => {
  await open(page, FOUR_BAR);
  await detach(page);
  const before = await hash(page);
  await isOnShelf(page, ['four-bar 3']);
  await page.reload();
  await page.evaluate(() => window.linkwork.ready);
  expect(await hash(page)).toBe(before);
  await expect(kept(page)).toContainText('four-bar is as you left it at');
  await drawn(page);
  await page.screenshot({ path: 'test-results/restored.png' });
  expect(await faults(page)).toEqual([]);
  // It goes on: the next change is kept in the same place.
  await detach(page, 'C');
  await isOnShelf(page, ['four-bar 2']);
  // A page that is only looked at keeps nothing.
  await page.goto('/?scene=jansen&quality=low&paused');
  await page.evaluate(() => window.linkwork.ready);
  await expect(kept(page)).toContainText('Kept from before');
  await isOnShelf(page, ['four-bar 2']);
});

test('a tab that is killed loses nothing', async ({ page, context }) => {
  await open(page, FOUR_BAR);
  await detach(page);
  const before = await hash(page);
  await isOnShelf(page, ['four-bar 3']);
  const dying = await context.newCDPSession(page);
  const gone = page.waitForEvent('crash');
  void dying.send('Page.crash').catch(() => null);
  await gone;
  const next = await context.newPage();
  await open(next, '/?scene=jansen&quality=low&paused');
  await expect(kept(next).getByRole('listitem')).toHaveCount(1);
  await expect(kept(next)).toContainText('four-bar');
  await drawn(next);
  await next.screenshot({ path: 'test-results/offer.png' });
  expect(await faults(next)).toEqual([]);
  await button(next, 'Restore').click();
  await expect(next.getByRole('heading', { level: 1 })).toHaveText('four-bar');
  expect(await hash(next)).toBe(before);
  await expect(kept(next)).toBeHidden();
});

test('New, Open and Scenes keep what was there, until it is discarded', async ({ page }) => {
  await open(page, FOUR_BAR);
  await detach(page);
  const before = await hash(page);
  await button(page, 'New').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('untitled');
  await expect(kept(page)).toContainText('four-bar');
  await page.locator('input[type=file]').setInputFiles({
    name: 'own.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"linkwork": 1, "name": "own", "bodies": []}'),
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('own');
  await button(page, 'Restore').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('four-bar');
  expect(await hash(page)).toBe(before);
  await button(page, 'New 3D').click();
  await button(page, 'Discard four-bar').click();
  await expect(kept(page)).toBeHidden();
  expect(await shelf(page)).toEqual([]);
});

test('two tabs with one scene keep their own, and one work is open in one tab', async ({ page, context }) => {
  await open(page, FOUR_BAR);
  await detach(page, 'D');
  await isOnShelf(page, ['four-bar 3']);
  const other = await context.newPage();
  await open(other, FOUR_BAR);
  await expect(kept(other)).toBeHidden();
  await detach(other, 'D');
  await detach(other, 'C');
  await expect.poll(async () => (await shelf(other)).sort()).toEqual(['four-bar 2', 'four-bar 3']);
  // A copy of a tab has its memory too.
  const id = await page.evaluate(() => sessionStorage.getItem('linkwork-work'));
  await other.evaluate((id) => sessionStorage.setItem('linkwork-work', id ?? ''), id);
  await other.reload();
  await other.evaluate(() => window.linkwork.ready);
  await expect(kept(other)).toContainText('Your changes are in another tab');
  await expect(kept(other).getByRole('listitem')).toHaveCount(1);
  expect(((await saved(other)).joints ?? []).length).toBe(4);
  await button(other, 'Restore').click();
  await expect.poll(async () => ((await saved(other)).joints ?? []).length).toBe(2);
  expect(((await saved(page)).joints ?? []).length).toBe(3);
});

test('storage that is forbidden is told, and a question is asked before changes go', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no', 'SecurityError');
    };
  });
  const complaints = await open(page, FOUR_BAR);
  await detach(page);
  const before = await hash(page);
  await expect(kept(page).getByRole('alert')).toContainText('Changes are not kept: this browser forbids');
  await button(page, 'New').click();
  const question = page.getByRole('dialog', { name: 'Changes are not kept' });
  await expect(question).toContainText('The changes of four-bar are not kept');
  await drawn(page);
  await page.screenshot({ path: 'test-results/question.png' });
  expect(await faults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Stay' }).click();
  expect(await hash(page)).toBe(before);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('four-bar');
  // To leave the page is asked about by the browser.
  const asked = page.waitForEvent('dialog');
  await page
    .locator('canvas')
    .first()
    .click({ position: { x: 5, y: 5 } });
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await button(page, 'New').click();
  const download = page.waitForEvent('download');
  await question.getByRole('button', { name: 'Save to a file' }).click();
  expect((await download).suggestedFilename()).toBe('four-bar.json');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('untitled');
  expect(complaints).toEqual([]);
});

test('storage that is full is told, and is used again when there is room', async ({ page, context }) => {
  await open(page, FOUR_BAR);
  const browser = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await detach(page);
  await expect(kept(page).getByRole('alert')).toContainText("Changes are not kept: the browser's storage is full");
  await browser.send('Storage.overrideQuotaForOrigin', { origin });
  await detach(page, 'C');
  await isOnShelf(page, ['four-bar 2']);
  await expect(kept(page)).toBeHidden();
});
