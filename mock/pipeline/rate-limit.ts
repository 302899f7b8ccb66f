import type { Behaviors } from '../../openapi/generated/clauses.ts';

const MINUTE = 60_000;

/** Places that a window has at first; most callers never take more. */
const FIRST = 256;

/**
 * The rate limit of whoever it is counted for: at most `limit` requests in any 60 seconds, or in a minute of the clock (limits.rate-window). A
 * ring of the last moments, which grows up to `limit` of them, says in constant time whether there is a place; how many are taken, and until when,
 * is counted through all of it, for those answers that tell (limits.rate-headers). Which requests take a place is said in order.ts.
 */
export class RateWindow {
  /** Infinity where nothing is ever refused. */
  readonly limit: number;
  #moments: Float64Array;
  #next = 0;

  /** `limit` null means that nothing is ever refused. */
  constructor(limit: number | null) {
    this.limit = limit ?? Number.POSITIVE_INFINITY;
    this.#moments = placesFor(Math.min(limit ?? 0, FIRST));
  }

  /** The moments of the requests that took a place, the oldest first. */
  state(): readonly number[] {
    const inOrder = [...this.#moments.subarray(this.#next), ...this.#moments.subarray(0, this.#next)];
    return inOrder.filter(Number.isFinite);
  }

  /** Puts back what `state` gave; where there are more than the limit, the last of them. */
  restore(moments: readonly number[]): void {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    const last = moments.slice(-this.limit);
    this.#moments = placesFor(Math.min(this.limit, Math.max(last.length, FIRST)));
    this.#moments.set(last);
    this.#next = last.length % this.#moments.length;
  }

  /** Whether there is no place left (limits.rate-refuses-excess). `now` in milliseconds of the account's clock. */
  isFull(now: number, minute: Minute): boolean {
    return this.#moments.length === this.limit && isIn(this.#moments[this.#next] as number, now, minute);
  }

  take(now: number): void {
    if (this.#moments.length === 0) return;
    const isNeeded = now - (this.#moments[this.#next] as number) < MINUTE;
    if (isNeeded && this.#moments.length < this.limit) this.#grow();
    this.#moments[this.#next] = now;
    this.#next = (this.#next + 1) % this.#moments.length;
  }

  /** Only a ring that is full grows. */
  #grow(): void {
    const moments = this.state();
    this.#moments = placesFor(Math.min(this.limit, 2 * moments.length));
    this.#moments.set(moments);
    this.#next = moments.length;
  }

  /** How many places of the minute at `now` are taken. */
  used(now: number, minute: Minute = 'sliding'): number {
    return this.#moments.reduce((count, moment) => (isIn(moment, now, minute) ? count + 1 : count), 0);
  }

  /** Milliseconds until a place that is taken now is free again, beginning with the one taken longest ago; 0 when none is taken. */
  until(now: number, minute: Minute): number {
    const oldest = this.#moments.reduce(
      (least, moment) => (moment < least && isIn(moment, now, minute) ? moment : least),
      Number.POSITIVE_INFINITY,
    );
    if (oldest === Number.POSITIVE_INFINITY) return 0;
    return minute === 'fixed' ? MINUTE - (now % MINUTE) : oldest + MINUTE - now;
  }
}

function placesFor(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
}

type Minute = Behaviors['limits.rate-window'];

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
  /** The one asked for last stands last. */
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

  /** How many places of the minute at `now` are taken, in the fullest window of those that this scope has (limits.rate-scope, limits.rate-shared). */
  used(scope: Behaviors['limits.rate-scope'], now: number, minute: Minute): number {
    let most = scope === 'account' ? this.#whole.used(now, minute) : 0;
    for (const [who, window] of this.#others) if (who.startsWith(`${scope} `)) most = Math.max(most, window.used(now, minute));
    return most;
  }

  of(who: string): RateWindow {
    if (who === '') return this.#whole;
    const window = this.#others.get(who) ?? new RateWindow(this.#limit);
    this.#others.delete(who);
    this.#others.set(who, window);
    const [longestAgo] = this.#others.keys();
    if (this.#others.size > MOST && longestAgo !== undefined) this.#others.delete(longestAgo);
    return window;
  }
}
