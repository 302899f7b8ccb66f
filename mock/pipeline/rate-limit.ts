import type { Behaviors } from '../../openapi/generated/rules.ts';

const MINUTE = 60_000;

/**
 * The rate limit of an account: at most `limit` requests in any 60 seconds of its clock (limits.rate-window, limits.rate-scope), over all endpoints
 * together (limits.rate-shared, limits.rate-covers-every-endpoint).
 */
export class RateWindow {
  readonly #limit: number | null;
  /** The times of requests, oldest first. Only the times from position `#first` on count. At most `limit` times count. */
  #times: number[] = [];
  #first = 0;

  /** `limit` is null for no limit. */
  constructor(limit: number | null) {
    this.#limit = limit;
  }

  /**
   * Counts a request at `now`, unless the window is full (limits.rate-refuses-excess). Requests that a later check rejects count,
   * too (limits.rejected-requests-count). An option decides if requests that this limit refuses count (limits.refused-requests-count,
   * limits.rate-recovers).
   */
  admit(now: number, behaviors: Behaviors): boolean {
    if (this.#limit === null) return true;
    const times = this.#times;
    // If the clock was set back, later times do not count.
    while (times.length > this.#first && (times.at(-1) as number) > now) times.pop();
    while (this.#first < times.length && now - (times[this.#first] as number) >= MINUTE) this.#first++;
    const isFull = times.length - this.#first >= this.#limit;
    if (!isFull || behaviors['limits.refused-requests-count'] === 'yes') times.push(now);
    if (times.length - this.#first > this.#limit) this.#first++;
    if (this.#first > times.length / 2) this.restore(this.state());
    return !isFull;
  }

  /** Records that a fault refuses the last request. If refused requests do not count (limits.refused-requests-count), the count drops by one. */
  uncount(behaviors: Behaviors): void {
    if (behaviors['limits.refused-requests-count'] === 'no' && this.#times.length > this.#first) this.#times.pop();
  }

  /** Returns the milliseconds until the oldest request leaves the window; 0 for an empty window. */
  until(now: number): number {
    const oldest = this.#times[this.#first];
    return oldest === undefined ? 0 : Math.max(0, oldest + MINUTE - now);
  }

  /** Returns the times of the requests that count, oldest first. */
  state(): readonly number[] {
    return this.#times.slice(this.#first);
  }

  /** Restores the result of `state()`, at most the last `limit` times. */
  restore(times: readonly number[]): void {
    if (this.#limit === null) return;
    this.#times = times.slice(-this.#limit);
    this.#first = 0;
  }
}
