import { later } from '../account/clock.ts';

/** What was waited for, oldest first, and whether the deadline came before there was enough of it. */
export interface Waited<T> {
  readonly found: readonly T[];
  readonly timedOut: boolean;
}

interface Waiter<T> {
  see(entry: T): void;
  end(): void;
}

/** Those who wait for an entry of a kind to be there, or to become what they wait for. Nobody asks again and again: they are told. */
export class Waits<T> {
  #ended = false;
  readonly #waiters = new Set<Waiter<T>>();

  /**
   * Resolves as soon as `count` of what is there, and of what is told of later, match; at the deadline, in real milliseconds, or when it is
   * ended, with those that do by then.
   */
  for(there: readonly T[], matches: (entry: T) => boolean, count: number, milliseconds: number): Promise<Waited<T>> {
    const found = new Set(there.filter(matches));
    const seen = (timedOut: boolean): Waited<T> => ({ found: [...found], timedOut });
    if (found.size >= count || this.#ended) return Promise.resolve(seen(found.size < count));
    return new Promise((resolve) => {
      const end = (timedOut: boolean) => {
        this.#waiters.delete(waiter);
        callOff();
        resolve(seen(timedOut));
      };
      const waiter: Waiter<T> = {
        see: (entry) => {
          // It may have been something else before, and be something else again.
          if (matches(entry)) found.add(entry);
          else found.delete(entry);
          if (found.size >= count) end(false);
        },
        end: () => end(true),
      };
      const callOff = later(milliseconds, () => end(true));
      this.#waiters.add(waiter);
    });
  }

  /** Something was added, or has changed. */
  tell(entry: T): void {
    for (const waiter of this.#waiters) waiter.see(entry);
  }

  /** Nothing more will come. */
  end(): void {
    this.#ended = true;
    for (const waiter of this.#waiters) waiter.end();
  }
}
