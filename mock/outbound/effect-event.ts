import type { Due } from '../account/scheduler.ts';
import type { Count, Timestamp } from '../domain/tagged-types.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import type { Delivery } from './delivery.ts';
import type { Email } from './outbox.ts';
import type { Suppressed } from './suppressed.ts';

/** What caused a change or an effect: a request, a due event of the clock, or an action of the control API. */
export interface Cause {
  /** Per-account sequence number, from 1. */
  readonly id: Count;
  readonly kind: 'request' | 'clock' | 'control';
  /** The operation, the kind of due event, or the control action. */
  readonly what: string;
  readonly at: Timestamp;
}

/** A due event, or an effect that was carried out. A delivery is reported when it is created, and changes until its receiver has answered. */
export type EffectEvent =
  | { readonly kind: 'moment'; readonly cause: Cause; readonly due: Due; readonly card: CardRecord }
  | { readonly kind: 'push'; readonly cause: Cause; readonly card: CardRecord; readonly listings: readonly ListingRecord[] }
  | { readonly kind: 'email'; readonly cause: Cause; readonly email: Email }
  | { readonly kind: 'delivery'; readonly cause: Cause; readonly delivery: Delivery }
  | { readonly kind: 'suppressed'; readonly cause: Cause; readonly suppressed: Suppressed };
