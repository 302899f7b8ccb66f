import type { LetterCase } from './indexes.ts';
import type {
  AdjustmentRecord,
  AutomationRecord,
  CardRecord,
  CouponRecord,
  ListingRecord,
  TimelineRecord,
  UniqueKind,
  WebhookRecord,
} from './records.ts';

/** The state of an account, read-only. */
export interface View {
  card(id: string): CardRecord | undefined;
  /** All cards in the order of creation, even deleted ones. No request of the service reads them all. */
  cards(): Iterable<CardRecord>;
  /** The last card that got this code, even if it is voided or deleted. */
  cardByCode(code: string, letterCase?: LetterCase): CardRecord | undefined;
  /** In any letter case, the last updated first. */
  cardsByRecipient(emailAddress: string): readonly CardRecord[];
  /** The last card that was created with it. */
  cardByUniqueId(uniqueId: string): CardRecord | undefined;
  cardBySource(channelId: string, sourceId: string): CardRecord | undefined;
  /** At most `length` cards from `position` on, the last updated first. Every position takes the same time. */
  newest(position: number, length: number, includeDeleted: boolean): readonly CardRecord[];
  count(includeDeleted: boolean): number;
  /** Cards issued strictly after a time, the last updated first. The time it takes depends on how many there are. */
  issuedAfter(time: number, includeDeleted: boolean): readonly CardRecord[];
  /** The last adjustment that was made with it. */
  adjustmentByUniqueId(uniqueAdjustmentId: string): AdjustmentRecord | undefined;
  /** Whether a refused request used up the value (idempotency.refused-request). */
  isUsedByRefusal(kind: UniqueKind, value: string): boolean;
  /** In the order of recording. */
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[];
  timelineOf(cardId: string): readonly TimelineRecord[];
  webhook(id: string): WebhookRecord | undefined;
  webhooks(): Iterable<WebhookRecord>;
  automations(): Iterable<AutomationRecord>;
  hasAutomationRun(automationId: string, key: string): boolean;
  coupon(id: string): CouponRecord | undefined;
  coupons(): Iterable<CouponRecord>;
  listing(channelId: string, cardId: string): ListingRecord | undefined;
  /** In the order in which the card was added to the channels. */
  listingsOf(cardId: string): readonly ListingRecord[];
}
