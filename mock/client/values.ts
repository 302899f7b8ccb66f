import type { components } from '../../openapi/generated/types.ts';
import type { operations } from '../control/generated/types.ts';
import type { Input, Reply } from '../control/operation-types.ts';

/** Types of the standard contract. Variants of the contract do not change these types. */
type Wire = components['schemas'];
export type GiftCard = Wire['GiftCard'];
export type CreateGiftCardRequest = Wire['CreateGiftCardRequest'];
export type GiftCardList = Wire['GiftCardList'];
export type Adjustment = Wire['Adjustment'];
export type AdjustmentHistory = Wire['AdjustmentHistory'];
export type WebStoreCoupon = Wire['WebStoreCoupon'];
export type WebhookDelivery = Wire['WebhookDelivery'];

export type Fault = Reply<'setFault'>;
/** A snapshot of one account, as `account.snapshot()` returns it. */
export type Snapshot = Reply<'getAccountSnapshot'>;

export type Query<Id extends keyof operations> = Partial<Input<Id>['query']>;

/** A Date, or a text in ISO 8601. */
export type Time = string | Date;

/** Throws TypeError for an invalid Date and for other values. */
export function timeText(at: Time): string {
  if (typeof at === 'string') return at;
  if (at instanceof Date && !Number.isNaN(at.getTime())) return at.toISOString();
  throw new TypeError(`A time must be a text such as "2027-01-31T00:00:00Z" or a Date, got ${String(at)}.`);
}
