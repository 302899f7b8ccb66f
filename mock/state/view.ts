import type { LetterCase } from './by-name.ts';
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

/** What the domain may see of an account's state: look-ups, no way to write. */
export interface View {
  card(id: string): CardRecord | undefined;
  /** All of them, deleted ones too, in the order in which they came. For looks at the whole account; no request may need it. */
  cards(): Iterable<CardRecord>;
  /** The card that this code was given to last, voided and deleted ones too. */
  cardByCode(code: string, letterCase?: LetterCase): CardRecord | undefined;
  /** In any letter case, the last updated first. */
  cardsByRecipient(emailAddress: string): readonly CardRecord[];
  /** The card that was last created with it. */
  cardByUniqueId(uniqueId: string): CardRecord | undefined;
  cardBySource(channelId: string, sourceId: string): CardRecord | undefined;
  /** At most `length` cards by their last update, the latest first, from `position` on; deleted ones only when asked for. It costs the same wherever it begins. */
  newest(position: number, length: number, includeDeleted: boolean): readonly CardRecord[];
  count(includeDeleted: boolean): number;
  /** Cards issued strictly after `moment`, the last updated first; deleted ones only when asked for. It costs as much as there are. */
  issuedAfter(moment: number, includeDeleted: boolean): readonly CardRecord[];
  /** The last one made with it. */
  adjustmentByUniqueId(uniqueAdjustmentId: string): AdjustmentRecord | undefined;
  /** Whether a refused request used the value up (idempotency.refused-request). */
  isUsedByRefusal(kind: UniqueKind, value: string): boolean;
  /** In the order in which they were recorded. */
  adjustmentsOf(cardId: string): readonly AdjustmentRecord[];
  timelineOf(cardId: string): readonly TimelineRecord[];
  webhook(id: string): WebhookRecord | undefined;
  webhooks(): Iterable<WebhookRecord>;
  automations(): Iterable<AutomationRecord>;
  hasAutomationRun(automationId: string, key: string): boolean;
  coupon(id: string): CouponRecord | undefined;
  coupons(): Iterable<CouponRecord>;
  listing(channelId: string, cardId: string): ListingRecord | undefined;
  /** In the order in which the channels were told of the card. */
  listingsOf(cardId: string): readonly ListingRecord[];
}
