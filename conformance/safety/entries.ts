/** What a run made on a target, as the ledger keeps it: in memory, and as lines on disk. */

/** asked: may be there · doubted: was refused, and nobody has looked yet · created: is there · refused, gone: is not · left: could not be proven gone. */
export type State = 'asked' | 'doubted' | 'created' | 'refused' | 'gone' | 'left';

/** An account by the entry of the profile that holds its key, so that no key is written down; `other` is a key that no profile has. */
export type AccountName = 'key' | 'secondKey' | 'deletedKey' | 'basicKey' | 'other';

interface Common {
  /** Counts the entries of one run. */
  readonly number: number;
  readonly account: AccountName;
  /** The key itself; undefined is that of the run. Never written down. */
  readonly key: string | undefined;
  /** It was read from the disk, and its key is not among those at hand. */
  readonly outOfReach?: true;
  /** When it was asked for, in milliseconds since 1970: without an answer it may be made yet. */
  readonly sent?: number;
  state: State;
  /** The target said that it made it; otherwise it may never have been there. */
  made?: boolean;
  /** The status that asking for it was answered with last. */
  answered?: number;
  /** Why it is left, in words and without codes, as the last sweep of this process saw it. */
  why?: string;
}

export interface CardEntry extends Common {
  readonly kind: 'card';
  /** How reports name it: card#1. */
  readonly name: string;
  /** Empty where the service chooses it and has not told it yet. */
  code: string;
  /** What its first custom field holds and no other card's does, where the service chooses the code. */
  readonly mark?: string;
  /** An address that one event of the run was for and nothing else, where an automation issues the cards. */
  readonly recipient?: string;
  /** No other card can have the code, because the run made it up. What is asked for under any other code is voided only if it is known to be the run's. */
  readonly own: boolean;
  id?: string | number;
  /** A check has voided it, so that a look will do. */
  voided?: boolean;
}

/** Something else that is deleted by the id that a list shows for it, or that its creation was answered with. */
export interface RecordEntry extends Common {
  readonly kind: 'record';
  /** webhook, coupon, … */
  readonly what: string;
  /** Stands in its list record and in no other's: a URL, a code. */
  readonly url: string;
  /** Its description, where that stands in no other's record either: which of the two a list shows is open. */
  readonly mark?: string;
  /** The ID that its creation was answered with. */
  id?: string | number;
  /** A list has shown it, so that one without it says something. */
  shown?: boolean;
  /** Path of the list, and of the deletion, in which {id} stands for the id. */
  readonly list: string;
  readonly remove: string;
  /** Its deletion was asked for, so that it may be gone from the list. */
  removing?: boolean;
}

export type Entry = CardEntry | RecordEntry;

/** What is not known to be gone. */
export const pending = ({ state }: { state: State }): boolean => state !== 'refused' && state !== 'gone';

/** Accounts whose keys the service is to refuse: what was asked for with one of them was most likely never made. */
export const refusedAccounts: ReadonlySet<AccountName> = new Set(['deletedKey', 'basicKey', 'other']);
