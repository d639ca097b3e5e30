// Pictures of scenes: one at a time, in idle time, each made once in light and once in dark.

import type { Look } from './border';
import { openable } from './library';
import type { Preview, Wanted } from './messages';

/** Draws a scene; gives the address of an image, empty if it cannot. */
export type Paint = (look: Look, poses: Float64Array) => string;

interface Wish {
  name: string;
  shade: string;
  give: (picture: string | null) => void;
}

/** Kept for as long as the page is: some kilobytes each. None for what cannot be drawn. */
const made = new Map<string, string | null>();

const keyOf = (name: string, shade: string): string => `${shade} ${name}`;

const whenIdle = (act: () => void): void => {
  // Not every browser has the one.
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 500 });
  else setTimeout(act, 50);
};

/** For as long as somebody looks at pictures: the worker starts with the first wish. */
export class Pictures {
  private readonly wishes: Wish[] = [];
  private current: Wish | null = null;
  private worker: Worker | null = null;

  constructor(private readonly paint: Paint) {}

  /** Calls back with the picture, unless the wish is taken back by what is returned. */
  wish(name: string, shade: string, give: Wish['give']): () => void {
    const ready = made.get(keyOf(name, shade));
    if (ready !== undefined) {
      give(ready);
      return () => {};
    }
    const wish = { name, shade, give };
    this.wishes.push(wish);
    this.next();
    return () => {
      const at = this.wishes.indexOf(wish);
      if (at >= 0) this.wishes.splice(at, 1);
    };
  }

  /** Nobody looks any longer. */
  dispose(): void {
    this.wishes.length = 0;
    this.current = null;
    this.worker?.terminate();
    this.worker = null;
  }

  private next(): void {
    if (this.current !== null) return;
    const wish = this.wishes.shift();
    if (wish === undefined) return;
    this.current = wish;
    whenIdle(() => void this.begin(wish));
  }

  private async begin(wish: Wish): Promise<void> {
    const { name } = wish;
    if (this.current !== wish) return;
    try {
      const text = await openable(name);
      if (this.current !== wish) return;
      this.worker ??= this.hire();
      this.worker.postMessage({ name, text } satisfies Wanted);
    } catch (error) {
      this.finish({ type: 'refused', name, fault: error instanceof Error ? error.message : String(error) });
    }
  }

  private hire(): Worker {
    const worker = new Worker(new URL('./pictures.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<Preview>) => whenIdle(() => this.finish(event.data));
    // The next wish starts another one.
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.worker = null;
      if (this.current !== null) this.finish({ type: 'refused', name: this.current.name, fault: event.message });
    };
    return worker;
  }

  private finish(preview: Preview): void {
    const wish = this.current;
    if (wish === null || wish.name !== preview.name) return;
    this.current = null;
    const picture = (preview.type === 'refused' ? '' : this.paint(preview.look, preview.poses)) || null;
    made.set(keyOf(wish.name, wish.shade), picture);
    wish.give(picture);
    this.next();
  }
}
