import type { Behaviors } from '../../openapi/generated/clauses.ts';

const MINUTE = 60_000;

/** Places of a new window; most callers never use more. */
const FIRST = 256;

/**
 * The rate limit of an account: at most `limit` requests in any 60 seconds of its clock (limits.rate-window, limits.rate-scope), over all endpoints
 * together (limits.rate-shared, limits.rate-covers-every-endpoint). A ring of the times of the last requests, which grows up to `limit`, shows in
 * constant time whether there is room.
 */
export class RateWindow {
  /** Infinity if nothing is ever refused. */
  readonly #limit: number;
  #times: Float64Array;
  #next = 0;

  /** `limit` null means that nothing is ever refused. */
  constructor(limit: number | null) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#times = placesFor(Math.min(limit ?? 0, FIRST));
  }

  /**
   * Counts a request at `now`, unless the window is full (limits.rate-refuses-excess). Requests that are rejected later count as well
   * (limits.rejected-requests-count), and refused ones by limits.refused-requests-count (limits.rate-recovers).
   */
  admit(now: number, behaviors: Behaviors): boolean {
    const isFull = this.#times.length === this.#limit && isIn(this.#times[this.#next] as number, now);
    if (!isFull || behaviors['limits.refused-requests-count'] === 'yes') this.#take(now);
    return !isFull;
  }

  /** Takes the last request back, which is answered with 429 although there was room: a refused request counts by limits.refused-requests-count. */
  refuse(behaviors: Behaviors): void {
    if (behaviors['limits.refused-requests-count'] === 'yes' || this.#times.length === 0) return;
    this.#next = (this.#next + this.#times.length - 1) % this.#times.length;
    this.#times[this.#next] = Number.NEGATIVE_INFINITY;
  }

  #take(now: number): void {
    if (this.#times.length === 0) return;
    const isNeeded = now - (this.#times[this.#next] as number) < MINUTE;
    if (isNeeded && this.#times.length < this.#limit) this.#grow();
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }

  /** Only a full ring grows. */
  #grow(): void {
    const times = this.state();
    this.#times = placesFor(Math.min(this.#limit, 2 * times.length));
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

  /** Restores what `state` returned; if it is more than the limit, the last of it. */
  restore(times: readonly number[]): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    const last = times.slice(-this.#limit);
    this.#times = placesFor(Math.min(this.#limit, Math.max(last.length, FIRST)));
    this.#times.set(last);
    this.#next = last.length % this.#times.length;
  }
}

function placesFor(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
}

/** A time that lies ahead is from before the clock was set back, and in no window of now. */
function isIn(time: number, now: number): boolean {
  return time <= now && now - time < MINUTE;
}
