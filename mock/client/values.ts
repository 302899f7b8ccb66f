import type { components } from '../../openapi/generated/types.ts';
import type { operations } from '../control/generated/types.ts';
import type { Input, Reply } from '../control/operation-types.ts';

/** Types of the service's contract as it is written. Variants of the contract do not change them. */
type Wire = components['schemas'];
export type GiftCard = Wire['GiftCard'];
export type CreateGiftCardRequest = Wire['CreateGiftCardRequest'];
export type GiftCardList = Wire['GiftCardList'];
export type Adjustment = Wire['Adjustment'];
export type AdjustmentHistory = Wire['AdjustmentHistory'];
export type WebStoreCoupon = Wire['WebStoreCoupon'];
/** The JSON of a delivery, as a receiver parses it after it has verified the signature. */
export type WebhookDelivery = Wire['WebhookDelivery'];

export type Fault = Reply<'setFault'>;
/** A snapshot of one account. `snapshot()` of a mock or a connected sandbox returns one of all accounts. */
export type Snapshot = Reply<'getAccountSnapshot'>;

export type Query<Id extends keyof operations> = Partial<Input<Id>['query']>;

/** A time in UTC: ISO 8601, or a Date. */
export type Time = string | Date;

/** Throws TypeError for other values, before anything is sent. */
export function timeText(at: Time): string {
  if (typeof at === 'string') return at;
  if (at instanceof Date && !Number.isNaN(at.getTime())) return at.toISOString();
  throw new TypeError(`A time must be a text such as "2027-01-31T00:00:00Z" or a Date, got ${String(at)}.`);
}
