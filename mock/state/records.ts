import type { components } from '../../openapi/generated/types.ts';
import type { Count, Guid, Minor, Price, Timestamp, Url } from './value-types.ts';

/** Records are values. A change replaces a record, and never modifies a record. */

export type CardStatus = components['schemas']['GiftCardStatus'];

export interface CardRecord {
  readonly id: Guid;
  readonly code: string;
  /** A voucher can only be redeemed in full, and cannot be adjusted. */
  readonly kind: 'gift-card' | 'voucher' | 'store-credit';
  readonly issuedThrough: 'api' | 'automation' | 'merchant';
  readonly currency: string;
  readonly initialValue: Minor;
  readonly balance: Minor;
  /** The sum of the initial value and all top-ups. */
  readonly totalIssued: Minor;
  readonly status: CardStatus;
  readonly recipientName: string | null;
  readonly recipientEmailAddress: string | null;
  readonly buyerName: string | null;
  readonly buyerEmailAddress: string | null;
  readonly giftMessage: string | null;
  readonly shouldSendNotification: boolean;
  readonly sendAsGift: boolean;
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
  /** The time of the last update. Background work is not an update (list.update-by-*). */
  readonly updatedAt: Timestamp;
  /** Only the merchant deletes a card (gift-card.deleted-by). A deleted card keeps its status (gift-card.deleted-shown-as). */
  readonly deletedAt: Timestamp | null;
  readonly voidedAt: Timestamp | null;
  readonly batchId: string | null;
  readonly campaignId: string | null;
  readonly automationId: string | null;
  readonly apiEventName: string | null;
  readonly apiEventProperties: Readonly<Record<string, string>> | null;
}

export interface AdjustmentRecord {
  readonly id: Guid;
  readonly cardId: string;
  readonly amount: Minor;
  readonly type: 'TopUp' | 'Redemption' | 'Void';
  readonly notes: string | null;
  readonly actionedAt: Timestamp;
  readonly createdAt: Timestamp;
  /** Null unless the adjustment was made through the API. */
  readonly uniqueAdjustmentId: string | null;
  /** `order` is an order in a sales channel. The channel reports orders to the service. */
  readonly madeThrough: 'api' | 'merchant' | 'order';
}

export interface WebhookRecord {
  readonly id: string;
  readonly url: Url;
  readonly description: string | null;
  readonly token: string | null;
  readonly createdAt: Timestamp;
  /** The number of failed deliveries in the webhook's lifetime. This number never decreases. */
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

/** `card` means a uniqueId, `adjustment` a uniqueAdjustmentId. */
export type UniqueKind = 'card' | 'adjustment';

/** A unique value that a refused request used up (idempotency.refused-request). */
export interface RefusedValueRecord {
  readonly kind: UniqueKind;
  readonly value: string;
  readonly at: Timestamp;
}

/** Records that an automation ran with an idempotency key. */
export interface AutomationKeyRecord {
  readonly id: string;
  readonly at: Timestamp;
}

export function automationKey(automationId: string, key: string): string {
  return `${automationId} ${key}`;
}

export interface CouponRecord {
  readonly id: Guid;
  readonly code: string;
  readonly discountType: components['schemas']['DiscountType'];
  readonly discountValue: Price;
  readonly startsAt: Timestamp | null;
  readonly endsAt: Timestamp | null;
  readonly usageLimit: Count | null;
  readonly isActive: boolean;
}

export interface ListingRecord {
  readonly channelId: string;
  readonly cardId: string;
  readonly sourceId: string;
  readonly balance: Minor;
  readonly state: 'synced' | 'sync-error';
  readonly error: string | null;
}

/** A line of a card's timeline, which only the merchant sees. */
export interface TimelineRecord {
  readonly cardId: string;
  readonly at: Timestamp;
  readonly text: string;
}

export interface Tables {
  cards: CardRecord;
  adjustments: AdjustmentRecord;
  webhooks: WebhookRecord;
  automations: AutomationRecord;
  automationKeys: AutomationKeyRecord;
  refusedValues: RefusedValueRecord;
  coupons: CouponRecord;
  listings: ListingRecord;
  timeline: TimelineRecord;
}
