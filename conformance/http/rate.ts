import { NeverSent } from './exchange.ts';
import type { Target } from './target.ts';

/** The reason to wait: the target returned 429, the run limits its own rate, or time must pass at the target. */
export type WaitsFor = 'limit' | 'own-rate' | 'rest';

export interface Waiting {
  now(): number;
  sleep(ms: number, why: WaitsFor): Promise<void>;
}

export const realTime: Waiting = { now: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };

/** The times of all requests of this process that were sent under a rate, by target. So a sweep counts the requests of the run before the sweep. */
const sentTo = new Map<string, number[]>();

/** Paces the requests evenly, and sums up the waiting time. Deadlines of tests do not include the waiting time. */
export class Rate {
  readonly #perMinute: number | undefined;
  readonly #time: Waiting;
  readonly #sent: number[];
  /** Requests wait for their turn one after another, even if tests send them in parallel. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Sum of all waits in milliseconds. Every wait counts, even if another request waits at the same time. */
  waited = 0;

  constructor({ url, fetch, ratePerMinute }: Pick<Target, 'url' | 'fetch' | 'ratePerMinute'>, time: Waiting) {
    this.#perMinute = ratePerMinute;
    const isShared = ratePerMinute !== undefined && !fetch;
    this.#sent = (isShared ? sentTo.get(url) : undefined) ?? [];
    if (isShared) sentTo.set(url, this.#sent);
    this.#time = time;
  }

  /** Resolves when a request may be sent, and counts the request. If `unwanted` returns true first, throws NeverSent. */
  turn(unwanted: () => boolean): Promise<void> {
    const turn = this.#queue.then(async () => {
      // A timer may fire early, so the loop checks the time again.
      for (let ms = this.#untilFree(); ms > 0 && !unwanted(); ms = this.#untilFree()) await this.wait(ms, 'own-rate');
      this.count(unwanted);
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Counts a request that is sent now. Throws NeverSent if the request is unwanted. */
  count(unwanted: () => boolean): void {
    if (unwanted()) throw new NeverSent('the deadline of this check is over');
    this.#sent.push(this.#time.now());
  }

  wait(ms: number, why: WaitsFor): Promise<void> {
    return this.during(() => this.#time.sleep(ms, why));
  }

  /** Counts the duration of `work` as waiting. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const start = this.#time.now();
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
      this.waited += this.#time.now() - start;
    }
  }

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  get peakPerMinute(): number {
    return Math.max(0, ...this.#sent.map((start) => this.#sent.filter((at) => at >= start && at < start + 60_000).length));
  }

  #untilFree(): number {
    const { length } = this.#sent;
    if (this.#perMinute === undefined || length === 0) return 0;
    const [last = 0, oldest = -Infinity] = [this.#sent[length - 1], this.#sent[length - this.#perMinute]];
    return Math.ceil(Math.max(last + 60_000 / this.#perMinute, oldest + 60_000) - this.#time.now());
  }
}
