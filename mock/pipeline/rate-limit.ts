import type { Behaviors } from '../../openapi/generated/clauses.ts';

const MINUTE = 60_000;

/** The first size of a ring. Most clients need no more. */
const FIRST_SIZE = 256;

/**
 * The rate limit of an account: at most `limit` requests in any 60 seconds of its clock (limits.rate-window, limits.rate-scope), over all endpoints
 * together (limits.rate-shared, limits.rate-covers-every-endpoint). A ring has the times of the last requests and grows up to `limit`, so a check
 * takes constant time.
 */
export class RateWindow {
  /** Infinity for no limit. */
  readonly #limit: number;
  #times: Float64Array;
  #next = 0;

  /** `limit` is null for no limit. */
  constructor(limit: number | null) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#times = ringOf(Math.min(limit ?? 0, FIRST_SIZE));
  }

  /**
   * Counts a request at `now`, unless the window is full (limits.rate-refuses-excess). Requests that are rejected later count, too
   * (limits.rejected-requests-count). Refused ones count by option (limits.refused-requests-count, limits.rate-recovers).
   */
  admit(now: number, behaviors: Behaviors): boolean {
    const isFull = this.#times.length === this.#limit && isIn(this.#times[this.#next] as number, now);
    if (!isFull || behaviors['limits.refused-requests-count'] === 'yes') this.#add(now);
    return !isFull;
  }

  /** Removes the last request, which a fault answers with 429 although the window has room (limits.refused-requests-count). */
  refuse(behaviors: Behaviors): void {
    if (behaviors['limits.refused-requests-count'] === 'yes' || this.#times.length === 0) return;
    this.#next = (this.#next + this.#times.length - 1) % this.#times.length;
    this.#times[this.#next] = Number.NEGATIVE_INFINITY;
  }

  #add(now: number): void {
    if (this.#times.length === 0) return;
    const isNeeded = now - (this.#times[this.#next] as number) < MINUTE;
    if (isNeeded && this.#times.length < this.#limit) this.#grow();
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }

  /** Only a full ring grows. */
  #grow(): void {
    const times = this.state();
    this.#times = ringOf(Math.min(this.#limit, 2 * times.length));
    this.#times.set(times);
    this.#next = times.length;
  }

  /** How many requests of the last 60 seconds count. */
  used(now: number): number {
    return this.#times.reduce((count, time) => (isIn(time, now) ? count + 1 : count), 0);
  }

  /** Milliseconds until the oldest request leaves the window; 0 if there is none. */
  until(now: number): number {
    const oldest = this.#times.reduce((least, time) => (isIn(time, now) ? Math.min(least, time) : least), Infinity);
    return oldest === Infinity ? 0 : oldest + MINUTE - now;
  }

  /** The times of the requests that count, the oldest first. */
  state(): readonly number[] {
    return [...this.#times.subarray(this.#next), ...this.#times.subarray(0, this.#next)].filter(Number.isFinite);
  }

  /** Restores the result of `state()`, at most the last `limit` times. */
  restore(times: readonly number[]): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    const last = times.slice(-this.#limit);
    this.#times = ringOf(Math.min(this.#limit, Math.max(last.length, FIRST_SIZE)));
    this.#times.set(last);
    this.#next = last.length % this.#times.length;
  }
}

function ringOf(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
}

/** A later time is from before the clock was set back, and does not count. */
function isIn(time: number, now: number): boolean {
  return time <= now && now - time < MINUTE;
}
