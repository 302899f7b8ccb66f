const WINDOW = 60_000;

/**
 * The rate limit of one account: at most `limit` requests in any 60 seconds (limits.rate-window). Refused requests take no place
 * (limits.refused-requests-count), so whoever waits is answered (limits.rate-recovers); requests that the service rejects take one
 * (limits.rejected-requests-count). No header tells of any of it (limits.retry-after, limits.rate-headers). A ring of the last `limit` moments
 * answers in constant time.
 */
export class RateWindow {
  #moments: Float64Array;
  #next = 0;

  /** `limit` null means that nothing is ever refused. */
  constructor(limit: number | null) {
    this.#moments = new Float64Array(limit ?? 0).fill(Number.NEGATIVE_INFINITY);
  }

  /** How many places of the minute up to `now` are taken. */
  used(now: number): number {
    return this.#moments.reduce((count, at) => (now - at >= 0 && now - at < WINDOW ? count + 1 : count), 0);
  }

  /** The moments of the answered requests, the oldest first. */
  state(): readonly number[] {
    const inOrder = [...this.#moments.subarray(this.#next), ...this.#moments.subarray(0, this.#next)];
    return inOrder.filter(Number.isFinite);
  }

  /** Puts back what `state` gave; where there are more than the limit, the last of them. */
  restore(moments: readonly number[]): void {
    const size = this.#moments.length;
    const last = size === 0 ? [] : moments.slice(-size);
    this.#moments.fill(Number.NEGATIVE_INFINITY);
    this.#moments.set(last);
    this.#next = size === 0 ? 0 : last.length % size;
  }

  /** Takes a place in the window, or says no (limits.rate-refuses-excess). `now` in milliseconds of the account's clock. */
  admit(now: number): boolean {
    if (this.#moments.length === 0) return true;
    const age = now - (this.#moments[this.#next] as number);
    // A moment that lies ahead is from before the clock was set back, and in no window of now.
    if (age >= 0 && age < WINDOW) return false;
    this.#moments[this.#next] = now;
    this.#next = (this.#next + 1) % this.#moments.length;
    return true;
  }
}
