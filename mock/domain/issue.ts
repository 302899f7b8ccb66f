import { DAY } from '../day.ts';
import type { Context } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import type { Change } from '../state.ts';

/** What differs from one card to the next; everything left out is nothing, no or null. */
export type Wanted = Pick<CardRecord, 'initialValue' | 'expiresAt'> &
  Partial<Omit<CardRecord, 'code' | 'notes' | 'issuedThrough'>> & { readonly code: string | null };

/** How a card comes about: what made it, a line for its timeline, and what its notes say. */
export interface Origin {
  readonly through: CardRecord['issuedThrough'];
  readonly line: string;
  readonly notes: string;
}

/**
 * A new card, Active whatever else follows from its fields (gift-card.create.starts-active, gift-card.status.future-gift,
 * gift-card.status.created-with-zero, gift-card.create.zero-balance), in the account's currency (gift-card.create.uses-account-currency), its balance the initial value
 * (gift-card.create.initial-value-is-balance, gift-card.create.starts-with-given-balance).
 */
export function issue(wanted: Wanted, origin: Origin, context: Context): { card: CardRecord; changes: Change[] } {
  const { settings, now } = context;
  const defaultExpiry = settings.defaultExpiryDays === null ? null : now + settings.defaultExpiryDays * DAY;
  // Property by property: copying an object of so many takes several times as long.
  const card: CardRecord = {
    id: context.newId(),
    code: wanted.code ?? context.newCode(), // gift-card.create.keeps-given-code
    kind: wanted.kind ?? 'gift-card', // gift-card.voucher-made-by: vouchers come from the dashboard.
    issuedThrough: origin.through,
    currency: settings.currency,
    initialValue: wanted.initialValue,
    balance: wanted.initialValue,
    totalIssued: wanted.initialValue,
    status: 'Active',
    // gift-card.create.stores-recipient, gift-card.create.stores-buyer, gift-card.create.stores-gift-message, gift-card.create.marks-promotional,
    // gift-card.create.stores-custom-fields: all as it was given.
    recipientName: wanted.recipientName ?? null,
    recipientEmailAddress: wanted.recipientEmailAddress ?? null,
    buyerName: wanted.buyerName ?? null,
    buyerEmailAddress: wanted.buyerEmailAddress ?? null,
    giftMessage: wanted.giftMessage ?? null,
    shouldSendNotification: wanted.shouldSendNotification ?? false,
    sendAsGift: wanted.sendAsGift ?? false,
    giftScheduledFor: wanted.giftScheduledFor ?? null,
    disableEmails: wanted.disableEmails ?? false,
    isPromotional: wanted.isPromotional ?? false,
    customField1: wanted.customField1 ?? null,
    customField2: wanted.customField2 ?? null,
    customField3: wanted.customField3 ?? null,
    notes: origin.notes,
    uniqueId: wanted.uniqueId ?? null,
    // gift-card.create.default-expiry-applies, gift-card.create.no-default-expiry-never-expires, gift-card.create.default-expiry-counting,
    // gift-card.create.null-expiry, gift-card.create.keeps-given-expiry, automation.default-expiry
    expiresAt: wanted.expiresAt ?? defaultExpiry,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    batchId: wanted.batchId ?? null,
    campaignId: wanted.campaignId ?? null,
    automationId: wanted.automationId ?? null,
    apiEventName: wanted.apiEventName ?? null,
    apiEventProperties: wanted.apiEventProperties ?? null,
  };
  return {
    card,
    changes: [
      { table: 'cards', put: card },
      // gift-card.create.timeline-records-origin, gift-card.timeline-shown-where: the control door shows it, the API does not.
      { table: 'timeline', put: { cardId: card.id, at: now, text: origin.line } },
    ],
  };
}
