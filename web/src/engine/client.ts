// The page's side of the worker. A worker that stops is replaced, and the last good world opened again.

import { unreachable } from '../exhaustive';
import type { Command } from './border';
import { Latency } from './latency';
import type { Answer, Answers, Ask, FromWorker, ToWorker } from './messages';

export type Told =
  | Exclude<FromWorker, { type: 'answer' | 'refusal' | 'died' }>
  /** Whether the engine leaves a question unanswered for long. */
  | { type: 'stuck'; isStuck: boolean };

interface Question {
  ask: Ask;
  resolve: (value: Answers[Ask['type']]) => void;
  reject: (error: Error) => void;
}

/** The last good world. */
interface Kept {
  text: string;
  /** Of the scene, s; none if it is as it was opened. */
  time: number | null;
}

/** Silence that is too long, s. */
const PATIENCE = 10;

/** What a new worker is told again. */
const isSetting = (ask: Ask): boolean => ['speed', 'clock', 'forces', 'contacts', 'watch'].includes(ask.type);

const isDrag = (ask: Ask): boolean =>
  ask.type === 'apply' && ask.commands.some((command) => typeof command === 'object' && 'drag' in command);

export class Engine {
  readonly latency = new Latency();
  private worker: Worker | null = null;
  private isReady = false;
  /** Questions that were asked before the worker was ready. */
  private waiting: ToWorker[] = [];
  private readonly questions = new Map<number, Question>();
  private next = 0;
  private kept: Kept | null = null;
  private readonly settings = new Map<Ask['type'], Ask>();
  /** Why the worker before this one stopped, until its world is open again. */
  private obituary: string | null = null;
  /** Seconds since the worker was heard, while it owes an answer. Counted by ticks: a page that slept has
   * not listened. */
  private silence = 0;

  constructor(private readonly told: (message: Told) => void) {}

  /** Starts the worker; it says `ready`. */
  start(): void {
    this.begin();
    setInterval(() => this.listen(), 1000);
  }

  ask<A extends Ask>(ask: A): Promise<Answer<A>> {
    if (this.worker === null) return Promise.reject(new Error('The engine does not run. Reload the page.'));
    const id = this.next;
    this.next += 1;
    if (isSetting(ask)) this.settings.set(ask.type, ask);
    if (isDrag(ask)) this.latency.ask(id);
    const answer = new Promise<Answer<A>>((resolve, reject) => {
      this.questions.set(id, { ask, resolve: (value) => resolve(value as Answer<A>), reject });
    });
    const message: ToWorker = { type: 'ask', id, ask };
    if (this.isReady) this.worker.postMessage(message);
    else this.waiting.push(message);
    return answer;
  }

  apply(...commands: Command[]): Promise<null> {
    return this.ask({ type: 'apply', commands });
  }

  /** Gives a buffer of poses back, to be filled again. */
  recycle(buffer: ArrayBuffer): void {
    if (this.isReady) this.worker?.postMessage({ type: 'recycle', buffer } satisfies ToWorker, { transfer: [buffer] });
  }

  /** Stops the worker, whatever it does, and goes on from the last good world. */
  restart(): void {
    this.bury('it was stopped by the user');
  }

  private begin(): void {
    const worker = new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<FromWorker>) => {
      // What a dead worker has left in the post is not heard.
      if (worker === this.worker) this.hear(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.bury(event.message || 'its code cannot be loaded');
    };
    this.worker = worker;
    this.isReady = false;
  }

  private hear(message: FromWorker): void {
    this.heard();
    switch (message.type) {
      case 'answer':
        this.answer(message.id, message.value);
        break;
      case 'refusal':
        this.take(message.id)?.reject(new Error(message.text));
        break;
      case 'kept':
        this.kept = { text: message.text, time: message.time };
        this.told(message);
        break;
      case 'died':
        this.bury(message.text);
        break;
      case 'ready':
        this.isReady = true;
        if (this.obituary === null) this.told(message);
        else void this.revive(this.obituary);
        for (const waiting of this.waiting.splice(0)) this.worker?.postMessage(waiting);
        break;
      case 'frame':
        this.latency.include(message.after);
        this.told(message);
        break;
      case 'look':
      case 'clock':
      case 'fault':
        this.told(message);
        break;
      default:
        unreachable(message);
    }
  }

  /** The question with this number, which is over. */
  private take(id: number): Question | undefined {
    const question = this.questions.get(id);
    this.questions.delete(id);
    return question;
  }

  private answer(id: number, value: Answers[Ask['type']]): void {
    const question = this.take(id);
    if (question === undefined) return;
    if (question.ask.type === 'open') this.kept = { text: question.ask.text, time: null };
    question.resolve(value);
  }

  /** The worker is of no use any longer: a new one takes its place. */
  private bury(reason: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.heard();
    this.latency.forget();
    const questions = [...this.questions.values()];
    this.questions.clear();
    this.waiting = [];
    if (!this.isReady) {
      this.told({ type: 'fault', text: `The engine does not start: ${reason}. Reload the page.` });
    } else {
      // A world that stops the engine as soon as it is opened is not opened again.
      if (this.obituary !== null) this.kept = null;
      this.obituary = reason;
      this.begin();
    }
    for (const { reject } of questions) reject(new Error(`The engine stopped before it could answer: ${reason}.`));
  }

  /** Opens the last good world in a new worker; time stands. */
  private async revive(reason: string): Promise<void> {
    const { kept, worker } = this;
    if (kept === null) {
      this.giveUp(reason);
      return;
    }
    const opening = this.ask({ type: 'open', text: kept.text });
    const settings = [...this.settings.values()].map((ask) => this.ask(ask).catch(() => null));
    try {
      await opening;
      await Promise.all(settings);
    } catch {
      // If it died of it, it is buried already.
      if (worker === this.worker) this.giveUp(reason);
      return;
    }
    this.kept = kept;
    this.obituary = null;
    const when = kept.time === null ? 'as it was opened' : `as it was at ${kept.time.toFixed(2)} s`;
    const text = `The engine stopped: ${reason}. It was started again with the scene ${when}; time is paused, and the undo history is empty.`;
    this.told({ type: 'fault', text });
  }

  private giveUp(reason: string): void {
    this.kept = null;
    this.obituary = null;
    this.told({ type: 'fault', text: `The engine stopped: ${reason}. It was started again; choose a scene.` });
  }

  private listen(): void {
    this.silence = this.questions.size === 0 || document.hidden ? 0 : this.silence + 1;
    if (this.silence === PATIENCE) this.told({ type: 'stuck', isStuck: true });
  }

  private heard(): void {
    if (this.silence >= PATIENCE) this.told({ type: 'stuck', isStuck: false });
    this.silence = 0;
  }
}
