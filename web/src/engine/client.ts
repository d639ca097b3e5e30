// The page's side of the worker.

import type { Ask, Command, FromWorker, ToWorker } from './words';

export type Told = Exclude<FromWorker, { type: 'answer' }>;

export class Engine {
  private worker: Worker | null = null;
  private readonly questions = new Map<
    number,
    { resolve: (value: string | null) => void; reject: (error: Error) => void }
  >();
  private next = 0;

  constructor(private readonly told: (message: Told) => void) {}

  /** Starts the worker; it says `ready`. */
  start(): void {
    this.worker = new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
    this.worker.onerror = (event) => {
      this.told({ type: 'fault', text: `The engine stopped: ${event.message}. Reload the page.` });
    };
  }

  private hear(message: FromWorker): void {
    if (message.type !== 'answer') {
      this.told(message);
      return;
    }
    const question = this.questions.get(message.id);
    this.questions.delete(message.id);
    if (message.fault === null) question?.resolve(message.value);
    else question?.reject(new Error(message.fault));
  }

  private send(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker?.postMessage(message, { transfer });
  }

  ask(ask: Ask): Promise<string | null> {
    const id = this.next;
    this.next += 1;
    const answer = new Promise<string | null>((resolve, reject) => {
      this.questions.set(id, { resolve, reject });
    });
    this.send({ id, ask });
    return answer;
  }

  apply(...commands: Command[]): Promise<string | null> {
    return this.ask({ type: 'apply', commands });
  }

  /** Gives a buffer of poses back, to be filled again. */
  recycle(buffer: ArrayBuffer): void {
    this.send({ recycle: buffer }, [buffer]);
  }
}
