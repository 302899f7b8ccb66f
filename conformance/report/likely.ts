import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult } from '../core/result.ts';

/** Clauses, a likely cause of their failure, and a pattern of the answer if a clause can fail in several ways. */
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
  [['adjustment.by-id.takes-whole-balance'], 'the check for an overdraw also refuses a new balance of exactly zero (<= for <)'],
  [
    ['adjustment.by-id.tops-up-below-zero'],
    'the check for an overdraw uses the new balance alone, and not whether the amount is negative',
  ],
  [['adjustment.is-relative'], 'the amount is taken as the balance to reach'],
  [['adjustment.negative-redeems'], 'the sign of the amount is dropped'],
  [
    ['adjustment.answers-200', 'gift-card.create.answers-200', 'webhook.create.answers-200'],
    'the framework answers 201 where something is created; this service answers 200',
    /^201\b/,
  ],
  [['adjustment.answers-true'], 'the answer is an object or a list; it has to be the bare JSON value true', /^\d+ [[{]/],
  [['adjustment.answers-true'], 'the answer is the text "true"; it has to be the bare JSON value true', /"true"/],
  [['adjustment.keeps-actioned-at'], 'the history shows when the adjustment was recorded, not when it really happened'],
  [['adjustment.voucher-refused'], 'vouchers are treated like any other card'],
  [['adjustment.history.newest-first'], 'the history is shown in the order in which it was written'],
  [['gift-card.amounts-exact'], 'amounts are added up as binary fractions; count in the smallest unit of the currency'],
  [notFound, 'an unknown record is answered with an empty success', /^(200|204)\b/],
  [notFound, 'an unknown record is answered as a malformed request', /^400\b/],
  [keysRefused, '403 is for callers who are known; this service answers 401 to every key that it does not accept', /^403\b/],
  [keysRefused, 'the key is checked only after the request is carried out, or not at all', /^200\b/],
  [['authentication.deleted-key-is-401'], 'deleted keys are kept, and still found', /^200\b/],
  [['authentication.key-is-in-header'], 'the key is taken from the query as well'],
  [['authentication.foreign-record-is-404'], 'records are looked up in all accounts, not in that of the key', /^200\b/],
  [
    ['authentication.foreign-record-is-404'],
    'a record of another account is refused as forbidden; for this key it does not exist',
    /^40[13]\b/,
  ],
  [repeatsRefused, 'a repeat is answered like the first request, as other services do; this one refuses it with 400', /^200\b/],
  [repeatsRefused, 'a repeat is a conflict in other services; this one refuses it with 400', /^409\b/],
  [
    ['idempotency.create.parallel-makes-one', 'idempotency.adjustment.parallel-counts-once'],
    'looking the value up and storing it are two steps, and requests at the same time come between them',
  ],
  [
    ['adjustment.parallel-all-count', 'adjustment.by-id.parallel-never-overdraws'],
    'the balance is read, changed and written back without a lock, so that updates get lost',
  ],
  [
    ['idempotency.create.checked-per-account', 'idempotency.adjustment.checked-per-account'],
    'unique values are kept for all accounts together',
  ],
  [['gift-card.create.code-free-on-other-account'], 'codes are unique over all accounts together'],
  [['list.page-number-from-zero'], 'the first page is page 1; here it is page 0'],
  [['list.since-is-strictly-after'], 'since includes the time itself (>= for >)'],
  [['list.since-goes-by-issue'], 'since is compared with the last update; it is about when a card was issued'],
  [['list.last-updated-first'], 'the list is sorted by when cards were issued, or by id'],
  [['list.includes-voided', 'list.includes-redeemed', 'list.includes-expired'], 'the list leaves out cards that are not active'],
  [['gift-card.void.still-found'], 'voiding deletes the card'],
  [['gift-card.void.is-final'], 'topping up makes a voided card active again'],
  [['gift-card.void.zeroes-balance'], 'voiding changes the state and leaves the balance'],
  [['gift-card.get-by-code.matches-exactly'], 'codes are compared without regard to letter case or outer blanks'],
  [
    ['delivery.signature-covers-raw-bytes', 'delivery.signed-with-token'],
    'the signature is made over another text than the bytes that are sent',
  ],
  [['delivery.payload.pascal-case-names'], 'the payload is written with the names of the API, which are camelCase'],
  [['delivery.attempted-once'], 'a failed delivery is tried again, as other services do'],
];

/** The common mistake that explains a failure, if there is one. */
export function likely({ name, verdict, got = '' }: Pick<ClauseResult, 'name' | 'verdict' | 'got'>): string | undefined {
  if (verdict !== 'fail' && verdict !== 'known-fail') return undefined;
  if (/^50[234]\b/.test(got))
    return 'a gateway answered in place of the service, or the service was not ready; run the clause again';
  // An answer that shows nothing of the rule has another cause.
  const showsNothing = /^(401|403|404|405|5\d\d)\b/.test(got);
  const found = mistakes.find(([clauses, , shows]) => clauses.includes(name) && (shows ? shows.test(got) : !showsNothing));
  return found?.[1];
}
