import type { ClauseName } from '../../openapi/generated/clauses.ts';

/** That a request did something that will hurt in production, and what was seen of it. */
export interface Note {
  readonly name: LessonName;
  /** A sentence. */
  readonly seen: string;
}

/** What a lesson teaches: the clause behind it, and why the habit hurts on the real service. */
interface Lesson {
  readonly clause: ClauseName;
  readonly hurts: string;
}

/** Every habit that the mock tells a caller of, in the journal and nowhere else. Only what can be seen reliably is here. */
const table = {
  'create-without-unique-id': lesson(
    'idempotency.create.unique-id-optional',
    'When the answer is lost, nobody knows whether there is a card: a second try makes a second one, which is live money and counts toward the allowance. Send a uniqueId that stays the same over all tries.',
  ),
  'create-repeated-without-unique-id': lesson(
    'idempotency.create.refuses-repeat',
    'If the second request was a retry, its customer now has two cards. With one uniqueId for both, the second would have been refused as already created, which is success.',
  ),
  'create-new-unique-id-per-try': lesson(
    'idempotency.create.refuses-repeat',
    'A uniqueId that is made anew for each try protects from nothing. Derive it from what the card is for, such as the order line, or store it before the first try.',
  ),
  'adjustment-new-unique-id-per-try': lesson(
    'idempotency.adjustment.refuses-repeat',
    'If the second request was a retry, the card was charged twice. Derive uniqueAdjustmentId from what happened, such as the payment, or store it before the first try.',
  ),
  'adjustment-negative-balance': lesson(
    'adjustment.by-code.may-go-negative',
    'By code the service does not look at the balance, so goods leave the shop that nothing pays for. Redeem by ID, where too large a redemption is refused.',
  ),
  'automation-without-idempotency-key': lesson(
    'idempotency.automation.key-optional',
    'When the answer is lost, a second try rewards the recipient twice. Send an idempotency_key that stays the same over all tries.',
  ),
  'key-in-query': lesson(
    'authentication.key-is-in-header',
    'Addresses are written to logs and histories along the way, and with them the key. The service takes it in the header x-api-key alone.',
  ),
  'key-in-browser': lesson(
    'http.cross-origin',
    'A key in a page is public: whoever opens it can spend every card of the account. Keep the key on a server and let the page ask that.',
  ),
  'rate-no-wait': lesson(
    'limits.rate-refuses-excess',
    'Within the same minute the limit is still reached, so the retry is wasted and can keep others from being answered. Wait after a 429, longer each time.',
  ),
  'rejection-repeated': lesson(
    'errors.rejection-is-400-plain-text',
    'What was rejected once for what it says is rejected each time; repeating it only uses up the rate limit. Retry after 429, 5xx and lost connections; an already created answer means success.',
  ),
  'list-pages-from-one': lesson(
    'list.page-number-from-zero',
    'Pages count from 0, so the first page, with the most recently updated cards, is never seen.',
  ),
  'list-page-size-over-maximum': lesson(
    'list.page-size-maximum',
    'A page holds at most 50 cards; what the service does with a larger pageSize is not documented. Who counts on larger pages loses cards.',
  ),
  'card-polled': lesson(
    'limits.rate-admits',
    'All keys of the account share its rate limit, and asking in a loop uses it up for everyone. Register a webhook, or ask at longer intervals.',
  ),
  'money-binary-fraction': lesson(
    'gift-card.amounts-exact',
    'It looks like the result of adding binary fractions, which the service may refuse or round. Compute in whole cents and divide once, at the end.',
  ),
  'date-without-zone': lesson(
    'http.date-without-zone',
    'Which zone such a time is in is not documented; read as UTC, a local time moves by hours. Send UTC with a Z.',
  ),
  'body-not-called-json': lesson(
    'http.content-type',
    'Whether such a body is read is not documented, and many services refuse it unread. Send content-type: application/json; a fetch that is given a string calls it text/plain.',
  ),
  'property-unknown': lesson(
    'http.unknown-properties',
    'The service has no such property and ignores it, so what was meant by it does not happen. Look for a misspelling.',
  ),
  'email-gift-flag-alone': lesson(
    'emails.gift-flag-alone-sends-none',
    'sendAsGift alone sends nothing: the recipient never hears of the gift. Send shouldSendNotification true with it.',
  ),
  'email-asked-for-and-disabled': lesson(
    'emails.disabled-for-card',
    'disableEmails wins for the whole life of the card: the recipient gets no email, not even the one that was asked for.',
  ),
  'email-without-address': lesson(
    'gift-card.create.notification-without-address',
    'There is nobody to send the email to, and the recipient of a card cannot be changed later.',
  ),
  'email-schedule-without-gift': lesson(
    'gift-card.create.gift-scheduled-without-gift',
    'Only a gifted email is deferred. Send sendAsGift and shouldSendNotification true with giftScheduledForUtc.',
  ),
  'webhook-without-token': lesson(
    'delivery.unsigned-without-token',
    'Deliveries to it are not signed, so the receiver cannot tell them from anybody else’s. Create it with a requestHeaderVerificationToken and verify the signature over the raw bytes.',
  ),
  'webhook-same-url-again': lesson(
    'delivery.one-per-webhook',
    'Each registration gets its own delivery, so everything arrives once more with each. List the webhooks first, for instance when a server starts.',
  ),
  'webhook-disabled': lesson(
    'webhook.disabled-after-failures',
    'It gets nothing any more, and nobody is told: the API merely leaves it out of its list. Answer 2xx at once and work afterwards, list the webhooks now and then, and create it again to bring deliveries back.',
  ),
} satisfies Record<string, Lesson>;

export type LessonName = keyof typeof table;

export const lessons: Readonly<Record<LessonName, Lesson>> = table;

function lesson(clause: ClauseName, hurts: string): Lesson {
  return { clause, hurts };
}
