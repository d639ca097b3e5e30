import type { Page } from '@playwright/test';

/** Opens a scene and gathers whatever the page complains about, from then on too. */
export const open = async (page: Page, address: string): Promise<string[]> => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    // Software rendering says so when a picture is read back; it is no fault of the page.
    if (isComplaint && !message.text().includes('GPU stall')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => window.linkwork !== undefined);
  await page.evaluate(() => window.linkwork.ready);
  return complaints;
};

/** How the engine's worker fails: as if the engine had trapped, by an error that nobody catches, after a second in
 * which it hears nothing, or by never coming back. */
export type Failure = 'trap' | 'error' | 'late error' | 'hang';

/** Makes the engine's worker fail, by the browser's own tools: the page has nothing for that. */
export const breakEngine = async (page: Page, how: Failure): Promise<void> => {
  const worker = page.workers().find((own) => own.url().includes('sim.worker'));
  if (worker === undefined) throw new Error('the page has no engine');
  await worker.evaluate((how) => {
    const busy = (until: number): void => {
      while (performance.now() < until);
    };
    const fail = {
      // What the engine says next is a trap, for whoever asks.
      trap: () => {
        JSON.parse = () => {
          throw new WebAssembly.RuntimeError('this trap was asked for');
        };
      },
      error: () => {
        throw new Error('this error was asked for');
      },
      'late error': () => {
        busy(performance.now() + 1000);
        throw new Error('this error was asked for');
      },
      hang: () => busy(Number.POSITIVE_INFINITY),
    };
    // After the answer to whoever asked for it.
    setTimeout(fail[how]);
  }, how);
};

export type Pixel = { x: number; y: number };

/** Where a point of a body is in the window. */
export const seen = (page: Page, body: string, point: [number, number, number] = [0, 0, 0]): Promise<Pixel> =>
  page.evaluate(([name, at]) => window.linkwork.project(name, at), [body, point] as const);

export const drag = async (page: Page, from: Pixel, to: Pixel, steps = 8): Promise<void> => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps });
  await page.mouse.up();
};

/** The scene as a file would have it. */
export const saved = async (
  page: Page,
): Promise<{ bodies: Named[]; joints?: Named[]; behaviors?: Named[]; connectors?: Named[] }> =>
  JSON.parse(await page.evaluate(() => window.linkwork.save()));

export type Named = { name: string; type: string } & Record<string, unknown>;

/** Two pictures have come and gone: what was asked for is drawn, and everything is in its place. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );

/** The works that the browser keeps. */
export const shelved = (page: Page): Promise<{ name: string; text: string }[]> =>
  page.evaluate(
    () =>
      new Promise<{ name: string; text: string }[]>((resolve, reject) => {
        const opening = indexedDB.open('linkwork', 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction('work').objectStore('work').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result);
          };
          all.onerror = () => reject(all.error);
        };
      }),
  );

const panel = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Panel', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
};

/** Opens the panel at a tab. */
export const show = async (page: Page, tab: string): Promise<void> => {
  await panel(page);
  await page.getByRole('tab', { name: tab }).click();
};

/** Selects a body and shows what it is. */
export const inspect = async (page: Page, body: string): Promise<void> => {
  await page.evaluate((name) => window.linkwork.select({ kind: 'body', name }), body);
  await show(page, 'Inspect');
};

/** Moves a slider in two steps and lets it go. */
export const slide = (page: Page, label: string, to: number): Promise<void> =>
  page.getByLabel(label).evaluate((input: HTMLInputElement, value) => {
    const between = (Number(input.value) + value) / 2;
    for (const own of [between, value]) {
      input.value = String(own);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, to);
