import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult } from '../core/result.ts';

/** Clauses, a likely cause of their failure, and a pattern of the answer for clauses that can fail in several ways. */
type Mistake = readonly [clauses: readonly ClauseName[], text: string, got?: RegExp];

const notFound: readonly ClauseName[] = [
  'adjustment.by-code.unknown-card-is-404',
  'adjustment.by-id.unknown-card-is-404',
  'adjustment.history.unknown-code-is-404',
  'adjustment.history.unknown-id-is-404',
  'gift-card.get-by-code.unknown-is-404',
  'gift-card.get-by-id.unknown-is-404',
  'gift-card.void.unknown-code-is-404',
  'gift-card.void.unknown-id-is-404',
  'webhook.delete.unknown-is-404',
];
const keysRefused: readonly ClauseName[] = [
  'authentication.missing-key-is-401',
  'authentication.wrong-key-is-401',
  'authentication.deleted-key-is-401',
];
const repeatsRefused: readonly ClauseName[] = [
  'idempotency.create.refuses-repeat',
  'idempotency.adjustment.refuses-repeat',
  'idempotency.adjustment.repeat-with-other-content-refused',
];

/** Common mistakes of implementations. The first one that matches is reported. */
const mistakes: readonly Mistake[] = [
  [['adjustment.by-id.refuses-overdraw'], 'the by-ID path uses the by-code rule'],
  [['adjustment.by-code.may-go-negative'], 'the by-code path uses the by-ID rule'],
  [['adjustment.by-id.takes-whole-balance'], 'the overdraw check also rejects a new balance of exactly zero (<= instead of <)'],
  [['adjustment.by-id.tops-up-below-zero'], 'the overdraw check uses only the new balance; top-ups must pass it'],
  [['adjustment.is-relative'], 'the amount is used as the new balance instead of a difference'],
  [['adjustment.negative-redeems'], 'the sign of the amount is ignored'],
  [
    ['adjustment.answers-200', 'gift-card.create.answers-200', 'webhook.create.answers-200'],
    'many frameworks answer 201 to a create; this service answers 200',
    /^201\b/,
  ],
  [['adjustment.answers-true'], 'the answer is an object or a list; it must be the JSON value true', /^\d+ [[{]/],
  [['adjustment.answers-true'], 'the answer is the string "true"; it must be the JSON value true', /"true"/],
  [['adjustment.keeps-actioned-at'], 'the history shows when the adjustment was recorded instead of when it happened'],
  [['adjustment.voucher-refused'], 'vouchers are adjusted like other cards'],
  [['adjustment.history.newest-first'], 'the history is in the order of recording'],
  [['gift-card.amounts-exact'], 'amounts are added as binary fractions; use the smallest unit of the currency'],
  [notFound, 'the answer to an unknown record is an empty success', /^(200|204)\b/],
  [notFound, 'an unknown record is treated as a malformed request', /^400\b/],
  [keysRefused, '403 is for known callers; this service answers 401 to every key that it does not accept', /^403\b/],
  [keysRefused, 'the key is checked after the request takes effect, or not at all', /^200\b/],
  [['authentication.deleted-key-is-401'], 'deleted keys are still accepted', /^200\b/],
  [['authentication.key-is-in-header'], 'the key is also accepted in the query'],
  [
    ['authentication.foreign-record-is-404'],
    'records of all accounts are found; only those of the account of the key exist for it',
    /^200\b/,
  ],
  [['authentication.foreign-record-is-404'], 'the answer is "forbidden"; for this key, the record does not exist', /^40[13]\b/],
  [repeatsRefused, 'other services answer a repeat like the first request; this service rejects it with 400', /^200\b/],
  [repeatsRefused, 'other services answer 409 to a repeat; this service answers 400', /^409\b/],
  [
    ['idempotency.create.parallel-makes-one', 'idempotency.adjustment.parallel-counts-once'],
    'checking and storing the value is not atomic, so parallel requests pass',
  ],
  [
    ['adjustment.parallel-all-count', 'adjustment.by-id.parallel-never-overdraws'],
    'the balance is read, changed and written without a lock, so updates are lost',
  ],
  [
    ['idempotency.create.checked-per-account', 'idempotency.adjustment.checked-per-account'],
    'unique values are shared by all accounts',
  ],
  [['gift-card.create.code-free-on-other-account'], 'codes are unique across accounts; each account has its own codes'],
  [['list.page-number-from-zero'], 'the first page is page 1; it must be page 0'],
  [['list.since-is-strictly-after'], 'since includes the time itself (>= instead of >)'],
  [['list.since-goes-by-issue'], 'since is compared with the last update instead of the time of issue'],
  [['list.last-updated-first'], 'the list is sorted by time of issue or by ID'],
  [['list.includes-voided', 'list.includes-redeemed', 'list.includes-expired'], 'the list leaves out cards that are not active'],
  [['gift-card.void.still-found'], 'voiding deletes the card'],
  [['gift-card.void.is-final'], 'a top-up reactivates a voided card'],
  [['gift-card.void.zeroes-balance'], 'voiding changes the status but not the balance'],
  [['gift-card.get-by-code.matches-exactly'], 'codes are compared without letter case or surrounding blanks'],
  [
    ['delivery.signature-covers-raw-bytes', 'delivery.signed-with-token'],
    'the signature is not computed over the bytes that are sent',
  ],
  [['delivery.payload.pascal-case-names'], 'the payload has the camelCase names of the API'],
  [['delivery.attempted-once'], 'a failed delivery is retried, as other services do'],
];

/** The common mistake that explains a failure, if there is one. */
export function likely({ name, verdict, got = '' }: Pick<ClauseResult, 'name' | 'verdict' | 'got'>): string | undefined {
  if (verdict !== 'fail' && verdict !== 'known-fail') return undefined;
  if (/^50[234]\b/.test(got))
    return 'a gateway answered instead of the service, or the service was not ready; run the clause again';
  // These statuses do not depend on the rule, so they have another cause.
  const isUnrelated = /^(401|403|404|405|5\d\d)\b/.test(got);
  const mistake = mistakes.find(([clauses, , shows]) => clauses.includes(name) && (shows ? shows.test(got) : !isUnrelated));
  return mistake?.[1];
}
