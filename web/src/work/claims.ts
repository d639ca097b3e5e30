// Which tab has which work: by locks of the browser, which go when the tab goes, however it goes.

import type { Claims, Memory } from './keeper';

const PREFIX = 'linkwork work ';
/** How long a page that is being left may take to give its locks back, ms. */
const PATIENCE = 1500;

const held = new Map<string, () => void>();

/** Without locks, as on pages that came over plain HTTP, every tab believes that it is the only one. */
const locks = (): LockManager | null => navigator.locks ?? null;

export const claims: Claims = {
  claim: (id) =>
    new Promise((resolve) => {
      const all = locks();
      if (all === null || held.has(id)) {
        resolve(true);
        return;
      }
      const hold = (): Promise<void> =>
        new Promise((release) => {
          held.set(id, release);
          resolve(true);
        });
      all.request(PREFIX + id, { signal: AbortSignal.timeout(PATIENCE) }, hold).catch(() => resolve(false));
    }),
  release: (id) => {
    held.get(id)?.();
    held.delete(id);
  },
  taken: async () => {
    const names = (await locks()?.query())?.held ?? [];
    return new Set(names.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
  },
};

const KEY = 'linkwork-work';

/** Of this tab, for as long as it is open. Where that is forbidden it remembers nothing. */
export const memory: Memory = {
  get: () => {
    try {
      return sessionStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  set: (id) => {
    try {
      sessionStorage.setItem(KEY, id);
    } catch {
      // Work is offered, not restored, when the tab is loaded again.
    }
  },
};
