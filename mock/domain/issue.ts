import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import { defaultExpiry } from './expiry.ts';
import type { Context } from './outcome.ts';
import { statusAfterAnswer } from './status.ts';

/** What differs from one card to the next; everything left out is nothing, no or null, but for the expiry, which then is the account's default. */
export type Wanted = Pick<CardRecord, 'initialValue'> &
  Partial<Omit<CardRecord, 'code' | 'notes' | 'issuedThrough' | 'expiresAt'>> & {
    readonly code: string | null;
    readonly expiresAt?: number | null | undefined;
  };

/** How a card comes about: what made it, a line for its timeline, and what its notes say. */
export interface Origin {
  readonly through: CardRecord['issuedThrough'];
  readonly line: string;
  readonly notes: string;
}

/** A new card as the answer shows it and as it is kept, which some behaviors tell apart. */
export interface Issued {
  readonly answered: CardRecord;
  readonly card: CardRecord;
  readonly changes: Change[];
}

/**
 * A new card, answered as Active whatever else follows from its fields (gift-card.create.starts-active,
 * gift-card.create.active-when-empty-or-expired), in the account's currency
 * (gift-card.create.uses-account-currency), its balance the initial value (gift-card.create.initial-value-is-balance,
 * gift-card.create.starts-with-given-balance); and the same card as it is kept.
 */
export function issue(wanted: Wanted, origin: Origin, context: Context): Issued {
  const { settings, now, behaviors } = context;
  // Property by property: copying an object of so many takes several times as long.
  const answered: CardRecord = {
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
    // gift-card.create.stores-custom-fields, gift-card.custom-fields.unchanged-for-good: all as it was given.
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
    // gift-card.create.keeps-given-expiry, gift-card.create.null-expiry
    expiresAt: wanted.expiresAt === undefined ? defaultExpiry(now, settings, behaviors) : wanted.expiresAt,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    voidedAt: null,
    batchId: wanted.batchId ?? null,
    campaignId: wanted.campaignId ?? null,
    automationId: wanted.automationId ?? null,
    apiEventName: wanted.apiEventName ?? null,
    apiEventProperties: wanted.apiEventProperties ?? null,
  };
  const status = statusAfterAnswer(answered, now, behaviors);
  const card = status === answered.status ? answered : { ...answered, status };
  return {
    answered,
    card,
    changes: [
      { table: 'cards', put: card },
      // gift-card.create.timeline-records-origin, gift-card.timeline-shown-where: the control door shows it, the API does not.
      { table: 'timeline', put: { cardId: card.id, at: now, text: origin.line } },
    ],
  };
}
