import { expect, test } from 'vitest';
import { type Claims, Keeper, type Memory, type Shelf, troubleOf, type Work } from '../../src/work/keeper';

/** A browser: one shelf, and a tab after another. */
class Browser {
  readonly works = new Map<string, Work>();
  readonly taken = new Map<string, object>();
  fault: Error | null = null;

  private readonly shelf: Shelf = {
    all: async () => this.answer([...this.works.values()]),
    get: async (id) => this.answer(this.works.get(id) ?? null),
    put: async (work) => {
      this.answer(null);
      this.works.set(work.id, work);
    },
    remove: async (id) => {
      this.works.delete(this.answer(id));
    },
  };

  tab(memory: Memory = remember()) {
    const own = {};
    const claims: Claims = {
      claim: async (id) => {
        const holder = this.taken.get(id) ?? own;
        if (holder === own) this.taken.set(id, own);
        return holder === own;
      },
      release: (id) => {
        if (this.taken.get(id) === own) this.taken.delete(id);
      },
      taken: async () => new Set(this.taken.keys()),
    };
    const told: (string | null)[] = [];
    const keeper = new Keeper(this.shelf, claims, memory, (trouble) => told.push(trouble));
    const close = (): void => {
      for (const [id, holder] of this.taken) if (holder === own) this.taken.delete(id);
    };
    return { keeper, told, memory, close };
  }

  private answer<T>(value: T): T {
    if (this.fault !== null) throw this.fault;
    return value;
  }
}

const remember = (): Memory => {
  let own: string | null = null;
  return {
    get: () => own,
    set: (id) => {
      own = id;
    },
  };
};

const names = async (keeper: Keeper): Promise<string[]> => (await keeper.offers()).map(({ name }) => name);
const failing = (name: string): Error => Object.assign(new Error('no'), { name });

test('a scene that nobody changed is not kept', async () => {
  const browser = new Browser();
  const { keeper } = browser.tab();
  await keeper.begin(null);
  expect(await keeper.keep('{}', 'four-bar')).toBe(true);
  expect([browser.works.size, keeper.isAtRisk]).toEqual([0, false]);
});

test('changes are kept, and are back when the tab is loaded again', async () => {
  const browser = new Browser();
  const first = browser.tab();
  await first.keeper.begin(null);
  first.keeper.changed();
  expect(first.keeper.isAtRisk).toBe(true);
  await first.keeper.keep('{"a": 1}', 'four-bar');
  expect(first.keeper.isAtRisk).toBe(false);
  first.close();
  const again = browser.tab(first.memory);
  const work = await again.keeper.before();
  expect(work).toMatchObject({ name: 'four-bar', text: '{"a": 1}' });
  await again.keeper.begin(work as Work);
  // It goes on in its place.
  again.keeper.changed();
  await again.keeper.keep('{"a": 2}', 'four-bar');
  expect([...browser.works.values()].map(({ text }) => text)).toEqual(['{"a": 2}']);
  expect(await names(again.keeper)).toEqual([]);
});

test('a change that comes while a copy is stored is still at risk', async () => {
  const { keeper } = new Browser().tab();
  await keeper.begin(null);
  keeper.changed();
  const keeping = keeper.keep('{}', 'x');
  keeper.changed();
  await keeping;
  expect(keeper.isAtRisk).toBe(true);
});

test('what another scene took the place of, and what a closed tab had, is offered; what a tab has is not', async () => {
  const browser = new Browser();
  const [one, two] = [browser.tab(), browser.tab()];
  for (const { keeper } of [one, two]) await keeper.begin(null);
  one.keeper.changed();
  await one.keeper.keep('{}', 'one');
  two.keeper.changed();
  await two.keeper.keep('{}', 'two');
  expect([await names(one.keeper), await names(two.keeper)]).toEqual([[], []]);
  await one.keeper.begin(null);
  expect(await names(one.keeper)).toEqual(['one']);
  two.close();
  expect((await names(one.keeper)).sort()).toEqual(['one', 'two']);
});

test('two tabs with one work: the second begins anew', async () => {
  const browser = new Browser();
  const first = browser.tab();
  await first.keeper.begin(null);
  first.keeper.changed();
  await first.keeper.keep('{}', 'four-bar');
  const copy = browser.tab(first.memory);
  expect(await copy.keeper.before()).toBe('taken');
  await copy.keeper.begin(null);
  copy.keeper.changed();
  await copy.keeper.keep('{"b": 1}', 'four-bar');
  expect(browser.works.size).toBe(2);
});

test('work that was saved to a file leaves the shelf with its scene, unless it was changed since', async () => {
  const browser = new Browser();
  const { keeper } = browser.tab();
  await keeper.begin(null);
  keeper.changed();
  await keeper.keep('{}', 'one');
  keeper.saved();
  expect(browser.works.size).toBe(1);
  await keeper.begin(null);
  expect(browser.works.size).toBe(0);
  keeper.changed();
  keeper.saved();
  keeper.changed();
  await keeper.keep('{}', 'two');
  await keeper.begin(null);
  expect(browser.works.size).toBe(1);
});

test('storage that is full or forbidden is told in words, and nothing is believed to be kept', async () => {
  const browser = new Browser();
  const { keeper, told } = browser.tab();
  await keeper.begin(null);
  keeper.changed();
  browser.fault = failing('QuotaExceededError');
  expect([await keeper.keep('{}', 'x'), keeper.isAtRisk]).toEqual([false, true]);
  browser.fault = failing('SecurityError');
  expect(await keeper.keep('{}', 'x')).toBe(false);
  expect(await keeper.offers()).toEqual([]);
  expect(told[0]).toBe("the browser's storage is full");
  expect(told[1]).toContain('forbids');
  // There is room again.
  browser.fault = null;
  expect([await keeper.keep('{}', 'x'), keeper.isAtRisk, told.at(-1)]).toEqual([true, false, null]);
  expect(troubleOf(failing('DataError'))).toContain('(no)');
});
