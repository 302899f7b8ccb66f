import type { lists } from '../../openapi/generated/lists.ts';
import type { ReasonName } from '../../openapi/generated/rules.ts';

export type RefusalCode = (typeof lists.RefusalCode)[number];

/** The rule of a refusal, and the message of its response. The specification gives no messages, so the texts are invented. */
interface Problem {
  readonly rule: ReasonName;
  readonly text: (about: string) => string;
}

/** The refusals of the service by code. The status is in the contract: see openapi/responses.yaml. */
export const problems: Readonly<Record<RefusalCode, Problem>> = {
  'request.too-large': row('http.body-too-large-status', () => 'The request body is too large.'),
  'auth.key-missing': row('authentication.missing-key-is-401', () => 'The x-api-key header is missing.'),
  'auth.key-unknown': row('authentication.wrong-key-is-401', () => 'The API key is not valid.'),
  'auth.key-deleted': row('authentication.deleted-key-is-401', () => 'The API key is not valid.'),
  'auth.plan-without-api': row('authentication.basic-plan-refused', () => "The account's plan has no API access."),
  'rate.exceeded': row('limits.rate-refuses-excess', () => 'Too many requests. Wait and try again.'),
  'operation.unknown-path': row('http.unknown-path-body', () => 'There is nothing at this address.'),
  'operation.method-not-allowed': row('http.wrong-method-status', (method) => `The method ${method} is not supported here.`),
  'request.malformed-json': row('http.unreadable-body-status', (what) => `The request body must be a JSON object: ${what}.`),
  'request.incomplete': row('errors.rejection-is-400-plain-text', (what) => `The request is not valid: ${what}.`),
  'request.invalid': row('errors.rejection-is-400-plain-text', (what) => `The request is not valid: ${what}.`),
  'gift-card.not-found': row('authentication.foreign-record-is-404', (card) => `No gift card found for ${card}.`),
  'gift-card.id-malformed': row('gift-card.get-by-id.malformed-id', (card) => `The id is not the id of a gift card: ${card}.`),
  'gift-card.none-sent': row('gift-card.get-by-email.no-match', (address) => `No gift card was sent to ${address}.`),
  'gift-card.code-taken': row(
    'gift-card.create.refuses-taken-code',
    (code) => `A gift card with the code ${code} already exists.`,
  ),
  'gift-card.unique-id-used': row(
    'idempotency.create.refuses-repeat',
    (id) => `A gift card has already been created for the unique ID ${id}.`,
  ),
  'gift-card.gifted-names-missing': row(
    'gift-card.create.gifted-needs-recipient-name',
    (names) => `A gift card sent as a gift needs ${names}.`,
  ),
  'gift-card.voided-before': row('gift-card.void.again', (code) => `The gift card ${code} was voided before.`),
  'adjustment.unique-id-used': row(
    'idempotency.adjustment.refuses-repeat',
    (id) => `An adjustment has already been created for the unique ID ${id}.`,
  ),
  'adjustment.voucher': row('adjustment.voucher-refused', () => 'A voucher cannot be adjusted; a voucher is redeemed in full.'),
  'adjustment.overdraw': row(
    'adjustment.by-id.refuses-overdraw',
    (balance) => `The redemption is larger than the balance of ${balance}.`,
  ),
  'adjustment.card-voided': row('adjustment.voided-card', () => 'The gift card is voided and cannot be adjusted.'),
  'adjustment.card-expired': row('adjustment.expired-card', () => 'The gift card has expired and cannot be adjusted.'),
  'adjustment.card-scheduled': row('adjustment.scheduled-card', () => 'The gift card is not active yet and cannot be adjusted.'),
  'adjustment.store-credit': row('adjustment.store-credit', () => 'A store credit cannot be adjusted.'),
  'list.page-past-end': row('list.page-past-end', (page) => `There is no page ${page}.`),
  'webhook.not-found': row('webhook.delete.unknown-is-404', (id) => `No webhook found for the id ${id}.`),
  'webhook.url-not-https': row('webhook.create.other-schemes', (url) => `The webhook URL must be an https address: ${url}.`),
  'automation.no-match': row('automation.no-match', (event) => `No automation waits for the event ${event}.`),
  'coupon.not-found': row('coupon.unknown', (coupon) => `No web store coupon found for ${coupon}.`),
  'coupon.code-taken': row('coupon.code-unique', (code) => `A web store coupon with the code ${code} already exists.`),
};

function row(rule: ReasonName, text: (about: string) => string): Problem {
  return { rule, text };
}
