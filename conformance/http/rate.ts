import { NeverSent } from '../core/verdict.ts';

/** The reason to wait: the target answered 429, the run limits its own rate, or time must pass at the target. */
export type WaitsFor = 'limit' | 'own-rate' | 'rest';

export interface Waiting {
  now(): number;
  sleep(ms: number, why: WaitsFor): Promise<void>;
}

export const realTime: Waiting = { now: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };

/** Limits the requests per minute, and sums up the waiting time. Deadlines of tests do not include the waiting time. */
export class Rate {
  readonly #perMinute: number | undefined;
  readonly #time: Waiting;
  readonly #sent: number[] = [];
  /** Requests wait for their turn one after another, even if tests send them in parallel. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Sum of all waits in milliseconds. Every wait counts, even if another request waits at the same time. */
  waited = 0;

  constructor(perMinute: number | undefined, time: Waiting) {
    this.#perMinute = perMinute;
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
    const oldest = this.#perMinute === undefined ? undefined : this.#sent.at(-this.#perMinute);
    return oldest === undefined ? 0 : Math.ceil(oldest + 60_000 - this.#time.now());
  }
}
