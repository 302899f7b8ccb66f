import { causeAt, type Failing } from '../core/endpoints.ts';
import type { RuleResult } from '../core/result.ts';
import { excerpt } from '../core/text.ts';

/** Returns the cause of a verdict. If the rule ended at an endpoint where no request ever succeeded, the endpoint is the cause. */
export function causeOfRule(rule: RuleResult, failing: readonly Failing[]): string {
  const { verdict, fault, reason, detail = '', expected = '', got = '' } = rule;
  // All requests without a response have one cause, which the endpoint does not change.
  if (fault === 'transport') return excerpt(detail.replace(/^[A-Z]+ \S+ (?=got no response)/, 'a request '), 500);
  if (verdict === 'untested') return excerpt(`${reason}: ${detail}`, 500);
  const endpoint = failing.find(({ operation }) => operation === causeAt(rule)?.operation);
  if (endpoint) return `${endpoint.operation} never succeeded: ${endpoint.statuses.join(', ')}`;
  return verdict === 'fail' ? `expected ${excerpt(expected, 500)}; got ${excerpt(got, 500)}` : excerpt(detail, 500);
}

/** Groups items by status and cause. Ignores the numbers of cards in causes. */
export function groupByCause<T extends { readonly status: string; readonly cause: string }>(items: readonly T[]): [T, ...T[]][] {
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
