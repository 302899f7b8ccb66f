import type { Row } from '../effective/rows.ts';
import type { ClauseName } from '../generated/clauses.ts';

/** What is known of a deployment where the specification leaves something open, as the suite writes it and the mock takes it. */
export interface FactsFile {
  /** Which deployment, when it was looked at last (ISO 8601), and by which suite. */
  readonly about?: { readonly target?: string; readonly at?: string; readonly by?: string };
  /** Clauses that the specification leaves open, with the reading that holds. */
  readonly facts?: ByClause<string>;
  /** What was seen and is none of the behaviors, in words; the mock leaves it aside, but for the rows that come of it. */
  readonly unforeseen?: ByClause<string>;
  /** Rows for names, places, statuses and bodies that no reading has: those that were seen, and those that somebody wrote. */
  readonly wire?: readonly Row[];
  /** Clauses whose reading was chosen by hand, with the time. */
  readonly pinned?: ByClause<string>;
  /** When each was seen, and by what; the mock leaves it aside. */
  readonly seen?: ByClause<Sighting>;
}

export type ByClause<T> = Readonly<Partial<Record<ClauseName, T>>>;

export interface Sighting {
  /** When it was seen last (ISO 8601). */
  readonly at: string;
  /** What was seen, where something else holds: the clause is pinned, or what was seen cannot stand beside the rest. */
  readonly as?: string;
  /** The rows of `wire` that come of it. */
  readonly wire?: readonly Row[];
  readonly evidence?: readonly Evidence[];
}

/** An exchange as the facts file keeps it: what it was like, and nothing of what it said. */
export interface Evidence {
  readonly method: string;
  /** With {code} in the place of a code. */
  readonly path: string;
  readonly status: number;
  /** Names and types: {id: string, balance: number}. */
  readonly body: string;
}
