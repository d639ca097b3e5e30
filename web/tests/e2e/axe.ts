// What axe-core finds wrong with the page as it is now.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All of WCAG 2.2 AA and the best practices. These two are asked for by name: axe leaves them out by itself. */
const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
  resultTypes: ['violations'],
};

/** One line for each thing that breaks a rule: the rule, where, and why. */
export const faults = async (page: Page): Promise<string[]> => {
  // By the browser's own tools: the server's policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const { violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run: (of: Document, options: unknown) => Promise<AxeResults> } }).axe.run(
        document,
        options,
      ),
    OPTIONS,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
};
