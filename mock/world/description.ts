import type * as described from './generated/described.ts';
import type * as filled from './generated/filled.ts';

/** Descriptions as people write them, where almost everything may be left out. */
export type WorldFile = described.World;
export type AccountFile = described.Account;

/** Descriptions as the mock reads them: the schema's defaults are filled in. */
export type World = { readonly accounts: readonly Account[] };
export type Account = filled.Account & { readonly id: string; readonly keys: readonly Key[] };
export type Key = filled.Key;
export type Channel = filled.Channel;
export type Automation = filled.Automation;
export type Card = filled.Card;
export type InChannel = filled.InChannel;
export type Adjustment = filled.Adjustment;
export type Webhook = filled.Webhook;
export type Coupon = filled.Coupon;
