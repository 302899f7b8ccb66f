import type { AmbiguousClause, Behaviors, OpenClause } from '../../openapi/generated/clauses.ts';
import type { Fixture } from '../testing/fixture.ts';
import type { AccountFile } from '../world/description.ts';

/** Whether a type is one text and no choice between several. */
type IsOne<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? true : false) : never;

type Asked = OpenClause | AmbiguousClause;

/** A clause that leaves something open, and has more than one reading. */
export type Question = { [Each in Asked]: IsOne<Behaviors[Each]> extends true ? never : Each }[Asked];

/**
 * How it shows which reading of a clause an account has: `observe` does the same thing whatever the reading, through the API or the control
 * door, and `shows` says what is seen under each. No two behaviors may look alike.
 */
export interface Probe<C extends Question> {
  /** What the account has in it; a plain one without it. */
  readonly account?: AccountFile;
  /** Requests per minute; any number without it. */
  readonly rateLimit?: number;
  observe(fixture: Fixture): unknown;
  readonly shows: Readonly<Record<Behaviors[C], unknown>>;
}

export type Probes<C extends Question = Question> = { readonly [Each in C]: Probe<Each> };
