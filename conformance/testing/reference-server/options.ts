import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { AccountRecords, Card, Entry, Webhook } from './records.ts';

/** Faults of the server, and the clause that each violates. */
export const faults = {
  'accepts a used code': 'gift-card.create.refuses-taken-code',
  'accepts a used uniqueId': 'idempotency.create.refuses-repeat',
  'accepts a used uniqueAdjustmentId': 'idempotency.adjustment.refuses-repeat',
  'allows overdraw by ID': 'adjustment.by-id.refuses-overdraw',
  'ignores adjustments': 'adjustment.positive-tops-up',
  'keeps the balance of voided cards': 'gift-card.void.zeroes-balance',
  'hides voided cards from the list': 'list.includes-voided',
  'lists by time of issue': 'list.last-updated-first',
  'accepts requests without a key': 'authentication.missing-key-is-401',
  'shows cards of other accounts': 'authentication.foreign-record-is-404',
  'answers 201 to creates': 'gift-card.create.answers-200',
  'delivers no expiry': 'delivery.expired.on-expiry',
} as const satisfies Record<string, ClauseName>;

export type Fault = keyof typeof faults;

/** A request that the option `refuses` may refuse. */
export interface RefusableRequest {
  readonly operation: 'create' | 'adjust' | 'register webhook';
  readonly body: Readonly<Record<string, unknown>>;
  readonly account: AccountRecords;
  /** The card to adjust. */
  readonly card?: Card;
}

/** A path of property names in an answer; undefined leaves the value out. */
type Path = string | undefined;

const withoutZone = (time: number) => new Date(time).toISOString().replace('Z', '');
const typeNames = { issue: 'ISSUE', 'top-up': 'IN', redemption: 'OUT' } as const;

/**
 * Everything in which one lawful service differs from another, and at most one fault. By default the service answers everything that the specification
 * leaves open differently from the contract document. Times are in milliseconds. A status refuses; 200 accepts.
 */
export const defaultOptions = {
  /** The one stated rule that the server breaks. */
  fault: undefined as Fault | undefined,

  currency: 'NOK',
  decimals: 2,
  /** For an amount with more decimals; 200 rounds it. */
  preciseAmountStatus: 200,
  idOf: (serial: number): string | number => serial,
  /** The body field that names the card in an adjustment by ID. */
  adjustedIdField: 'cardId',
  /** Where each value of a card or of its history is in an answer. */
  paths: {
    notes: 'remark' as Path,
    issuedAt: 'lifecycle.issuedOn' as Path,
    updatedAt: 'lifecycle.touchedOn' as Path,
    expiresAt: 'lifecycle.until' as Path,
    history: {
      entries: 'bookings',
      /** The card's place: a path next to the entries, `around` them, or `in each` entry and next to them. */
      card: 'subject' as string | { readonly around: true } | { readonly inEach: string },
      amount: 'value.number',
      type: 'kind',
      notes: 'memo',
      actionedAt: 'when.happened' as Path,
      recordedAt: 'when.recorded' as Path,
    },
  },
  formatTime: (time: number): string | number => withoutZone(time),
  company: (currency: string): unknown => ({ business: 'Reference', money: { iso: currency }, zone: 'Europe/Oslo' }),
  voidedAnswer: { cancelled: true } as unknown,
  listedCard: ({ id, code }: Card, _view: Record<string, unknown>): unknown => ({ ref: id, number: code }),
  listedWebhook: ({ id, url, description }: Webhook): unknown => ({ hookId: id, target: url, label: description, state: 'ok' }),
  createdWebhook: (_: Webhook): unknown => 'noted',
  eventAnswer: (cards: readonly Card[], runs: readonly Readonly<Record<string, unknown>>[]): unknown => ({
    made_now: cards.map(({ id, balance }) => ({ card_ref: id, worth: balance })),
    by_rule: runs.map(({ automation, status }) => ({ rule: automation, came_to: status })),
  }),
  /** Changes every JSON answer last. */
  answers: (json: unknown, _path: string): unknown => json,
  /** Changes every webhook payload last. */
  delivers: (payload: Record<string, unknown>): Record<string, unknown> => payload,
  /** An additional reason to refuse a request: the message. */
  refuses: (_: RefusableRequest): string | undefined => undefined,

  /** Requests per minute of the clock; refused ones count. */
  perMinute: Number.POSITIVE_INFINITY,
  /** How far the clock moves with every change, so that no two changes have the same time. */
  tick: 1_000,
  /** Which cards free their code and uniqueId for another one. */
  frees: { voided: false, expired: false, deleted: false },
  /** Codes that differ in letter case are the same when a card is created. */
  foldsNewCodes: false,
  /** They are the same when a card is voided, adjusted or looked up by ID. */
  foldsNames: false,
  /** Which deleted cards are found; `changes` allows voids and adjustments. */
  findsDeleted: { byCode: false, byId: true, changes: true },
  pastExpiryStatus: 200,
  adjustVoidedStatus: 409,
  adjustExpiredStatus: 200,
  overdrawStatus: 422,
  voidAgainStatus: 200,
  refusesAsJson: false,
  /** A repeated uniqueAdjustmentId is refused before the card is looked up, or after every other reason. */
  checksRepeatFirst: true,
  refusedAdjustmentUsesId: false,
  forgetsUniqueValuesAfterDay: false,
  emptyIsRedeemed: false,
  expiryEmpties: false,
  expiresVoided: false,
  history: {
    isSigned: false,
    typeOf: (type: Entry['type']): unknown => typeNames[type],
    showNotes: (notes: string): string => notes,
    formatActioned: (actionedAtUtc: string): string => actionedAtUtc.replace('.000Z', '+00:00'),
  },
  /** Hours between the times at which scheduled gifts are delivered; 0: at once. */
  giftEvery: 0,
  /** How many deliveries are sent at the same time, and after which delay: the latency and at most the jitter, at random. */
  deliveries: {
    workers: Number.POSITIVE_INFINITY,
    latency: 0,
    jitter: 0,
    order: 'oldest first' as 'oldest first' | 'newest first',
  },
  /** The request that checks the address of a new webhook. */
  webhookCheck: { method: 'POST', body: '{}' } as RequestInit,
};

export type ReferenceOptions = Readonly<typeof defaultOptions>;

/** The names and places of the contract document, for clients that know no others. */
export const contractShapes = {
  currency: 'EUR',
  idOf: (serial) => `id-${serial}`,
  adjustedIdField: 'giftCardId',
  paths: {
    notes: 'notes',
    issuedAt: 'createdAtUtc',
    updatedAt: undefined,
    expiresAt: 'expiresAtUtc',
    history: {
      entries: 'adjustments',
      card: 'giftCard',
      amount: 'amount',
      type: 'type',
      notes: 'notes',
      actionedAt: 'actionedAtUtc',
      recordedAt: 'createdAtUtc',
    },
  },
  formatTime: (time) => new Date(time).toISOString(),
  listedCard: (_, view) => view,
  voidedAnswer: null,
} as const satisfies Partial<ReferenceOptions>;
