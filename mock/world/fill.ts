import type { Account, Key, World } from './description.ts';
import type * as filled from './generated/filled.ts';

/** Gives the accounts of a checked file what the schema cannot: an id by their position, and a key by their id. */
export function withNames(world: filled.World): World {
  return { accounts: world.accounts.map((account, index) => withName(account, index === 0 ? 'main' : `account-${index + 1}`)) };
}

/** The account with the id that it describes, or the given one. */
export function withName(account: filled.Account, id: string): Account {
  const named = account.id ?? id;
  return { ...account, id: named, keys: account.keys ?? [keyFor(named)] };
}

/** A key of a fixed shape that no real key has. */
export function keyFor(accountId: string): Key {
  return { key: `sandbox-key-${accountId}-not-a-real-key`, description: 'Sandbox key', deleted: false };
}
