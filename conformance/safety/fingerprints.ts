import { createHash } from 'node:crypto';
import type { Target } from '../core/target.ts';
import type { AccountName } from './entries.ts';

/**
 * What is left on an account can be taken away with that account's key and with no other: to any other, it looks as if it had never been. So the
 * ledger says of each key which one it was, and not what it is.
 */

/** The keys that a command has. */
export type Keys = Pick<Target, 'key' | 'profile'>;

export type Fingerprints = Partial<Record<AccountName, string>>;

const profiled = ['secondKey', 'deletedKey', 'basicKey'] as const;

const held = ({ key, profile }: Keys): [AccountName, string][] => [
  ['key', key],
  ...profiled.flatMap((name): [AccountName, string][] => (profile[name] === undefined ? [] : [[name, profile[name]]])),
];

const fingerprint = (target: string, key: string): string =>
  createHash('sha256').update(`${target}\n${key}`).digest('hex').slice(0, 12);

export function fingerprints(target: string, keys: Keys): Fingerprints {
  return Object.fromEntries(held(keys).map(([name, key]) => [name, fingerprint(target, key)]));
}

/** The key of an account of that run, undefined for the one that is used anyway. What a key of nobody asked for is looked up with the run's own. */
export function keyOf(
  account: AccountName,
  { target, keys }: { readonly target: string; readonly keys: Fingerprints },
  given: Keys | undefined,
): { key: string | undefined; outOfReach?: true } {
  const wanted = keys[account === 'other' ? 'key' : account];
  const found = given && held(given).find(([, key]) => fingerprint(target, key) === wanted);
  if (!found) return { key: undefined, outOfReach: true };
  return { key: found[0] === 'key' ? undefined : found[1] };
}
