import { type Failing, operationOf } from '../core/endpoints.ts';
import type { ClauseResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';

/** Clauses that did not come out for one reason. */
export interface Cause {
  /** What stood in the way, in one line. */
  readonly says: string;
  /** At least one. */
  readonly clauses: readonly ClauseResult[];
}

/** The clauses by what stood in the way, the same for cards that differ only in their number; what most hang on comes first. */
export function causesOf(clauses: readonly ClauseResult[], failing: readonly Failing[]): Cause[] {
  const found = new Map<string, ClauseResult[]>();
  for (const clause of clauses) {
    const key = unnumbered(causeOf(clause, failing));
    found.set(key, [...(found.get(key) ?? []), clause]);
  }
  return [...found.values()]
    .map((alike): Cause => ({ says: causeOf(alike[0] as ClauseResult, failing), clauses: alike }))
    .toSorted((a, b) => b.clauses.length - a.clauses.length);
}

/** The endpoint that never succeeded, where that is what the clause stumbled over last; else what it says itself. */
export function causeOf(clause: ClauseResult, failing: readonly Failing[]): string {
  const { verdict, reason, detail = '', expected = '', got = '' } = clause;
  if (verdict === 'untested') return excerpt(`${reason}: ${detail}`, 500);
  const last = clause.exchanges.at(-1);
  const operation = last && operationOf(last);
  const endpoint = failing.find(({ named }) => named === operation);
  // What was judged before it may have failed as well.
  const stumbled = last && new RegExp(`(^|answered |got )${last.status}\\b`).test(got || detail);
  if (endpoint && stumbled) return `${endpoint.named} never succeeded: ${endpoint.statuses.join(', ')}`;
  return verdict === 'fail' ? `expected ${excerpt(expected)}; got ${excerpt(got)}` : excerpt(detail, 500);
}

/** What is the same for cards that differ only in their number. */
export const unnumbered = (text: string) => text.replaceAll(/#\d+/g, '');
