import type { components } from '../../openapi/generated/types.ts';
import { DAY, LAST_MOMENT } from '../domain/day.ts';
import type { Minor } from '../domain/money.ts';
import type { Count, Guid, Price, Timestamp, Url } from '../domain/tagged-types.ts';

/** What an account holds. Records are values: a change puts a new one in the place of the old, and nothing writes into one. */

export type CardStatus = components['schemas']['GiftCardStatus'];

export interface CardRecord {
  readonly id: Guid;
  readonly code: string;
  /** A voucher is redeemed in full and cannot be adjusted; a store credit is an account of credit and otherwise the same. */
  readonly kind: 'gift-card' | 'voucher' | 'store-credit';
  /** What made it; cards of the API and of automations count toward the monthly allowance. */
  readonly issuedThrough: 'api' | 'automation' | 'dashboard';
  readonly currency: string;
  readonly initialValue: Minor;
  readonly balance: Minor;
  /** Everything ever loaded: the initial value and every top-up. */
  readonly totalIssued: Minor;
  readonly status: CardStatus;
  readonly recipientName: string | null;
  readonly recipientEmailAddress: string | null;
  readonly buyerName: string | null;
  readonly buyerEmailAddress: string | null;
  readonly giftMessage: string | null;
  readonly shouldSendNotification: boolean;
  readonly sendAsGift: boolean;
  /** Times are milliseconds since 1970, UTC. */
  readonly giftScheduledFor: Timestamp | null;
  readonly disableEmails: boolean;
  readonly isPromotional: boolean;
  readonly customField1: string | null;
  readonly customField2: string | null;
  readonly customField3: string | null;
  readonly notes: string | null;
  readonly uniqueId: string | null;
  readonly expiresAt: Timestamp | null;
  readonly createdAt: Timestamp;
  /** When it was issued, adjusted, voided, expired, deleted or changed in the dashboard; background work is not an update (list.update-by-*). */
  readonly updatedAt: Timestamp;
  /** Only the dashboard deletes a card (gift-card.deleted-by), which keeps the status that it had (gift-card.deleted-shown-as). */
  readonly deletedAt: Timestamp | null;
  readonly voidedAt: Timestamp | null;
  readonly batchId: string | null;
  readonly campaignId: string | null;
  readonly automationId: string | null;
  readonly apiEventName: string | null;
  readonly apiEventProperties: Readonly<Record<string, string>> | null;
}

/** When a card gets its balance reminder (emails.reminder-when); null when it never does. `days` is the account's setting. */
export function reminderMoment({ updatedAt }: CardRecord, days: number | null): number | null {
  const moment = days === null ? Number.POSITIVE_INFINITY : updatedAt + days * DAY;
  return moment <= LAST_MOMENT ? moment : null;
}

export interface AdjustmentRecord {
  readonly id: Guid;
  readonly cardId: string;
  readonly amount: Minor;
  readonly type: 'TopUp' | 'Redemption' | 'Void';
  readonly notes: string | null;
  readonly actionedAt: Timestamp;
  readonly createdAt: Timestamp;
  /** Null for adjustments made elsewhere than through the API. */
  readonly uniqueAdjustmentId: string | null;
  /** An order is one in a sales channel, of which the service hears. */
  readonly madeThrough: 'api' | 'dashboard' | 'order';
}

export interface WebhookRecord {
  readonly id: string;
  readonly url: Url;
  readonly description: string | null;
  readonly token: string | null;
  readonly createdAt: Timestamp;
  /** Failed deliveries over its lifetime; never goes down. */
  readonly failures: Count;
  readonly enabled: boolean;
}

export interface AutomationRecord {
  readonly id: Guid;
  readonly name: string;
  readonly trigger: 'ApiEvent' | 'Other';
  readonly eventName: string;
  readonly amount: Minor;
  readonly active: boolean;
  readonly usageLimit: Count | null;
  readonly uses: Count;
  readonly emailSubject: string;
  readonly emailText: string;
}

/** What unique values are of: a card's uniqueId, an adjustment's uniqueAdjustmentId. */
export type UniqueKind = 'card' | 'adjustment';

/** A unique value of a request that was refused, where such a one is used up (idempotency.refused-request). */
export interface RefusedValueRecord {
  readonly kind: UniqueKind;
  readonly value: string;
  readonly at: Timestamp;
}

/** That an automation ran with a key; `id` joins both, so that a repeat is found by its own name. */
export interface AutomationKeyRecord {
  readonly id: string;
  readonly at: Timestamp;
}

/** The id of an AutomationKeyRecord. */
export function automationKey(automationId: string, key: string): string {
  return `${automationId} ${key}`;
}

export interface CouponRecord {
  readonly id: Guid;
  readonly code: string;
  readonly discountType: 'Percentage' | 'FixedAmount';
  readonly discountValue: Price;
  readonly startsAt: Timestamp | null;
  readonly endsAt: Timestamp | null;
  readonly usageLimit: Count | null;
  readonly isActive: boolean;
}

/** A card as one sales channel has it. */
export interface ListingRecord {
  readonly channelId: string;
  readonly cardId: string;
  readonly sourceId: string;
  readonly balance: Minor;
  readonly state: 'synced' | 'sync-error';
  readonly error: string | null;
}

/** A line of a card's timeline, which only the dashboard shows. */
export interface TimelineRecord {
  readonly cardId: string;
  readonly at: Timestamp;
  readonly text: string;
}
