import type { Behaviors } from '../../openapi/generated/clauses.ts';

const MINUTE = 60_000;

/**
 * The rate limit of an account: at most `limit` requests in any 60 seconds of its clock (limits.rate-window, limits.rate-scope), over all endpoints
 * together (limits.rate-shared, limits.rate-covers-every-endpoint).
 */
export class RateWindow {
  readonly #limit: number | null;
  /** The times of the last requests that count, at most `limit`, the oldest first. */
  #times: number[] = [];

  /** `limit` is null for no limit. */
  constructor(limit: number | null) {
    this.#limit = limit;
  }

  /**
   * Counts a request at `now`, unless the window is full (limits.rate-refuses-excess). Requests that are rejected later count, too
   * (limits.rejected-requests-count). Refused ones count by option (limits.refused-requests-count, limits.rate-recovers).
   */
  admit(now: number, behaviors: Behaviors): boolean {
    if (this.#limit === null) return true;
    const times = this.#times;
    while (times.length > 0 && now - (times[0] as number) >= MINUTE) times.shift();
    // If the clock was set back, later times do not count.
    while ((times.at(-1) ?? now) > now) times.pop();
    const isFull = times.length >= this.#limit;
    if (!isFull || behaviors['limits.refused-requests-count'] === 'yes') times.push(now);
    if (times.length > this.#limit) times.shift();
    return !isFull;
  }

  /** Removes the last request. A fault answers that request with 429 although the window has room (limits.refused-requests-count). */
  refuse(behaviors: Behaviors): void {
    if (behaviors['limits.refused-requests-count'] === 'no') this.#times.pop();
  }

  /** Milliseconds until the oldest request leaves the window; 0 if there is none. */
  until(now: number): number {
    const oldest = this.#times.find((time) => now - time < MINUTE);
    return oldest === undefined ? 0 : oldest + MINUTE - now;
  }

  /** The times of the requests that count, the oldest first. */
  state(): readonly number[] {
    return [...this.#times];
  }

  /** Restores the result of `state()`, at most the last `limit` times. */
  restore(times: readonly number[]): void {
    if (this.#limit !== null) this.#times = times.slice(-this.#limit);
  }
}
