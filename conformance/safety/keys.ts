import { createHash } from 'node:crypto';
import { type AccountName, type Keys, profileKeys } from './entries.ts';

// Entries of an account can be cleaned up only with its key; to another key they look as if they never existed. So the ledger identifies each key by a
// fingerprint, without storing it.

export type Fingerprints = Partial<Record<AccountName, string>>;

const keysByAccount = ({ key, profile }: Keys): [AccountName, string][] => [
  ['key', key],
  ...profileKeys.flatMap((name): [AccountName, string][] => (profile[name] === undefined ? [] : [[name, profile[name]]])),
];

/** The account that a request with this key belongs to; undefined is the target's own key. */
export function accountOf(key: string | undefined, keys: Keys): AccountName {
  if (key === undefined) return 'key';
  return keysByAccount(keys).find(([, each]) => each === key)?.[0] ?? 'other';
}

const fingerprint = (target: string, key: string): string =>
  createHash('sha256').update(`${target}\n${key}`).digest('hex').slice(0, 12);

export function fingerprints(target: string, keys: Keys): Fingerprints {
  return Object.fromEntries(keysByAccount(keys).map(([name, key]) => [name, fingerprint(target, key)]));
}

/** The key for entries of an account of a run; undefined is the target's own key, which also looks up what an unknown key requested. */
export function keyOf(
  account: AccountName,
  { target, keys }: { readonly target: string; readonly keys: Fingerprints },
  given: Keys | undefined,
): { key: string | undefined; outOfReach?: true } {
  const wanted = keys[account === 'other' ? 'key' : account];
  const found = given && keysByAccount(given).find(([, key]) => fingerprint(target, key) === wanted);
  if (!found) return { key: undefined, outOfReach: true };
  return { key: found[0] === 'key' ? undefined : found[1] };
}
