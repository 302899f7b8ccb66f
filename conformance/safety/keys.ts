import { createHash } from 'node:crypto';
import { type AccountName, type LedgerEntry, profileKeys, type TargetKeys } from './entries.ts';

/** Fingerprints of a run's keys. The ledger must identify the keys without storing them. */
export type Fingerprints = Partial<Record<AccountName, string>>;
type RunKeys = { readonly target: string; readonly keys: Fingerprints };

const keysByAccount = ({ key, profile }: TargetKeys): [AccountName, string][] => [
  ['key', key],
  ...profileKeys.flatMap((name): [AccountName, string][] => (profile[name] === undefined ? [] : [[name, profile[name]]])),
];

/** Returns the account of a key. Undefined means the target's own key. */
export function accountOfKey(key: string | undefined, keys: TargetKeys): AccountName {
  if (key === undefined) return 'key';
  return keysByAccount(keys).find(([, each]) => each === key)?.[0] ?? 'other';
}

const fingerprint = (target: string, key: string): string =>
  createHash('sha256').update(`${target}\n${key}`).digest('hex').slice(0, 12);

export const fingerprints = (target: string, keys: TargetKeys): Fingerprints =>
  Object.fromEntries(keysByAccount(keys).map(([name, key]) => [name, fingerprint(target, key)]));

/** Returns the key for entries of an account. Undefined means the target's own key. Entries of the account `other` also get the target's own key, because their key is unknown. */
export function keyOfAccount(
  account: AccountName,
  run: RunKeys,
  given: TargetKeys | undefined,
): Pick<LedgerEntry, 'key' | 'outOfReach'> {
  const wanted = run.keys[account === 'other' ? 'key' : account];
  const found = given && keysByAccount(given).find(([, key]) => fingerprint(run.target, key) === wanted);
  if (!found) return { key: undefined, outOfReach: true };
  return { key: found[0] === 'key' ? undefined : found[1] };
}
