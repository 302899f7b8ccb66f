import { createHash } from 'node:crypto';
import type { Profile, Target } from '../http/target.ts';

/**
 * requested: the record may exist · uncertain: the service refused the request, but no look-up proves yet that nothing was created · created: the service
 * confirmed the creation · refused: the record never existed · gone: the record is removed.
 */
export type EntryState = 'requested' | 'uncertain' | 'created' | 'refused' | 'gone';

/** The account of an entry. key: the account of the run's own key · other: the account of an unknown key. The other names are the profile entries with keys. */
export type AccountName = 'key' | (typeof profileKeys)[number] | 'other';

/** The profile entries with keys that may create something. */
export const profileKeys = ['secondKey', 'deletedKey', 'basicKey'] as const satisfies (keyof Profile)[];

export type TargetKeys = Pick<Target, 'key' | 'profile'>;

interface StoredCommon {
  readonly number: number;
  readonly account: AccountName;
  /** The time of the request in milliseconds since 1970. */
  readonly sent?: number;
  /** A value that no other record has: the first custom field of a card without a code, or the description of a webhook. */
  readonly mark?: string;
}

export interface StoredCard extends StoredCommon {
  readonly kind: 'card';
  /** The name in reports, such as card#1. */
  readonly name: string;
  /** Empty while the service has not returned the code that it chose. */
  code: string;
  /** The recipient of an event. The entry then includes all cards that the event issues. */
  readonly recipient?: string;
  /** True if the run made up the code. If false, another client may have a card with the same code. */
  readonly own: boolean;
}

export interface StoredRecord extends StoredCommon {
  readonly kind: 'record';
  readonly what: 'webhook';
  /** Cleanup finds the webhook in the list by this URL. */
  readonly url: string;
}

export interface EntryStatus {
  state: EntryState;
  /** HTTP status of the last response to the creating request. */
  responseStatus?: number;
  code?: string;
  id?: string | number;
  /** True if a list has shown the webhook. A later list without the webhook then proves the deletion. */
  shown?: boolean;
}

interface InMemory {
  /** Undefined for the run's own key. */
  readonly key: string | undefined;
  /** True if the entry comes from the disk and its key is not available. The run then cannot clean up the entry. */
  readonly outOfReach?: true;
  /** True if a test has voided the card. Cleanup then only looks up the card, to prove the void. */
  voided?: boolean;
  /** The time of the removal by this process, in milliseconds since 1970. */
  removedAt?: number;
  /** The reason why the entry may still exist after the last sweep. Contains no codes. */
  why?: string;
}

export type LedgerEntry = LedgerCard | RecordEntry;
export type LedgerCard = StoredCard & EntryStatus & InMemory;
export type RecordEntry = StoredRecord & EntryStatus & InMemory;

export const isCard = (entry: LedgerEntry): entry is LedgerCard => entry.kind === 'card';
export const isRecord = (entry: LedgerEntry): entry is RecordEntry => entry.kind === 'record';

/** Reports whether an entry may still exist on the target. */
export const isPending = ({ state }: { state: EntryState }): boolean => state !== 'refused' && state !== 'gone';

/** Returns how many cards a run created and voided, and the names of cards that may still exist. */
export function countCards(entries: readonly LedgerEntry[]): { created: number; voided: number; left: string[] } {
  const cards = entries.filter(isCard);
  return {
    created: cards.filter(({ state }) => state !== 'refused').length,
    voided: cards.filter(({ state }) => state === 'gone').length,
    left: cards.filter(isPending).map(({ name }) => name),
  };
}

/** Returns the value that finds an entry on the target: code, URL, recipient or mark. */
export const locatorOf = (entry: LedgerEntry): string =>
  entry.kind === 'card' ? entry.code || (entry.recipient ?? entry.mark ?? '') : entry.url;

/** Returns a text with which a user can find an entry by hand. */
export function describeEntry(entry: LedgerEntry): string {
  if (entry.kind === 'record') return `webhook ${entry.url}`;
  if (entry.code !== '') return `${entry.name} ${entry.code}`;
  return `${entry.name} ${entry.recipient === undefined ? 'with custom field 1 =' : 'issued to'} ${locatorOf(entry)}`;
}

/** Returns the reason why an entry may still exist. Contains no codes. */
export function reasonOf({ outOfReach, account, why = 'not looked up yet' }: LedgerEntry): string {
  const key = account === 'other' ? 'key' : account;
  return outOfReach ? `created with another ${key}; run again with that ${key}` : why;
}

/** Returns the entries that may still exist, grouped by reason. Contains no codes. */
export function describeLeft(entries: readonly LedgerEntry[]): [names: string, reason: string][] {
  const left = entries.filter(isPending);
  return [...new Set(left.map(reasonOf))].map((reason) => {
    const [first, ...others] = left.filter((entry) => reasonOf(entry) === reason);
    const name = first?.kind === 'card' ? first.name : `webhook ${first?.url}`;
    return [others.length > 0 ? `${name} and ${others.length} more` : name, reason];
  });
}

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
