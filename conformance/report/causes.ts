import { causeAt, type Failing } from '../core/endpoints.ts';
import type { ClauseResult } from '../core/result.ts';
import { excerpt } from '../core/text.ts';

/** Returns the cause of a verdict. If the clause ended at an endpoint where no request ever succeeded, the endpoint is the cause. */
export function causeOf(clause: ClauseResult, failing: readonly Failing[]): string {
  const { verdict, fault, reason, detail = '', expected = '', got = '' } = clause;
  // All requests without an answer have one cause, which the endpoint does not change.
  if (fault === 'transport') return excerpt(detail.replace(/^[A-Z]+ \S+ (?=got no answer)/, 'a request '), 500);
  if (verdict === 'untested') return excerpt(`${reason}: ${detail}`, 500);
  const endpoint = failing.find(({ operation }) => operation === causeAt(clause)?.operation);
  if (endpoint) return `${endpoint.operation} never succeeded: ${endpoint.statuses.join(', ')}`;
  return verdict === 'fail' ? `expected ${excerpt(expected, 500)}; got ${excerpt(got, 500)}` : excerpt(detail, 500);
}

/** Groups items by status and cause. Ignores the numbers of cards in causes. */
export function byCause<T extends { readonly status: string; readonly cause: string }>(items: readonly T[]): [T, ...T[]][] {
  return [...groupBy(items, ({ status, cause }) => `${status} ${cause.replaceAll(/#\d+/g, '')}`).values()];
}

export function groupBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
