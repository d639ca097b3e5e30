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

/** Two pictures have come and gone: what was asked for is drawn, and everything is in its place. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  }));
