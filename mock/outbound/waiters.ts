import { later } from '../account/clock.ts';

/** The entries that matched, oldest first, and whether the deadline came before there were enough. */
export interface WaitResult<T> {
  readonly found: readonly T[];
  readonly timedOut: boolean;
}

interface Waiter<T> {
  notify(entry: T): void;
  stop(): void;
}

/** Callers that wait until entries match. They are notified of each change and never poll. */
export class Waiters<T> {
  #stopped = false;
  readonly #waiters = new Set<Waiter<T>>();

  /**
   * Resolves as soon as `count` of the existing and later entries match, or with fewer at the deadline in real milliseconds (none: it waits without
   * one) or when waiting is stopped.
   */
  wait(existing: readonly T[], matches: (entry: T) => boolean, count: number, milliseconds?: number): Promise<WaitResult<T>> {
    const found = new Set(existing.filter(matches));
    const result = (timedOut: boolean): WaitResult<T> => ({ found: [...found], timedOut });
    if (found.size >= count || this.#stopped) return Promise.resolve(result(found.size < count));
    return new Promise((resolve) => {
      const end = (timedOut: boolean) => {
        this.#waiters.delete(waiter);
        cancel?.();
        resolve(result(timedOut));
      };
      const waiter: Waiter<T> = {
        notify: (entry) => {
          // An entry may begin to match, and stop matching.
          if (matches(entry)) found.add(entry);
          else found.delete(entry);
          if (found.size >= count) end(false);
        },
        stop: () => end(true),
      };
      const cancel = milliseconds === undefined ? undefined : later(milliseconds, () => end(true));
      this.#waiters.add(waiter);
    });
  }

  /** An entry was added, or has changed. */
  notify(entry: T): void {
    for (const waiter of this.#waiters) waiter.notify(entry);
  }

  /** Ends every wait, now and later. */
  stop(): void {
    this.#stopped = true;
    for (const waiter of this.#waiters) waiter.stop();
  }
}
