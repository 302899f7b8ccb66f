import type { Profile, Target } from '../core/target.ts';

/**
 * asked: it may exist · doubted: the request was refused, and nothing was looked up yet · created: the service confirmed it ·
 * refused: it never existed · gone: it existed and no longer does.
 */
export type State = 'asked' | 'doubted' | 'created' | 'refused' | 'gone';

/** The account of an entry, by the profile entry that has its key. `other`: a key of no profile entry. */
export type AccountName = 'key' | (typeof profileKeys)[number] | 'other';

/** The entries of a profile whose keys may create something. */
export const profileKeys = ['secondKey', 'deletedKey', 'basicKey'] as const satisfies (keyof Profile)[];

export type Keys = Pick<Target, 'key' | 'profile'>;

interface StoredCommon {
  readonly number: number;
  readonly account: AccountName;
  /** The time of the request in milliseconds since 1970. */
  readonly sent?: number;
  /** A value that no other record has: the first custom field of a card whose code the service chooses, or the description of a webhook. */
  readonly mark?: string;
}

export interface StoredCard extends StoredCommon {
  readonly kind: 'card';
  /** The name in reports: card#1. */
  readonly name: string;
  /** Empty while the service has not returned the code that it chose. */
  code: string;
  /** The recipient of an event that issues the cards. */
  readonly recipient?: string;
  /** True if the run made up the code. Under any other code, only a card that is known to be the run's is voided. */
  readonly own: boolean;
}

/** A webhook. It is deleted by the id that the list shows or that its creation returned. */
export interface StoredRecord extends StoredCommon {
  readonly kind: 'record';
  readonly what: 'webhook';
  /** A value that only this webhook of the list has. */
  readonly url: string;
}

/** The part of an entry that changes. */
export interface EntryStatus {
  state: State;
  /** Status of the last answer to the creating request. */
  answered?: number;
  code?: string;
  id?: string | number;
  /** True if a list has shown the webhook, so that a list without the webhook proves that it is gone. */
  shown?: boolean;
}

interface InMemory {
  /** Undefined: the run's own key. */
  readonly key: string | undefined;
  /** True if the entry was read from disk and its key is not available. */
  readonly outOfReach?: true;
  /** Why the last sweep left the entry, without codes. */
  why?: string;
}

/** What a run created on a target. */
export type Entry = CardEntry | RecordEntry;
export type CardEntry = StoredCard & EntryStatus & InMemory;
export type RecordEntry = StoredRecord & EntryStatus & InMemory;

export const isCard = (entry: Entry): entry is CardEntry => entry.kind === 'card';
export const isRecord = (entry: Entry): entry is RecordEntry => entry.kind === 'record';

/** Reports whether an entry may still exist on the target. */
export const isPending = ({ state }: { state: State }): boolean => state !== 'refused' && state !== 'gone';

/** Returns how many cards a run created and voided, and the names of those that may still exist. */
export function countCards(entries: readonly Entry[]): { created: number; voided: number; left: string[] } {
  const cards = entries.filter(isCard);
  return {
    created: cards.filter(({ state }) => state !== 'refused').length,
    voided: cards.filter(({ state }) => state === 'gone').length,
    left: cards.filter(isPending).map(({ name }) => name),
  };
}

/** Returns the value that finds an entry on the target: its code or URL, its recipient or its mark. */
export const locatorOf = (entry: Entry): string =>
  entry.kind === 'card' ? entry.code || (entry.recipient ?? entry.mark ?? '') : entry.url;

/** Returns a text by which a user finds an entry by hand. */
export function describeEntry(entry: Entry): string {
  if (entry.kind === 'record') return `webhook ${entry.url}`;
  if (entry.code !== '') return `${entry.name} ${entry.code}`;
  return `${entry.name} ${entry.recipient === undefined ? 'with custom field 1 =' : 'issued to'} ${locatorOf(entry)}`;
}

/** Returns why an entry is left, without codes. */
export function reasonOf({ outOfReach, account, why = 'not looked up yet' }: Entry): string {
  const key = account === 'other' ? 'key' : account;
  return outOfReach ? `created with another ${key} than the one given; set that one` : why;
}

/** Returns the names of entries that may still exist, without codes: one text for each reason. */
export function describeLeft(entries: readonly Entry[]): [names: string, reason: string][] {
  const left = entries.filter(isPending);
  return [...new Set(left.map(reasonOf))].map((reason) => {
    const [first, ...others] = left.filter((entry) => reasonOf(entry) === reason);
    const name = first?.kind === 'card' ? first.name : `webhook ${first?.url}`;
    return [others.length > 0 ? `${name} and ${others.length} more` : name, reason];
  });
}
