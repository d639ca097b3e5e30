import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine, type Told } from '../../src/engine/client';
import type { Ask, FromWorker, ToWorker } from '../../src/engine/messages';

/** A worker that does nothing by itself. */
class Puppet {
  static all: Puppet[] = [];
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault: () => void }) => void) | null = null;
  isTerminated = false;
  readonly asked: { id: number; ask: Ask }[] = [];

  constructor() {
    Puppet.all.push(this);
  }

  postMessage(message: ToWorker): void {
    if (message.type === 'ask') this.asked.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  says(message: FromWorker): void {
    this.onmessage?.({ data: message });
  }

  /** Answers the question of this type that was asked last. */
  answers(type: Ask['type'], fault: string | null = null): void {
    const { id } = this.asked.findLast(({ ask }) => ask.type === type) ?? { id: -1 };
    this.says(fault === null ? { type: 'answer', id, value: null } : { type: 'refusal', id, text: fault });
  }

  get types(): string[] {
    return this.asked.map(({ ask }) => ask.type);
  }
}

const ready: FromWorker = { type: 'ready', library: [], catalogue: { sorts: [], world: [] } };
/** Lets promises go on. */
const settle = () => vi.advanceTimersByTimeAsync(0);

let told: Told[] = [];
let engine: Engine;
const faults = () => told.flatMap((message) => (message.type === 'fault' ? [message.text] : []));
const stuck = () => told.flatMap((message) => (message.type === 'stuck' ? [message.isStuck] : []));
const worker = (): Puppet => Puppet.all[Puppet.all.length - 1] ?? new Puppet();

/** An engine with a scene open. */
const start = async (text: string): Promise<void> => {
  engine.start();
  worker().says(ready);
  const opening = engine.ask({ type: 'open', text });
  worker().answers('open');
  await opening;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', Puppet);
  Puppet.all = [];
  told = [];
  engine = new Engine((message) => told.push(message));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a worker that dies is replaced, and the last copy of the world is opened', async () => {
  await start('four-bar');
  void engine.ask({ type: 'speed', speed: 0.5 });
  worker().answers('speed');
  worker().says({ type: 'kept', text: '{kept}', time: 2.345 });
  const dead = worker();
  const pending = expect(engine.ask({ type: 'hash' })).rejects.toThrow('stopped before it could answer: unreachable');
  dead.says({ type: 'died', text: 'unreachable' });
  await pending;
  expect([dead.isTerminated, Puppet.all.length]).toEqual([true, 2]);
  // What is asked meanwhile waits for the world.
  void engine.ask({ type: 'save' }).catch(() => null);
  worker().says(ready);
  expect(worker().types).toEqual(['open', 'speed', 'save']);
  expect(worker().asked[0]?.ask).toEqual({ type: 'open', text: '{kept}' });
  worker().answers('open');
  worker().answers('speed');
  await settle();
  expect(faults()).toEqual([
    'The engine stopped: unreachable. It was started again with the scene as it was at 2.35 s; time is paused, and the undo history is empty.',
  ]);
  // Only the first start is told: it opens what the address asks for.
  expect(told.filter(({ type }) => type === 'ready')).toHaveLength(1);
});

test('a world that kills every worker is given up', async () => {
  await start('four-bar');
  worker().onerror?.({ message: 'no memory', preventDefault: () => {} });
  worker().says(ready);
  worker().says({ type: 'died', text: 'no memory' });
  await settle();
  worker().says(ready);
  await settle();
  expect(Puppet.all).toHaveLength(3);
  expect(worker().types).toEqual([]);
  expect(faults().at(-1)).toBe('The engine stopped: no memory. It was started again; choose a scene.');
});

test('a worker that never starts is not started again', async () => {
  engine.start();
  worker().says({ type: 'died', text: 'no WebAssembly' });
  expect(Puppet.all).toHaveLength(1);
  expect(faults()).toEqual(['The engine does not start: no WebAssembly. Reload the page.']);
  await expect(engine.ask({ type: 'save' })).rejects.toThrow('Reload');
});

test('silence is told after ten seconds, if an answer is owed, and ends with the next word', async () => {
  await start('four-bar');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stuck()).toEqual([]);
  void engine.ask({ type: 'save' });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stuck()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stuck()).toEqual([true]);
  worker().answers('save');
  expect(stuck()).toEqual([true, false]);
});

test('what a dead worker has left in the post is not heard', async () => {
  await start('four-bar');
  const dead = worker();
  engine.restart();
  dead.says({ type: 'fault', text: 'late' });
  expect(faults()).toEqual([]);
});
