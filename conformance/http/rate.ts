import { TransportError } from '../core/verdict.ts';

/** Why a run waits: the target answered 429, the run limits its own rate, or time must pass at the target. */
export type WaitsFor = 'limit' | 'own-rate' | 'rest';

export interface Waiting {
  now(): number;
  sleep(ms: number, why: WaitsFor): Promise<void>;
}

export const realTime: Waiting = { now: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };

/** Limits requests per minute, and adds up the time spent waiting. */
export class Rate {
  readonly #perMinute: number | undefined;
  readonly #time: Waiting;
  readonly #sent: number[] = [];
  /** Requests are sent one after another, even if tests send them in parallel. */
  #queue: Promise<void> = Promise.resolve();
  #waiters = 0;
  #waitingSince = 0;
  #waited = 0;

  constructor(perMinute: number | undefined, time: Waiting) {
    this.#perMinute = perMinute;
    this.#time = time;
  }

  /** Resolves when a request may be sent. Throws TransportError when `unwanted` turns true before. */
  turn(unwanted: () => boolean): Promise<void> {
    const turn = this.#queue.then(() => this.#free(unwanted));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Counts a request that is sent without waiting. */
  leave(unwanted: () => boolean): void {
    if (unwanted()) throw new TransportError('the deadline of this check is over');
    this.#sent.push(this.#time.now());
  }

  wait(ms: number, why: WaitsFor): Promise<void> {
    return this.during(() => this.#time.sleep(ms, why));
  }

  /** Counts the duration of `work` as waiting. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiters === 0) this.#waitingSince = this.#time.now();
    this.#waiters += 1;
    try {
      return await work();
    } finally {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#waited += this.#time.now() - this.#waitingSince;
    }
  }

  /** Adds waiting time measured elsewhere, in milliseconds. */
  waitedFor(ms: number): void {
    this.#waited += ms;
  }

  /** Milliseconds spent waiting. */
  get waited(): number {
    return this.#waited + (this.waiting ? this.#time.now() - this.#waitingSince : 0);
  }

  get waiting(): boolean {
    return this.#waiters > 0;
  }

  /** The most requests sent within one minute. */
  get peakPerMinute(): number {
    return this.#sent.reduce(
      (peak, start) => Math.max(peak, this.#sent.filter((at) => at >= start && at < start + 60_000).length),
      0,
    );
  }

  async #free(unwanted: () => boolean): Promise<void> {
    const limit = this.#perMinute;
    // A timer may fire early.
    for (let free = 1; !unwanted() && limit !== undefined && this.#sent.length >= limit && free > 0; ) {
      free = Math.ceil((this.#sent.at(-limit) ?? 0) + 60_000 - this.#time.now());
      if (free > 0) await this.wait(free, 'own-rate');
    }
    this.leave(unwanted);
  }
}
