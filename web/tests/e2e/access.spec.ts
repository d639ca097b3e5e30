// For everybody: axe-core finds nothing wrong in any panel or state, and keys go where hands go.

import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { drag, drawn, open, type Pixel, saved, seen } from './support';

const PAUSED = '/?scene=four-bar&quality=low&paused';

/** A state of the page, by name, and how to get there from the one before. */
type States = [string, (page: Page) => Promise<unknown>][];

const show =
  (tab: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('tab', { name: tab }).click();
  };

const select =
  (kind: 'body' | 'joint' | 'behavior', name: string) =>
  async (page: Page): Promise<void> => {
    await show('Inspect')(page);
    await page.evaluate((target) => window.linkwork.select(target), { kind, name });
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  };

const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

const setShown =
  (name: 'Parts' | 'Panel', isShown: boolean) =>
  async (page: Page): Promise<void> => {
    const button = page.getByRole('button', { name, exact: true });
    if ((await button.getAttribute('aria-pressed')) !== String(isShown)) await button.click();
  };

const PANELS: States = [
  ['only the scene', async (page) => setShown('Parts', false)(page).then(() => setShown('Panel', false)(page))],
  ['the palette', setShown('Parts', true)],
  ['the world', setShown('Panel', true)],
  [
    'a floor, and everything collides',
    async (page) => {
      await page.getByLabel('floor', { exact: true }).check();
      await page.getByLabel('everything collides').check();
      await expect(page.getByLabel('floor height, m')).toBeVisible();
    },
  ],
  ['a body', select('body', 'crank')],
  ['a joint', select('joint', 'A')],
  [
    'a value that is refused',
    async (page) => {
      await page.getByLabel('type', { exact: true }).selectOption('distance');
      await expect(page.locator('.refusal')).toBeVisible();
    },
  ],
  [
    'a drive',
    async (page) => {
      await press('Drive it')(page);
      await expect(page.getByLabel('speed, °/s')).toBeVisible();
    },
  ],
  [
    'limits',
    async (page) => {
      await press('Limit it')(page);
      await expect(page.getByLabel('lower, °')).toBeVisible();
    },
  ],
  ['the tree', show('Tree')],
  ['nothing in the tree', (page) => page.getByLabel('Find in the scene').fill('zebra')],
  ['exactness', show('Exactness')],
  ['diagnosis', show('Diagnosis')],
  [
    'findings',
    async (page) => {
      await press('Diagnose')(page);
      await expect(page.locator('.verdict')).toBeVisible();
    },
  ],
  ['formulas', show('Formulas')],
  ['plots', show('Plots')],
  [
    'curves and a list of quantities',
    async (page) => {
      await page.getByLabel('Find a quantity').fill('crank position');
      await page.getByRole('list', { name: 'Quantities' }).getByRole('button').first().click();
      await press('Step')(page);
      await press('Step')(page);
      await expect(page.locator('.values tbody tr').first()).toBeVisible();
    },
  ],
];

const DIALOGS: States = [
  ['help', press('Help')],
  [
    'the gallery',
    async (page) => {
      await page.keyboard.press('Escape');
      await press('Scenes')(page);
      await expect(page.getByRole('button', { name: /^four-bar / })).toBeVisible();
    },
  ],
  ['no scene in the gallery', (page) => page.getByLabel('Find a scene').fill('zebra')],
];

const STATES: States = [
  ['a scene that runs', press('Run')],
  [
    'an error',
    async (page) => {
      await press('Pause')(page);
      await page.evaluate(() => window.linkwork.select(null));
      await page.locator('canvas').press('u');
      await expect(page.getByRole('alert')).toBeVisible();
    },
  ],
  [
    'an empty world',
    async (page) => {
      await press('New')(page);
      await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
    },
  ],
  [
    'a new joint',
    async (page) => {
      await page.evaluate(() =>
        window.linkwork.apply({ add_connector: { name: 'pin', body: 'ground', point: [0, 0.3, 0] } }),
      );
      await drawn(page);
      const button = await page.locator('[data-part=rod]').boundingBox();
      if (button === null) throw new Error('the palette has no rod');
      const to = await seen(page, 'ground', [0.25, 0.3, 0]);
      await drag(page, { x: button.x + 9, y: button.y + 9 }, to);
      await expect(page.getByRole('group', { name: 'New joint' })).toBeVisible();
    },
  ],
  [
    'a hand that holds',
    async (page) => {
      const at = await seen(page, 'rod');
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x, at.y + 20, { steps: 4 });
      await expect(page.locator('.held')).toBeVisible();
    },
  ],
  [
    'a tool that waits for a press',
    async (page) => {
      await page.mouse.up();
      await page.locator('[data-part=spring]').click();
      await expect(page.locator('.hover')).toBeVisible();
    },
  ],
  [
    'a motor',
    async (page) => {
      await page.locator('[data-part=motor]').click();
      const hinge = await seen(page, 'ground', [0, 0.3, 0]);
      await page.mouse.click(hinge.x, hinge.y);
      await select('joint', 'rod – ground')(page);
    },
  ],
];

/** Goes through states and gathers what axe finds in each. */
const walk = async (page: Page, states: States): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const [name, reach] of states) {
    await reach(page);
    await drawn(page);
    const own = await faults(page);
    if (own.length > 0) found[name] = own;
  }
  return found;
};

for (const [name, media] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced', { colorScheme: 'dark', forcedColors: 'active' }],
] as const) {
  test(`axe-core finds nothing in ${name} colors`, async ({ page }) => {
    await page.emulateMedia(media);
    const complaints = await open(page, PAUSED);
    expect(await walk(page, [...PANELS, ...DIALOGS])).toEqual({});
    expect(complaints).toEqual([]);
  });
}

test('axe-core finds nothing while one works', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await setShown('Panel', true)(page);
  expect(await walk(page, STATES)).toEqual({});
  expect(complaints).toEqual([]);
});

test('keys go through tabs, radio buttons and the tree', async ({ page }) => {
  const complaints = await open(page, PAUSED);
  await setShown('Panel', true)(page);
  /** Presses a key; what has the focus then, and what it says of being chosen. */
  const pressed = async (key: string): Promise<string> => {
    await page.keyboard.press(key);
    await drawn(page);
    return page.evaluate(() => {
      const own = document.activeElement;
      const isOn = own?.getAttribute('aria-selected') ?? own?.getAttribute('aria-checked') ?? '';
      return `${own?.getAttribute('aria-label') ?? own?.textContent} ${isOn}`;
    });
  };
  await page.getByRole('tab', { name: 'Inspect' }).focus();
  expect(await pressed('ArrowRight')).toBe('Tree true');
  expect(await pressed('End')).toBe('Plots true');
  expect(await pressed('ArrowRight')).toBe('Inspect true');
  expect(await pressed('ArrowLeft')).toBe('Plots true');
  expect(await pressed('Home')).toBe('Inspect true');
  expect(await pressed('ArrowRight')).toBe('Tree true');
  await expect(page.getByRole('tabpanel', { name: 'Tree' })).toBeVisible();
  // The tabs are one stop: the next one is in the panel, and the one after it is the tree.
  expect(await pressed('Tab')).toBe('Find in the scene ');
  expect(await pressed('Tab')).toBe('Things of the scene ');
  const at = page.locator('.tree [data-at=true]');
  for (const [key, row] of [
    ['Home', 'Bodies3'],
    ['ArrowRight', 'crankbox'],
    ['ArrowLeft', 'Bodies3'],
    ['ArrowLeft', 'Bodies3'],
    ['ArrowDown', 'Joints4'],
    ['ArrowDown', 'Ahinge'],
    ['End', 'coupler point'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(at).toHaveText(row);
  }
  await page.getByRole('radio', { name: 'follow' }).focus();
  expect(await pressed('ArrowRight')).toBe('3 pin true');
  expect(await pressed('ArrowRight')).toBe('1 force true');
  expect(await pressed('ArrowUp')).toBe('3 pin true');
  expect(await pressed('Tab')).toBe('point true');
  expect(complaints).toEqual([]);
});

test('what is on is seen in forced colors, and the picture has them too', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await open(page, PAUSED);
  await setShown('Panel', true)(page);
  const ground = (of: string): Promise<string> =>
    page.locator(of).evaluate((own) => getComputedStyle(own).backgroundColor);
  const isOff = await ground('.tools [aria-checked=false] >> nth=0');
  expect(await ground('.tools [aria-checked=true] >> nth=0')).not.toBe(isOff);
  expect(await ground('.tabs [aria-selected=true]')).not.toBe(await ground('.tabs [aria-selected=false] >> nth=0'));
  await show('Tree')(page);
  await page.getByRole('treeitem', { name: 'crank' }).click();
  expect(await ground('.tree [aria-selected=true]')).not.toBe(await ground('.tree [aria-selected=false] >> nth=0'));
  // The corner of the picture is as black as the page.
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('there is no picture');
  const corner = { x: box.x + box.width - 4, y: box.y + 2, width: 2, height: 2 };
  const shot = (await page.screenshot({ clip: corner })).toString('base64');
  const dark = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const pen = new OffscreenCanvas(1, 1).getContext('2d');
    pen?.drawImage(picture, 0, 0);
    return [...(pen?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, shot);
  expect(dark).toEqual([0, 0, 0]);
});

/** A finger, by the browser's own tools: it scrolls what scrolls. */
const finger = async (page: Page): Promise<(...way: Pixel[]) => Promise<void>> => {
  const device = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Pixel[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints });
  return async (...way) => {
    const [from] = way;
    if (from === undefined) return;
    await touch('touchStart', [from]);
    for (const [k, to] of way.slice(1).entries()) {
      const last = way[k] ?? to;
      for (let part = 1; part <= 10; part += 1) {
        const x = last.x + 0.1 * part * (to.x - last.x);
        const y = last.y + 0.1 * part * (to.y - last.y);
        await touch('touchMove', [{ x, y }]);
        await drawn(page);
      }
    }
    await touch('touchEnd', []);
  };
};

const middleOf = async (page: Page, part: string): Promise<Pixel> => {
  const box = await page.locator(`[data-part=${part}]`).boundingBox();
  if (box === null) throw new Error(`the palette has no ${part}`);
  return { x: box.x + 0.5 * box.width, y: box.y + 0.5 * box.height };
};

const names = async (page: Page, list: 'bodies' | 'joints' | 'connectors'): Promise<string[]> =>
  ((await saved(page))[list] ?? []).map(({ name }) => name);

const openEmpty = async (page: Page): Promise<string[]> => {
  const complaints = await open(page, PAUSED);
  await press('New')(page);
  await expect(page.getByRole('heading', { name: 'untitled' })).toBeVisible();
  await drawn(page);
  return complaints;
};

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 900, height: 400 } });

  test('a part is carried along the palette and then to the scene', async ({ page }) => {
    const complaints = await openEmpty(page);
    const drag = await finger(page);
    const from = await middleOf(page, 'rod');
    await drag(from, { x: from.x, y: from.y + 120 }, await seen(page, 'ground', [0, 0, 0]));
    await expect.poll(() => names(page, 'bodies')).toEqual(['rod']);
    // On the palette the finger scrolls it, and drops nothing.
    const palette = page.getByRole('complementary', { name: 'Parts' });
    await palette.evaluate((own) => own.scrollTo(0, 0));
    const box = await middleOf(page, 'box');
    await drag(box, { x: box.x, y: box.y - 100 });
    expect(await palette.evaluate((own) => own.scrollTop)).toBeGreaterThan(20);
    expect(await names(page, 'bodies')).toEqual(['rod']);
    expect(complaints).toEqual([]);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('axe-core finds nothing', async ({ page }) => {
    const complaints = await open(page, PAUSED);
    expect(await walk(page, [...PANELS, ...DIALOGS])).toEqual({});
    expect(complaints).toEqual([]);
  });

  test('parts are carried down, joined and dragged, and a panel leaves the scene in sight', async ({ page }) => {
    const complaints = await openEmpty(page);
    await press('Parts')(page);
    await drawn(page);
    const drag = await finger(page);
    const palette = page.getByRole('complementary', { name: 'Parts' });
    const pin = await seen(page, 'ground', [0, 0.3, 0]);
    // The last parts are out of sight: a finger moves the strip.
    const plate = await middleOf(page, 'plate');
    for (let k = 0; k < 2; k += 1) await drag({ x: plate.x + 200, y: plate.y }, { x: plate.x - 60, y: plate.y });
    expect(await palette.evaluate((own) => own.scrollLeft)).toBeGreaterThan(100);
    expect(await names(page, 'bodies')).toEqual([]);
    await drag(await middleOf(page, 'anchor'), pin);
    await expect.poll(() => names(page, 'connectors')).toEqual(['anchor']);
    await palette.evaluate((own) => own.scrollTo(0, 0));
    // Down from the palette; the left end comes near the anchor and joins there.
    const from = await middleOf(page, 'rod');
    const to = await seen(page, 'ground', [0.26, 0.29, 0]);
    await drag(from, { x: from.x, y: from.y + 90 }, to);
    await expect.poll(() => names(page, 'joints')).toEqual(['rod – ground']);
    await expect(page.getByRole('group', { name: 'New joint' })).toBeVisible();
    // The free end is dragged down, and the joint stays closed.
    const end = await seen(page, 'rod', [0.25, 0, 0]);
    await drag(end, { x: end.x - 30, y: end.y + 60 });
    await expect.poll(async () => (await seen(page, 'rod', [0.25, 0, 0])).y - end.y).toBeGreaterThan(20);
    expect((await page.evaluate(() => window.linkwork.report()))?.residual_m).toBeLessThan(1e-6);

    await page.getByRole('button', { name: 'Panel', exact: true }).tap();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await drawn(page);
    // Everything of the scene is still seen, and under the finger.
    for (const point of [-0.25, 0, 0.25]) {
      const pixel = await seen(page, 'rod', [point, 0, 0]);
      const top = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.tagName, pixel);
      expect(top).toBe('CANVAS');
    }
    const held = await seen(page, 'rod', [0.25, 0, 0]);
    await drag(held, { x: held.x + 30, y: held.y - 20 });
    await expect.poll(async () => (await seen(page, 'rod', [0.25, 0, 0])).y - held.y).toBeLessThan(-8);
    await expect(page.getByRole('heading', { name: 'rod', exact: true })).toBeVisible();
    expect(complaints).toEqual([]);
  });
});
