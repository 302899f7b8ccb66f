import type { ClauseName } from '../../openapi/generated/clauses.ts';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import type { OperationId } from '../../openapi/generated/validators.js';
import type { View } from '../state/view.ts';
import { type Exchange, isSameRequest } from './entry.ts';

/** The data that a rule may use. */
export interface AdvisedRequest {
  readonly exchange: Exchange;
  /** The parsed body and parameters, in the contract's names; empty without them. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly changed: boolean;
  readonly fromBrowser: boolean;
  /** Undefined if no account is known. */
  readonly state: View | undefined;
  /** The request before this one. */
  readonly previous: Exchange | undefined;
  /** How often this request came in a row, each time within a minute and with the same refusal. */
  readonly repeats: number;
  /** Remembers a key; true if it was remembered less than a minute ago. */
  remember(key: string): boolean;
}

interface AdviceRule {
  readonly clause: ClauseName;
  /** The harm on the real service, and what to do instead. */
  readonly hurts: string;
  /** Operations whose requests are checked; all without it. */
  readonly on?: readonly OperationId[];
  /** Returns what is wrong, in a sentence; false or undefined if nothing is. */
  readonly check?: (request: AdvisedRequest) => string | false | undefined;
}

/** The schemas of the bodies that are checked. */
const bodies = {
  createGiftCard: 'CreateGiftCardRequest',
  addAdjustmentByGiftCardCode: 'AddAdjustmentByGiftCardCodeRequest',
  addAdjustmentByGiftCardId: 'AddAdjustmentByGiftCardIdRequest',
  createWebhook: 'CreateWebhookRequest',
  createAutomationTriggerEvent: 'AutomationTriggerEventRequest',
} as const;
const withBody = Object.keys(bodies) as (keyof typeof bodies)[];
const adjust = ['addAdjustmentByGiftCardCode', 'addAdjustmentByGiftCardId'] as const;

/** Left out, null or blank. */
const isMissing = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null);
const isWithoutZone = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ][\d:.]{1,20}$/i.test(value);
// No currency has more than four decimals.
const isBinaryFraction = (value: unknown) => typeof value === 'number' && Math.round(value * 1e6) / 1e6 !== value;
/** Within this time, in milliseconds, a request may be a retry of an equal one. */
export const RETRY_WINDOW = 60_000;

/** Habits of clients that hurt on the real service. Only what can be recognized reliably is here. */
const table = {
  'create-without-unique-id': {
    clause: 'idempotency.create.unique-id-optional',
    hurts: 'If the answer is lost, a retry creates a second card. Send a uniqueId that stays the same for all tries.',
    on: ['createGiftCard'],
    check: ({ changed, body }) => changed && isMissing(body.uniqueId) && 'A card was created without a uniqueId.',
  },
  'create-new-unique-id-per-try': {
    clause: 'idempotency.create.refuses-repeat',
    hurts: 'If the second request was a retry, its customer has two cards. Derive the uniqueId from what the card is for.',
    on: ['createGiftCard'],
    check: ({ changed, body: { uniqueId: _, ...card }, remember }) => {
      const { recipientEmailAddress, recipientName, customField1, customField2, customField3 } = card;
      // Cards without a recipient are often created in bulk.
      const isAnonymous = [recipientEmailAddress, recipientName, customField1, customField2, customField3].every(isMissing);
      if (!changed || isAnonymous || !remember(`card ${JSON.stringify(card)}`)) return false;
      return 'The same card for the same recipient was created again, with another uniqueId or without one.';
    },
  },
  'adjustment-new-unique-id-per-try': {
    clause: 'idempotency.adjustment.refuses-repeat',
    hurts: 'If the second request was a retry, the amount counts twice. Derive uniqueAdjustmentId from what happened.',
    on: adjust,
    check: ({ changed, body: { uniqueAdjustmentId: _, ...adjustment }, remember }) =>
      changed &&
      remember(`adjustment ${JSON.stringify(adjustment)}`) &&
      'The same adjustment came again under another uniqueAdjustmentId.',
  },
  'adjustment-negative-balance': {
    clause: 'adjustment.by-code.may-go-negative',
    hurts: 'By code the service does not check the balance. Redeem by ID, which rejects a redemption that is too large.',
    on: ['addAdjustmentByGiftCardCode'],
    check: ({ exchange }) => {
      const { id, card } = exchange.touched.find(({ table }) => table === 'cards') ?? {};
      if (!card || card.balance >= 0 || card.balance >= (card.balanceBefore ?? 0)) return false;
      return `A redemption by code left the card ${id} with a negative balance.`;
    },
  },
  'automation-without-idempotency-key': {
    clause: 'idempotency.automation.key-optional',
    hurts: 'If the answer is lost, a retry rewards twice. Send an idempotency_key that stays the same for all tries.',
    on: ['createAutomationTriggerEvent'],
    check: ({ changed, body }) => changed && isMissing(body.idempotency_key) && 'An event came without an idempotency_key.',
  },
  'key-in-browser': {
    clause: 'authentication.key-is-in-header',
    hurts: 'A key in a page is public: every visitor can spend every card. Keep the key on a server.',
    check: ({ fromBrowser }) => fromBrowser && 'The request has headers that only browsers send.',
  },
  'rate-no-wait': {
    clause: 'limits.rate-refuses-excess',
    hurts: 'The limit counts over a minute, so an immediate retry fails, too. Wait after a 429, longer each time.',
    check: ({ exchange, previous }) => {
      if (previous?.refusal !== 'rate.exceeded' || !isSameRequest(previous, exchange)) return false;
      const since = Math.max(0, exchange.at - previous.at);
      return since < 1000 && `The request came again ${since} ms after a 429.`;
    },
  },
  'rejection-repeated': {
    clause: 'errors.rejection-is-400-plain-text',
    hurts: 'A rejected request is rejected each time. Retry only after 429, 5xx and lost connections.',
    check: ({ exchange: { status, refusal }, repeats }) =>
      status === 400 && refusal !== undefined && repeats === 3 && 'The same request was rejected 3 times in a row.',
  },
  'list-pages-from-one': {
    clause: 'list.page-number-from-zero',
    hurts: 'Pages count from 0, so the client never sees the first page, with the cards updated last.',
    on: ['listGiftCards'],
    check: ({ parameters: { pageNumber, pageSize, since }, remember }) => {
      const page = (number: unknown) => `page ${number} of ${pageSize} since ${since}`;
      const isNew = !remember(page(pageNumber));
      return isNew && pageNumber === 2 && remember(page(1)) && !remember(page(0)) && 'Pages 1 and 2 were read, and not page 0.';
    },
  },
  'money-binary-fraction': {
    clause: 'gift-card.amounts-exact',
    hurts: 'It looks like a sum of binary fractions, which the service may reject or round. Compute in whole cents.',
    on: withBody,
    check: ({ body }) => {
      const name = Object.keys(body).find((each) => isBinaryFraction(body[each]));
      return name && `${name} is ${body[name]}.`;
    },
  },
  'date-without-zone': {
    clause: 'http.date-without-zone',
    hurts: 'The zone of such a time is not documented; as UTC, a local time moves by hours. Send UTC with a Z.',
    check: ({ body, parameters: { since } }) => {
      const name = Object.keys(body).find((each) => each.endsWith('Utc') && isWithoutZone(body[each]));
      if (name) return `${name} is ${body[name]}, without a zone.`;
      return isWithoutZone(since) && `since is ${since}, without a zone.`;
    },
  },
  'property-unknown': {
    clause: 'http.unknown-properties',
    hurts: 'The service ignores a property that it does not have. Check the spelling.',
    on: withBody,
    check: ({ exchange: { operation }, body }) => {
      const { properties } = contract.components.schemas[bodies[operation as keyof typeof bodies]];
      const name = Object.keys(body).find((each) => !Object.hasOwn(properties, each));
      return name && `The body has "${name}", which the service does not know.`;
    },
  },
  'webhook-without-token': {
    clause: 'delivery.unsigned-without-token',
    hurts: 'Its deliveries are not signed, so the receiver cannot recognize forged ones. Send requestHeaderVerificationToken.',
    on: ['createWebhook'],
    check: ({ changed, body }) =>
      changed && isMissing(body.requestHeaderVerificationToken) && 'A webhook was created without a token for signatures.',
  },
  'webhook-same-url-again': {
    clause: 'delivery.one-per-webhook',
    hurts: 'Each registration gets its own delivery, so everything arrives twice. List the webhooks before creating one.',
    on: ['createWebhook'],
    check: ({ changed, body, state }) => {
      const webhooks = changed && state ? [...state.webhooks()] : [];
      const count = webhooks.filter(({ enabled, url }) => enabled && url === body.url).length;
      return count > 1 && `The URL now has ${count} enabled webhooks.`;
    },
  },
  'webhook-disabled': {
    clause: 'webhook.disabled-after-failures',
    hurts:
      'It gets no more deliveries, and the API only stops listing it. Answer 2xx first and work afterwards; create it again.',
  },
} satisfies Readonly<Record<string, AdviceRule>>;

export type AdviceName = keyof typeof table;

export const adviceRules: Readonly<Record<AdviceName, AdviceRule>> = table;
