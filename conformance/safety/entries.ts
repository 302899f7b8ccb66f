import { createHash } from 'node:crypto';
import type { Target } from '../core/target.ts';

/** What a run created on a target, in memory and as the ledger stores it. */

/**
 * asked: the request may have left · doubted: refused, not looked up yet · created · refused, gone: proven absent ·
 * left: could not be proven gone.
 */
export type State = 'asked' | 'doubted' | 'created' | 'refused' | 'gone' | 'left';

/** The account an entry belongs to, by the profile entry that holds its key. No key is written to disk. `other`: a key of no profile entry. */
export type AccountName = 'key' | (typeof profileKeys)[number] | 'other';

/** The entries of a profile whose keys may create something. */
export const profileKeys = ['secondKey', 'deletedKey', 'basicKey'] as const;

interface StoredCommon {
  /** Counts the entries of one run. */
  readonly number: number;
  readonly account: AccountName;
  /** When the request was sent, in milliseconds since 1970. Without an answer, the service may still create it. */
  readonly sent?: number;
}

export interface StoredCard extends StoredCommon {
  readonly kind: 'card';
  /** Its name in reports: card#1. */
  readonly name: string;
  /** Empty while the service has not returned the code that it chose. */
  code: string;
  /** Unique value of the first custom field, when the service chooses the code. */
  readonly mark?: string;
  /** Recipient address used by one event of the run only, when an automation issues the cards. */
  readonly recipient?: string;
  /** True when the run made up the code, so that no other card can have it. Under any other code, only a card known to be the run's is voided. */
  readonly own: boolean;
}

/** A record that is deleted by the id that its list shows or that its creation returned. */
export interface StoredRecord extends StoredCommon {
  readonly kind: 'record';
  /** webhook, … */
  readonly what: string;
  /** A value that only this record of the list has: a URL, a code. */
  readonly url: string;
  /** Its description, when no other record has the same. */
  readonly mark?: string;
  /** Path of the list, and of the deletion with {id}. */
  readonly list: string;
  readonly remove: string;
}

/** What is written each time an entry changes. */
export interface EntryStatus {
  state: State;
  /** The service confirmed the creation. */
  made?: boolean;
  /** Status of the last answer to the creating request. */
  answered?: number;
  code?: string;
  id?: string | number;
  /** A list has shown the record, so a list without it is proof. */
  shown?: boolean;
  /** Its deletion was requested, so it may be gone from the list. */
  removing?: boolean;
}

interface InMemory {
  /** The key; undefined is the run's own. */
  readonly key: string | undefined;
  /** True when the entry was read from disk and its key is not available. */
  readonly outOfReach?: true;
  /** Why it is left, without codes, from the last sweep of this process. */
  why?: string;
}

export interface CardEntry extends StoredCard, Omit<EntryStatus, 'code' | 'shown' | 'removing'>, InMemory {
  /** A check has voided it; looking it up is enough. */
  voided?: boolean;
}

export interface RecordEntry extends StoredRecord, Omit<EntryStatus, 'code'>, InMemory {}

export type Entry = CardEntry | RecordEntry;

export const isRecord = (entry: Entry): entry is RecordEntry => entry.kind === 'record';

/** Whether it may still exist on the target. */
export const pending = ({ state }: { state: State }): boolean => state !== 'refused' && state !== 'gone';

/** Accounts whose keys the service refuses: a request with one of them most likely created nothing. */
export const refusedAccounts: ReadonlySet<AccountName> = new Set(['deletedKey', 'basicKey', 'other']);

/** The entry as it is stored when its request is about to be sent. */
export const storedEntry = (entry: Entry) =>
  pick(entry, [
    'kind',
    'number',
    'account',
    'sent',
    'name',
    'code',
    'mark',
    'recipient',
    'own',
    'what',
    'url',
    'list',
    'remove',
  ]) as StoredCard | StoredRecord;

export const entryStatus = (entry: Entry) =>
  pick(entry, ['state', 'made', 'answered', 'id', 'code', 'shown', 'removing']) as EntryStatus;

/** The properties of an entry that have a value. */
const pick = (entry: Entry, names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(entry).filter(([name, value]) => names.includes(name) && value !== undefined));

/** Stores the entries of a run on disk. */
export interface LedgerWriter {
  /** Returns once the entry is flushed to disk. */
  opened(entry: Entry): void;
  changed(entry: Entry): void;
}

/** A card under a code that another client may have chosen proves nothing: it may have existed before. */
export const canBeLookedFor = (entry: Entry) =>
  entry.kind === 'record' || entry.own || entry.mark !== undefined || entry.recipient !== undefined;

// Entries of an account can be cleaned up only with its key; to another key they look as if they never existed. So the ledger identifies each key by a
// fingerprint, without storing it.

/** The keys that a command has. */
export type Keys = Pick<Target, 'key' | 'profile'>;

export type Fingerprints = Partial<Record<AccountName, string>>;

const keysByAccount = ({ key, profile }: Keys): [AccountName, string][] => [
  ['key', key],
  ...profileKeys.flatMap((name): [AccountName, string][] => (profile[name] === undefined ? [] : [[name, profile[name]]])),
];

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
