import type { Context } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import type { Change } from '../state.ts';

const DAY = 86_400_000;

/** What differs from one card to the next; everything left out is nothing, no or null. */
export type Wanted = Pick<CardRecord, 'initialValue' | 'issuedThrough'> &
  Partial<Omit<CardRecord, 'code' | 'expiresAt'>> & { readonly code: string | null; readonly expiresAt: number | null };

const BLANK = {
  kind: 'gift-card',
  recipientName: null,
  recipientEmailAddress: null,
  buyerName: null,
  buyerEmailAddress: null,
  giftMessage: null,
  shouldSendNotification: false,
  sendAsGift: false,
  giftScheduledFor: null,
  disableEmails: false,
  isPromotional: false,
  customField1: null,
  customField2: null,
  customField3: null,
  notes: null,
  uniqueId: null,
  deletedAt: null,
  batchId: null,
  campaignId: null,
  automationId: null,
  apiEventName: null,
  apiEventProperties: null,
} as const;

/**
 * A new card, Active whatever else follows from its fields (gift-card.create.starts-active, gift-card.status.future-gift,
 * gift-card.status.created-with-zero), in the account's currency (gift-card.create.uses-account-currency), its balance the initial value
 * (gift-card.create.initial-value-is-balance, gift-card.create.starts-with-given-balance). `origin` goes to its timeline.
 */
export function issue(wanted: Wanted, origin: string, context: Context): { card: CardRecord; changes: Change[] } {
  const { settings, now } = context;
  const defaultExpiry = settings.defaultExpiryDays === null ? null : now + settings.defaultExpiryDays * DAY;
  const card: CardRecord = {
    ...BLANK,
    ...wanted,
    id: context.newId(),
    code: wanted.code ?? context.newCode(),
    currency: settings.currency,
    balance: wanted.initialValue,
    totalIssued: wanted.initialValue,
    status: 'Active',
    // gift-card.create.default-expiry-applies, gift-card.create.no-default-expiry-never-expires, gift-card.create.default-expiry-counting,
    // gift-card.create.null-expiry, gift-card.create.keeps-given-expiry, automation.default-expiry
    expiresAt: wanted.expiresAt ?? defaultExpiry,
    createdAt: now,
    updatedAt: now,
  };
  return {
    card,
    changes: [
      { table: 'cards', put: card },
      // gift-card.create.timeline-records-origin, gift-card.timeline-shown-where: the control door shows it, the API does not.
      { table: 'timeline', put: { id: context.newId(), cardId: card.id, at: now, text: origin } },
    ],
  };
}
