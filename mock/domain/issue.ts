import type { components } from '../../openapi/generated/types.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import { localMonth } from './dates.ts';
import { defaultExpiry } from './due-events.ts';
import type { Context } from './outcome.ts';
import { statusAfterResponse } from './status.ts';

type CreateRequest = components['schemas']['CreateGiftCardRequest'];

/** The values of a new card. A missing code is generated. A missing expiry is the account's default. Other missing values are null or false. */
export interface NewCard
  extends Pick<CardRecord, 'initialValue'>,
    Partial<
      Pick<CardRecord, 'recipientName' | 'recipientEmailAddress' | 'buyerName' | 'buyerEmailAddress' | 'giftScheduledFor'> &
        Pick<CardRecord, 'uniqueId' | 'automationId' | 'apiEventName' | 'apiEventProperties'>
    > {
  readonly code: string | null;
  readonly expiresAt?: number | null | undefined;
  /** The request of Create. The fields that NewCard does not have are stored unchanged. */
  readonly given?: Partial<CreateRequest>;
}

export interface Origin {
  readonly through: CardRecord['issuedThrough'];
  /** The first line of the card's timeline. */
  readonly line: string;
  readonly notes: string;
}

/** A new card: `cardInResponse` is for the response, `card` is for the state. With some options, the two have different statuses. */
interface IssuedCard {
  readonly cardInResponse: CardRecord;
  readonly card: CardRecord;
  readonly changes: Change[];
}

/**
 * Issues a card in the account's currency (gift-card.create.uses-account-currency). The balance is the initial value
 * (gift-card.create.initial-value-is-balance, gift-card.create.starts-with-given-balance). The response always shows the card as Active
 * (gift-card.create.starts-active, gift-card.create.active-when-empty-or-expired).
 */
export function issue(wanted: NewCard, origin: Origin, context: Context): IssuedCard {
  const { settings, now, behaviors } = context;
  const { given = {} } = wanted;
  // Listing all properties is several times faster than copying an object with spread syntax.
  const cardInResponse: CardRecord = {
    id: context.newId(),
    code: wanted.code ?? context.newCode(), // gift-card.create.keeps-given-code
    kind: 'gift-card', // gift-card.voucher-made-by
    issuedThrough: origin.through,
    currency: settings.currency,
    initialValue: wanted.initialValue,
    balance: wanted.initialValue,
    totalIssued: wanted.initialValue,
    status: 'Active',
    // gift-card.create.stores-recipient, gift-card.create.stores-buyer, gift-card.create.stores-gift-message, gift-card.create.marks-promotional,
    // gift-card.create.stores-custom-fields, gift-card.custom-fields.never-change
    recipientName: wanted.recipientName ?? null,
    recipientEmailAddress: wanted.recipientEmailAddress ?? null,
    buyerName: wanted.buyerName ?? null,
    buyerEmailAddress: wanted.buyerEmailAddress ?? null,
    giftMessage: given.giftMessage ?? null,
    shouldSendNotification: given.shouldSendNotification ?? false,
    sendAsGift: given.sendAsGift ?? false,
    giftScheduledFor: wanted.giftScheduledFor ?? null,
    disableEmails: given.disableEmails ?? false,
    isPromotional: given.isPromotional ?? false,
    customField1: given.customField1 ?? null,
    customField2: given.customField2 ?? null,
    customField3: given.customField3 ?? null,
    notes: origin.notes,
    uniqueId: wanted.uniqueId ?? null,
    // gift-card.create.keeps-given-expiry, gift-card.create.null-expiry
    expiresAt: wanted.expiresAt === undefined ? defaultExpiry(now, settings, behaviors) : wanted.expiresAt,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    voidedAt: null,
    batchId: null,
    campaignId: null,
    automationId: wanted.automationId ?? null,
    apiEventName: wanted.apiEventName ?? null,
    apiEventProperties: wanted.apiEventProperties ?? null,
  };
  const status = statusAfterResponse(cardInResponse, now, behaviors);
  const card = status === cardInResponse.status ? cardInResponse : { ...cardInResponse, status };
  return {
    cardInResponse,
    card,
    changes: [
      { table: 'cards', put: card },
      // gift-card.create.timeline-records-origin, gift-card.timeline-shown-where
      { table: 'timeline', put: { cardId: card.id, at: now, text: origin.line } },
    ],
  };
}

/**
 * Reports whether a card uses the allowance of a local month, such as 2026-01 (limits.allowance-month). Cards of the API and of automations count
 * (gift-card.create.counts-toward-allowance, limits.allowance-counts-automation-cards). Voided cards do not count
 * (gift-card.void.leaves-allowance, limits.allowance-void-in-later-month).
 */
export function usesAllowance(month: string, card: CardRecord, timeZone: string): boolean {
  return card.issuedThrough !== 'merchant' && card.voidedAt === null && localMonth(card.createdAt, timeZone) === month;
}
