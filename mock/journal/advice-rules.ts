import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { View } from '../state/view.ts';
import { isSameRequest, type JournalExchange } from './entry.ts';

export interface AdvisedRequest {
  readonly exchange: JournalExchange;
  /** The parsed body and parameters, with the contract's names. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly changed: boolean;
  readonly fromBrowser: boolean;
  /** The records of the account. Undefined if the request has no account. */
  readonly state: View | undefined;
  readonly previous: JournalExchange | undefined;
  /** Remembers a key. Returns true if the same key was remembered less than a minute ago. */
  remember(key: string): boolean;
}

export interface AdviceRule {
  readonly rule: RuleName;
  /** The harm on the real service, and the remedy. */
  readonly hurts: string;
  /** The operations whose requests are checked. Default: all. */
  readonly on?: readonly OperationId[];
  /** Returns a sentence if the client made the mistake. */
  readonly check?: (request: AdvisedRequest) => string | false | undefined;
}

/** The request schema of each operation whose body is checked. Coupons are missing, because the specification does not show a coupon's body. */
const bodies = {
  createGiftCard: 'CreateGiftCardRequest',
  addAdjustmentByGiftCardCode: 'AddAdjustmentByGiftCardCodeRequest',
  addAdjustmentByGiftCardId: 'AddAdjustmentByGiftCardIdRequest',
  createWebhook: 'CreateWebhookRequest',
  createAutomationTriggerEvent: 'AutomationTriggerEventRequest',
} as const;
const adjust = ['addAdjustmentByGiftCardCode', 'addAdjustmentByGiftCardId'] as const;

const ofRecipient = ['recipientEmailAddress', 'recipientName', 'customField1', 'customField2', 'customField3'] as const;

const isMissing = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null);
const isWithoutZone = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ][\d:.]{1,20}$/i.test(value);
/** Reports whether a number has more than six decimals. No currency has more than four, so the number is the result of inexact arithmetic. */
const isBinaryFraction = (value: unknown) => typeof value === 'number' && Math.round(value * 1e6) / 1e6 !== value;

/** Client mistakes that do harm on the real service. Each rule must recognize its mistake reliably. */
const table = {
  'create-without-unique-id': {
    rule: 'idempotency.create.unique-id-optional',
    hurts: 'If the response is lost, a retry creates a second card. Send the same uniqueId with every attempt.',
    on: ['createGiftCard'],
    check: ({ changed, body }) => changed && isMissing(body.uniqueId) && 'A card was created without a uniqueId.',
  },
  'create-new-unique-id-per-try': {
    rule: 'idempotency.create.refuses-repeat',
    hurts: 'If the second request was a retry, the customer has two cards. Derive the uniqueId from the order.',
    on: ['createGiftCard'],
    check: ({ changed, body, remember }) => {
      // Cards without a recipient are often created in bulk, so equal cards are not a mistake.
      if (!changed || ofRecipient.every((name) => isMissing(body[name]))) return false;
      const { uniqueId: _, ...card } = body;
      if (!remember(`card ${JSON.stringify(card)}`)) return false;
      return 'The same card for the same recipient was created again, with another uniqueId or without one.';
    },
  },
  'adjustment-new-unique-id-per-try': {
    rule: 'idempotency.adjustment.refuses-repeat',
    hurts: 'If the second request was a retry, the amount counts twice. Derive uniqueAdjustmentId from the order or sale.',
    on: adjust,
    check: ({ changed, body: { uniqueAdjustmentId: _, ...adjustment }, remember }) =>
      changed &&
      remember(`adjustment ${JSON.stringify(adjustment)}`) &&
      'The same adjustment came again under another uniqueAdjustmentId.',
  },
  'adjustment-negative-balance': {
    rule: 'adjustment.by-code.may-go-negative',
    hurts: 'A redemption by code does not check the balance. Redeem by ID, which rejects a redemption above the balance.',
    on: ['addAdjustmentByGiftCardCode'],
    check: ({ exchange }) => {
      const { id, card } = exchange.touched.find(({ table }) => table === 'cards') ?? {};
      if (!card || card.balance >= 0 || card.balance >= (card.balanceBefore ?? 0)) return false;
      return `A redemption by code left the card ${id} with a negative balance.`;
    },
  },
  'automation-without-idempotency-key': {
    rule: 'idempotency.automation.key-optional',
    hurts: 'If the response is lost, a retry gives the reward twice. Send the same idempotency_key with every attempt.',
    on: ['createAutomationTriggerEvent'],
    check: ({ changed, body }) => changed && isMissing(body.idempotency_key) && 'An event came without an idempotency_key.',
  },
  'key-in-browser': {
    rule: 'authentication.key-is-in-header',
    hurts: 'A key in a page is public: every visitor can spend every card. Keep the key on a server.',
    check: ({ fromBrowser, exchange }) =>
      fromBrowser && 'x-api-key' in exchange.headers && 'The request has headers that only browsers send.',
  },
  'rate-no-wait': {
    rule: 'limits.rate-refuses-excess',
    hurts: 'The limit counts over a minute, so an immediate retry fails, too. After each 429, wait longer.',
    check: ({ exchange, previous }) => {
      if (previous?.refusal !== 'rate.exceeded' || !isSameRequest(previous, exchange)) return false;
      const since = Math.max(0, exchange.at - previous.at);
      return since < 1000 && `The request came again ${since} ms after a 429.`;
    },
  },
  'list-pages-from-one': {
    rule: 'list.page-number-from-zero',
    hurts: 'Pages count from 0, so the client never reads the first page. Page 0 has the cards that were updated last.',
    on: ['listGiftCards'],
    check: ({ parameters: { pageNumber, pageSize, since }, remember }) => {
      const page = (number: unknown) => `page ${number} of ${pageSize} since ${since}`;
      const isNew = !remember(page(pageNumber));
      return isNew && pageNumber === 2 && remember(page(1)) && !remember(page(0)) && 'Pages 1 and 2 were read, but not page 0.';
    },
  },
  'money-binary-fraction': {
    rule: 'gift-card.amounts-exact',
    hurts: 'The amount looks like a rounding error of floating point. The service may reject or round it. Compute in cents.',
    check: ({ body }) => {
      const name = Object.keys(body).find((each) => isBinaryFraction(body[each]));
      return name && `${name} is ${body[name]}.`;
    },
  },
  'date-without-zone': {
    rule: 'http.date-without-zone',
    hurts: 'The service does not document how it reads a time without a zone. Send UTC with a Z.',
    check: ({ body, parameters: { since } }) => {
      const name = Object.keys(body).find((each) => each.endsWith('Utc') && isWithoutZone(body[each]));
      if (name) return `${name} is ${body[name]}, without a zone.`;
      return isWithoutZone(since) && `The parameter since is ${since}, without a zone.`;
    },
  },
  'property-unknown': {
    rule: 'http.unknown-properties',
    hurts: 'The service ignores a property that it does not have. Check the spelling.',
    on: Object.keys(bodies) as (keyof typeof bodies)[],
    check: ({ exchange: { operation }, body }) => {
      const { properties } = contract.components.schemas[bodies[operation as keyof typeof bodies]];
      const name = Object.keys(body).find((each) => !Object.hasOwn(properties, each));
      return name && `The body has "${name}", which the service does not know.`;
    },
  },
  'webhook-without-token': {
    rule: 'delivery.unsigned-without-token',
    hurts: 'Without signatures, the receiver cannot recognize forged deliveries. Send requestHeaderVerificationToken.',
    on: ['createWebhook'],
    check: ({ changed, body }) =>
      changed && isMissing(body.requestHeaderVerificationToken) && 'A webhook was created without a token for signatures.',
  },
  'webhook-same-url-again': {
    rule: 'delivery.one-per-webhook',
    hurts: 'Each webhook gets its own delivery, so every event arrives twice. List the webhooks before you create one.',
    on: ['createWebhook'],
    check: ({ changed, body, state }) => {
      const webhooks = changed && state ? [...state.webhooks()] : [];
      const count = webhooks.filter(({ enabled, url }) => enabled && url === body.url).length;
      return count > 1 && `The URL now has ${count} enabled webhooks.`;
    },
  },
  'webhook-disabled': {
    rule: 'webhook.disabled-after-failures',
    hurts:
      'A disabled webhook gets no deliveries. Create a new webhook. The receiver must return 2xx first, and work afterwards.',
  },
} satisfies Readonly<Record<string, AdviceRule>>;

export type AdviceName = keyof typeof table;

export const adviceRules: Readonly<Record<AdviceName, AdviceRule>> = table;
