import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { Bounded } from './bounded.ts';
import type { Cause } from './cause.ts';
import { type Waited, Waits } from './waiters.ts';

/** Something that did not happen, and the clause that says so. */
export interface Suppressed {
  readonly what: string;
  readonly giftCardId: string;
  readonly clause: ClauseName;
  readonly why: string;
  readonly cause: Cause;
}

/** What did not happen on an account. */
export class Suppressions {
  readonly #kept = new Bounded<Suppressed>(10_000, ({ why }) => why.length);
  readonly #waits = new Waits<Suppressed>();

  /** How many are not kept any more. */
  get dropped(): number {
    return this.#kept.dropped;
  }

  /** Oldest first. */
  all(): readonly Suppressed[] {
    return this.#kept.all();
  }

  add(suppressed: Suppressed): void {
    this.#kept.add(suppressed);
    this.#waits.tell(suppressed);
  }

  /** Like `waitFor` of deliveries and emails. */
  waitFor(matches: (suppressed: Suppressed) => boolean, milliseconds: number, count = 1): Promise<Waited<Suppressed>> {
    return this.#waits.for(this.all(), matches, count, milliseconds);
  }

  /** Puts these back, where there are none yet. */
  restore(kept: readonly Suppressed[], dropped: number): void {
    this.#kept.restore(kept, dropped);
  }

  /** Nobody waits any longer. */
  stop(): void {
    this.#waits.end();
  }
}
