import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import type * as filled from './generated/filled.ts';

export type { WorldFile } from './generated/described.ts';

/** Descriptions with the schema's defaults. */
export type World = { readonly accounts: readonly FilledAccount[] };
export type FilledAccount = filled.Account & { readonly id: string; readonly keys: readonly Key[] };
export type Key = filled.Key;
export type FilledAutomation = filled.Automation;
export type FilledCard = filled.Card;
export type FilledAdjustment = filled.Adjustment;
export type FilledWebhook = filled.Webhook;
export type Coupon = filled.Coupon;

/** A world file, or the description of an account or a card, is not valid. */
export class WorldFileError extends UnusableInput {
  override readonly name = 'WorldFileError';
}

/** Adds the defaults that the schema cannot express: IDs by position, and keys by ID. */
export function withDefaultNames(world: filled.World): World {
  return { accounts: world.accounts.map((account, index) => withName(account, index === 0 ? 'main' : `account-${index + 1}`)) };
}

/** Adds this ID to an account without an ID, and a key to an account without keys. */
export function withName(account: filled.Account, id: string): FilledAccount {
  const named = account.id ?? id;
  return { ...account, id: named, keys: account.keys ?? [keyFor(named)] };
}

/** Returns a key that no real account can have. */
export function keyFor(accountId: string): Key {
  return { key: `sandbox-key-${accountId}-not-a-real-key`, description: 'Sandbox key', deleted: false };
}
