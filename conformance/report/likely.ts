import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult } from '../core/result.ts';

/** A common mistake of implementations: the clauses that show it, and the pattern of the answer that does. */
interface Mistake {
  readonly clauses: readonly ClauseName[];
  readonly got: RegExp;
  readonly text: string;
}

/** Statuses of a refusal for a reason of the domain. */
const refused = /^(400|409|422)\b/;
const anything = /(?:)/;

const mistakes: readonly Mistake[] = [
  {
    clauses: ['adjustment.answers-200', 'gift-card.create.answers-200', 'webhook.create.answers-200'],
    got: /^201\b/,
    text: 'many frameworks answer 201 to a create; this service answers 200',
  },
  { clauses: ['adjustment.by-id.refuses-overdraw'], got: /^200\b/, text: 'the by-ID path uses the by-code rule' },
  { clauses: ['adjustment.by-code.may-go-negative'], got: refused, text: 'the by-code path uses the by-ID rule' },
  {
    clauses: ['adjustment.by-id.takes-whole-balance'],
    got: refused,
    text: 'the overdraw check also rejects a new balance of exactly zero (<= instead of <)',
  },
  {
    clauses: ['adjustment.by-id.tops-up-below-zero'],
    got: refused,
    text: 'the overdraw check uses only the new balance; top-ups must pass it',
  },
  {
    clauses: ['gift-card.amounts-exact'],
    got: /\.\d{6,}/,
    text: 'amounts are added as binary fractions; use the smallest unit of the currency',
  },
  { clauses: ['gift-card.void.still-found'], got: /^404\b/, text: 'voiding deletes the card' },
  {
    clauses: ['idempotency.create.refuses-repeat', 'idempotency.adjustment.refuses-repeat'],
    got: /^200\b/,
    text: 'other services answer a repeat like the first request; this service rejects it with 400',
  },
  {
    clauses: ['idempotency.create.parallel-makes-one', 'idempotency.adjustment.parallel-counts-once'],
    got: anything,
    text: 'checking and storing the value is not atomic, so parallel requests pass',
  },
  {
    clauses: ['adjustment.parallel-all-count', 'adjustment.by-id.parallel-never-overdraws'],
    got: anything,
    text: 'the balance is read, changed and written without a lock, so updates are lost',
  },
];

/** The common mistake that explains a failure, if there is one. */
export function likely({ name, verdict, got = '' }: Pick<ClauseResult, 'name' | 'verdict' | 'got'>): string | undefined {
  if (verdict !== 'fail' && verdict !== 'known-fail') return undefined;
  if (/^50[234]\b/.test(got))
    return 'a gateway answered instead of the service, or the service was not ready; run the clause again';
  return mistakes.find((mistake) => mistake.clauses.includes(name) && mistake.got.test(got) && !/^5\d\d\b/.test(got))?.text;
}
