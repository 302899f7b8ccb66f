import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult } from '../core/result.ts';

/** Statuses of a rejection for a business reason, such as the balance. */
const refused = /^(400|409|422)\b/;
const created = 'many frameworks answer 201 to a create; this service answers 200';
const notAtomic = 'checking and storing are not atomic, so several parallel requests pass the check';

/** Common mistakes of implementations. Each row has a clause, a pattern of the answers that show the mistake, and the mistake. */
const mistakes: readonly (readonly [ClauseName, RegExp, string])[] = [
  ['adjustment.answers-200', /^201\b/, created],
  ['gift-card.create.answers-200', /^201\b/, created],
  ['webhook.create.answers-200', /^201\b/, created],
  ['adjustment.by-id.refuses-overdraw', /^200\b/, 'adjustments by ID are not checked against the balance'],
  ['adjustment.by-code.may-go-negative', refused, 'adjustments by code are checked against the balance'],
  ['adjustment.by-id.takes-whole-balance', refused, 'the overdraw check also rejects a new balance of exactly zero'],
  [
    'adjustment.by-id.tops-up-below-zero',
    refused,
    'the overdraw check looks only at the new balance, so it also rejects top-ups',
  ],
  ['gift-card.amounts-exact', /\.\d{6,}/, 'amounts are added as binary fractions; use the smallest unit of the currency'],
  ['gift-card.void.still-found', /^404\b/, 'voiding deletes the card'],
  ['idempotency.create.parallel-makes-one', /^(?!5)/, notAtomic],
  ['idempotency.adjustment.parallel-counts-once', /^(?!5)/, notAtomic],
  ['adjustment.parallel-all-count', /^(?!5)/, notAtomic],
  ['adjustment.by-id.parallel-never-overdraws', /^(?!5)/, notAtomic],
];

/** Returns the common mistake that explains a failure, if there is one. */
export function likely({ name, verdict, got = '' }: Pick<ClauseResult, 'name' | 'verdict' | 'got'>): string | undefined {
  if (verdict !== 'fail' && verdict !== 'known-fail') return undefined;
  if (/^50[234]\b/.test(got)) return 'the answer came from a gateway, or the service was not ready; run the clause again';
  return mistakes.find(([clause, shows]) => clause === name && shows.test(got))?.[2];
}
