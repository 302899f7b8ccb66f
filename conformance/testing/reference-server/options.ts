import type { Fault } from './faults.ts';
import type { Account, Card, Webhook } from './records.ts';
import type { Refusal } from './wire.ts';

/** Where each value of a card or of its history is in an answer, as a path of property names; undefined leaves the value out. */
export interface AnswerPaths {
  readonly notes: string | undefined;
  readonly issuedAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly expiresAt: string | undefined;
  readonly history: {
    readonly entries: string;
    /** The card's place: a path next to the entries, `around` them, or `in each` entry and next to them. */
    readonly card: string | { readonly around: true } | { readonly inEach: string };
    readonly amount: string;
    readonly type: string;
    readonly notes: string;
    readonly actionedAt: string | undefined;
    readonly recordedAt: string | undefined;
  };
}

/** What a request asks for, for the option `refuses`. */
export interface RefusableRequest {
  readonly operation: 'create' | 'adjust' | 'register webhook';
  readonly body: Readonly<Record<string, unknown>>;
  readonly account: Account;
  /** The card to adjust. */
  readonly card?: Card;
}

interface FreedValues {
  readonly voided: boolean;
  readonly expired: boolean;
  readonly deleted: boolean;
}

/** Everything in which one lawful service differs from another, and at most one fault. Times are in milliseconds. */
export interface ReferenceOptions {
  /** The one stated rule that the server breaks. */
  readonly fault: Fault | undefined;

  readonly currency: string;
  readonly decimals: number;
  /** The status that refuses an amount with more decimals; 200 rounds it. */
  readonly preciseAmountStatus: number;
  readonly idOf: (serial: number) => string | number;
  /** The body field that names the card in an adjustment by ID. */
  readonly adjustedIdField: string;
  readonly paths: AnswerPaths;
  readonly formatTime: (time: number) => string | number;
  /** The remaining answers. */
  readonly company: (currency: string) => unknown;
  readonly voidedAnswer: unknown;
  readonly listedCard: (card: Card, view: Record<string, unknown>) => unknown;
  readonly listedWebhook: (webhook: Webhook) => unknown;
  readonly createdWebhook: (webhook: Webhook) => unknown;
  readonly eventAnswer: (cards: readonly Card[], runs: readonly Readonly<Record<string, unknown>>[]) => unknown;
  /** Changes every JSON answer last. */
  readonly answers: (json: unknown, path: string) => unknown;
  /** Changes every webhook payload last. */
  readonly delivers: (payload: Record<string, unknown>) => Record<string, unknown>;
  /** An additional reason to refuse a request. */
  readonly refuses: (request: RefusableRequest) => Refusal | undefined;

  /** Requests per minute of the clock; refused ones count. */
  readonly perMinute: number;
  /** How far the clock moves with every change, so that no two changes have the same time. */
  readonly tick: number;
  readonly isCodeFreeOf: FreedValues;
  readonly isUniqueIdFreeOf: FreedValues;
  /** Which of several cards with one code the code finds. */
  readonly codeFinds: 'newest' | 'usable';
  /** Codes that differ in letter case are the same when a card is created; when one is voided or adjusted, or looked up by ID. */
  readonly foldsNewCodes: boolean;
  readonly foldsNames: boolean;
  /** Which deleted cards are found; `changes` allows voids and adjustments. */
  readonly findsDeleted: { readonly byCode: boolean; readonly byId: boolean; readonly changes: boolean };
  /** The status that refuses each; 200 accepts it. */
  readonly pastExpiryStatus: number;
  readonly adjustVoidedStatus: number;
  readonly adjustExpiredStatus: number;
  readonly overdrawStatus: number;
  readonly voidAgainStatus: number;
  readonly refusesAsJson: boolean;
  /** A repeated uniqueAdjustmentId is refused before the card is looked up, or after every other reason. */
  readonly checksRepeatFirst: boolean;
  readonly refusedAdjustmentUsesId: boolean;
  readonly forgetsUniqueValuesAfterDay: boolean;
  readonly emptyIsRedeemed: boolean;
  readonly expiryEmpties: boolean;
  readonly expiresVoided: boolean;
  /** Entries of the history that are not adjustments. */
  readonly entriesFor: { readonly issue: boolean; readonly void: boolean; readonly expiry: boolean };
  readonly history: {
    readonly size: number;
    readonly orderedBy: 'recorded' | 'actioned';
    readonly isSigned: boolean;
    readonly typeOf: (type: 'issue' | 'void' | 'expiry' | 'top-up' | 'redemption') => unknown;
    readonly showNotes: (notes: string) => string;
    readonly formatActioned: (actionedAtUtc: string) => string;
  };
  readonly pageAfterLast: 'empty' | 'first' | 'last';
  readonly countsDeleted: boolean;
  /** The channels update each changed card once more after this time; 0: they do not. */
  readonly channelUpdateAfter: number;
  /** Hours between the times at which scheduled gifts are delivered; 0: at once. */
  readonly giftEvery: number;
  readonly deliveries: {
    /** Deliveries sent at the same time. */
    readonly workers: number;
    readonly latency: number;
    /** At most this much more latency, at random. */
    readonly jitter: number;
    readonly order: 'oldest first' | 'newest first';
  };
  /** The request that checks the address of a new webhook. */
  readonly webhookCheck: RequestInit;
}

const withoutZone = (time: number) => new Date(time).toISOString().replace('Z', '');
const never = { voided: false, expired: false, deleted: false };

/** A service that answers everything that the specification leaves open differently from the contract document. */
export const defaultOptions: ReferenceOptions = {
  fault: undefined,
  currency: 'NOK',
  decimals: 2,
  preciseAmountStatus: 200,
  idOf: (serial) => serial,
  adjustedIdField: 'cardId',
  paths: {
    notes: 'remark',
    issuedAt: 'lifecycle.issuedOn',
    updatedAt: 'lifecycle.touchedOn',
    expiresAt: 'lifecycle.until',
    history: {
      entries: 'bookings',
      card: 'subject',
      amount: 'value.number',
      type: 'kind',
      notes: 'memo',
      actionedAt: 'when.happened',
      recordedAt: 'when.recorded',
    },
  },
  formatTime: withoutZone,
  company: (currency) => ({ business: 'Reference', money: { iso: currency }, zone: 'Europe/Oslo' }),
  voidedAnswer: { cancelled: true },
  listedCard: ({ id, code }) => ({ ref: id, number: code }),
  listedWebhook: ({ id, url, description }) => ({ hookId: id, target: url, label: description, state: 'ok' }),
  createdWebhook: () => 'noted',
  eventAnswer: (cards, runs) => ({
    made_now: cards.map(({ id, balance }) => ({ card_ref: id, worth: balance })),
    by_rule: runs.map(({ automation, status }) => ({ rule: automation, came_to: status })),
  }),
  answers: (json) => json,
  delivers: (payload) => payload,
  refuses: () => undefined,
  perMinute: Number.POSITIVE_INFINITY,
  tick: 1_000,
  isCodeFreeOf: never,
  isUniqueIdFreeOf: never,
  codeFinds: 'newest',
  foldsNewCodes: false,
  foldsNames: false,
  findsDeleted: { byCode: false, byId: true, changes: true },
  pastExpiryStatus: 200,
  adjustVoidedStatus: 409,
  adjustExpiredStatus: 200,
  overdrawStatus: 422,
  voidAgainStatus: 200,
  refusesAsJson: false,
  checksRepeatFirst: true,
  refusedAdjustmentUsesId: false,
  forgetsUniqueValuesAfterDay: false,
  emptyIsRedeemed: false,
  expiryEmpties: false,
  expiresVoided: false,
  entriesFor: { issue: true, void: false, expiry: false },
  history: {
    size: Number.POSITIVE_INFINITY,
    orderedBy: 'recorded',
    isSigned: false,
    typeOf: (type) => ({ issue: 'ISSUE', void: 'VOID', expiry: 'EXPIRY', 'top-up': 'IN', redemption: 'OUT' })[type],
    showNotes: (notes) => notes,
    formatActioned: (actionedAtUtc) => actionedAtUtc.replace('.000Z', '+00:00'),
  },
  pageAfterLast: 'empty',
  countsDeleted: false,
  channelUpdateAfter: 0,
  giftEvery: 0,
  deliveries: { workers: Number.POSITIVE_INFINITY, latency: 0, jitter: 0, order: 'oldest first' },
  webhookCheck: { method: 'POST', body: '{}' },
};

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
