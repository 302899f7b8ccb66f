import type {
  AdjustmentRecord,
  AutomationKeyRecord,
  AutomationRecord,
  CardRecord,
  CouponRecord,
  ListingRecord,
  RefusedValueRecord,
  TimelineRecord,
  WebhookRecord,
} from './records.ts';

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

export type Put = { [T in keyof Tables]: { readonly table: T; readonly put: Tables[T] } }[keyof Tables];

/** Only what the service can forget has a way out: cards are marked as deleted, adjustments stay for ever. */
interface Removal {
  readonly table: 'webhooks' | 'coupons';
  readonly remove: string;
}

/** A change is a value: put a record in the place of the one with its id (or as a new one), or remove it. */
export type Change = Put | Removal;

/** Everything that an account holds, as values: each kind in the order in which it came. */
export type Records = { readonly [T in keyof Tables]: readonly Tables[T][] } & {
  /** The cards by their places, the one updated last at the end. */
  readonly updated: readonly number[];
};
