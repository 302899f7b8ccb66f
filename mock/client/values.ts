import type { components } from '../../openapi/generated/types.ts';
import type { Reply } from '../control/operation-types.ts';

/** What goes over the wire by default, and what the control API hands out, under names of their own. Behaviors that change the wire change no type. */

type Wire = components['schemas'];
export type GiftCard = Wire['GiftCard'];
export type CreateGiftCardRequest = Wire['CreateGiftCardRequest'];
export type GiftCardList = Wire['GiftCardList'];
export type Adjustment = Wire['Adjustment'];
export type AdjustmentHistory = Wire['AdjustmentHistory'];
export type WebStoreCoupon = Wire['WebStoreCoupon'];
/** The JSON of a delivery, as a receiver parses it once it has verified the signature. */
export type WebhookDelivery = Wire['WebhookDelivery'];

export type Fault = Reply<'setFault'>;
/** Of one account; a snapshot of everything is what `snapshot()` of a mock or a connected sandbox resolves with. */
export type Snapshot = Reply<'getAccountSnapshot'>;
