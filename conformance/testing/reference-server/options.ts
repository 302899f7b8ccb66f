import type { ServerAdjustment, ServerCard, ServerWebhook } from './records.ts';

const typeNames = { issue: 'ISSUE', 'top-up': 'IN', redemption: 'OUT' } as const;

/**
 * Options of a lawful service. If the specification leaves a question open, the default here differs from the contract's default.
 * Times are in milliseconds. The name of a status option ends in `Status`. Status 200 accepts the request.
 */
export const defaultOptions = {
  /** The currency of the first account, and its decimals. The second account has euros. */
  currency: 'NOK',
  decimals: 2,
  /** The response to an amount with too many decimals. With 200, the service rounds the amount. */
  preciseAmountStatus: 200,
  idOf: (serial: number): string | number => serial,
  newCode: (): string => `zz-${crypto.randomUUID()}`,
  /** The body field with the card's ID in an adjustment by ID. */
  adjustedIdField: 'cardId',
  showsIssueTime: true,
  formatTime: (time: number): string => new Date(time).toISOString().replace('Z', ''),
  /** The place of the card in a history. With `in each`, the card is next to the entries, and each entry has the code. */
  cardInHistory: 'next to entries' as 'next to entries' | 'around entries' | 'in each',
  historyEntry: ({ type, amount, notes, actionedAtUtc, recordedAt }: ServerAdjustment): Record<string, unknown> => ({
    value: { number: Math.abs(amount) },
    kind: typeNames[type],
    memo: notes ?? null,
    when: {
      happened: type === 'issue' ? undefined : actionedAtUtc.replace('.000Z', '+00:00'),
      recorded: new Date(recordedAt).toISOString(),
    },
  }),
  company: (currency: string): unknown => ({ business: 'Reference', money: { iso: currency }, zone: 'Europe/Oslo' }),
  listedCard: ({ id, code }: ServerCard, _view: Record<string, unknown>): unknown => ({ ref: id, number: code }),
  listedWebhook: ({ id, url, description }: ServerWebhook): unknown => ({
    hookId: id,
    target: url,
    label: description,
    state: 'ok',
  }),
  createdWebhook: (_: ServerWebhook): unknown => 'noted',
  eventResponse: (cards: readonly ServerCard[], runs: readonly Readonly<Record<string, unknown>>[]): unknown => ({
    made_now: cards.map(({ id, balance }) => ({ card_ref: id, worth: balance })),
    by_rule: runs.map(({ automation, status }) => ({ rule: automation, came_to: status })),
  }),
  /** Maximum number of requests in one minute of the clock. Refused requests count, too. */
  perMinute: Number.POSITIVE_INFINITY,
  /** Time by which each change advances the clock. Changes then have different times. */
  tick: 1_000,
  /** States in which another card may use the code and the uniqueId of a card. */
  frees: { voided: false, expired: false, deleted: false },
  /** True if a create refuses a code that differs from another code only in letter case. */
  foldsNewCodes: false,
  /** True if the service ignores letter case when it voids or adjusts a card, or looks up an ID. */
  foldsNames: false,
  /** Kinds of requests that find a deleted card. `changes` are voids and adjustments. */
  findsDeleted: { byCode: false, byId: true, changes: true },
  pastExpiryStatus: 200,
  adjustVoidedStatus: 409,
  adjustExpiredStatus: 200,
  overdrawStatus: 422,
  voidAgainStatus: 200,
  refusesAsJson: false,
  /** True if the service checks for a repeat before it checks other reasons to refuse an adjustment. If false, the service checks for a repeat last. */
  checksRepeatFirst: true,
  refusedAdjustmentUsesId: false,
  forgetsUniqueValuesAfterDay: false,
  emptyIsRedeemed: false,
  expiryEmpties: false,
  expiresVoided: false,
  /** Milliseconds between two deliveries of scheduled gifts. */
  giftEvery: 1,
  deliveries: {
    /** With `per webhook`, each webhook has its own queue with its own workers. */
    queues: 'one' as 'one' | 'per webhook',
    /** Maximum number of deliveries of a queue that are sent at the same time. */
    workers: Number.POSITIVE_INFINITY,
    latency: 0,
    /** Maximum of the random delay in addition to the latency. */
    jitter: 0,
    isNewestFirst: false,
  },
  /** The request that checks the address of a new webhook. */
  webhookCheck: { method: 'POST', body: '{}' } as RequestInit,
};

export type ReferenceOptions = Readonly<typeof defaultOptions>;
