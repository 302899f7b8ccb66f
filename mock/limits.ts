import type { Readings } from '../openapi/generated/clauses.ts';

const MINUTE = 60_000;

/**
 * The rate limit of whoever it is counted for: at most `limit` requests in any 60 seconds, or in a minute of the clock (limits.rate-window). A
 * ring of the last `limit` moments answers in constant time. Which requests take a place is said in handle.ts.
 */
export class RateWindow {
  #moments: Float64Array;
  #next = 0;

  /** `limit` null means that nothing is ever refused. */
  constructor(limit: number | null) {
    this.#moments = new Float64Array(limit ?? 0).fill(Number.NEGATIVE_INFINITY);
  }

  /** Infinity where nothing is ever refused. */
  get limit(): number {
    return this.#moments.length || Number.POSITIVE_INFINITY;
  }

  /** The moments of the requests that took a place, the oldest first. */
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

  /** Whether there is no place left (limits.rate-refuses-excess). `now` in milliseconds of the account's clock. */
  isFull(now: number, minute: Minute): boolean {
    return this.#moments.length > 0 && isIn(this.#moments[this.#next] as number, now, minute);
  }

  take(now: number): void {
    if (this.#moments.length === 0) return;
    this.#moments[this.#next] = now;
    this.#next = (this.#next + 1) % this.#moments.length;
  }

  /** How many places of the minute at `now` are taken. */
  used(now: number, minute: Minute = 'sliding'): number {
    return this.#moments.reduce((count, moment) => (isIn(moment, now, minute) ? count + 1 : count), 0);
  }

  /** Milliseconds until a place that is taken now is free again, beginning with the one taken longest ago; 0 when none is taken. */
  until(now: number, minute: Minute): number {
    const ends = this.#moments.filter((moment) => isIn(moment, now, minute)).sort();
    const [oldest] = ends;
    if (oldest === undefined) return 0;
    return minute === 'fixed' ? MINUTE - (now % MINUTE) : oldest + MINUTE - now;
  }
}

type Minute = Readings['limits.rate-window'];

/** A moment that lies ahead is from before the clock was set back, and in no window of now. */
function isIn(moment: number, now: number, minute: Minute): boolean {
  if (moment > now) return false;
  return minute === 'fixed' ? Math.trunc(moment / MINUTE) === Math.trunc(now / MINUTE) : now - moment < MINUTE;
}

/** As many as are kept at once, for a limit that is counted for each key or address. */
const MOST = 1000;

/** The windows of one account, by whom they are counted for; the account as a whole is ''. */
export class RateWindows {
  readonly #limit: number | null;
  readonly #whole: RateWindow;
  readonly #others = new Map<string, RateWindow>();

  constructor(limit: number | null) {
    this.#limit = limit;
    this.#whole = new RateWindow(limit);
  }

  /** Of the account as a whole under ''. */
  state(): Readonly<Record<string, readonly number[]>> {
    const others = Array.from(this.#others, ([who, window]) => [who, window.state()] as const);
    return { '': this.#whole.state(), ...Object.fromEntries(others) };
  }

  /** Puts back what `state` gave. */
  restore(state: Readonly<Record<string, readonly number[]>>): void {
    this.#others.clear();
    for (const [who, moments] of Object.entries(state)) this.of(who).restore(moments);
  }

  of(who: string): RateWindow {
    if (who === '') return this.#whole;
    let window = this.#others.get(who);
    if (!window) {
      if (this.#others.size === MOST) this.#others.clear();
      window = new RateWindow(this.#limit);
      this.#others.set(who, window);
    }
    return window;
  }
}
