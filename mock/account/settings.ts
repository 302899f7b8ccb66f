import type { Timestamp } from '../state/value-types.ts';

export interface ApiKey {
  readonly key: string;
  readonly description: string;
  readonly deleted: boolean;
  /** The time of the deletion on the account's clock. Null if the key is not deleted, or was already deleted in the world file. */
  readonly deletedAt: Timestamp | null;
}

/** A sales channel connected to the account. The service's API calls a channel's ID the account platform ID. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  /** A regular expression. The channel accepts a card only if the whole code matches. */
  readonly acceptsCodes: string;
}

export interface Settings {
  readonly name: string;
  readonly plan: 'Basic' | 'Pro' | 'Plus' | 'Enterprise';
  readonly subscriptionActive: boolean;
  /** ISO 4217, e.g. USD. */
  readonly currency: string;
  /** IANA name, e.g. America/New_York. */
  readonly timeZone: string;
  /** BCP 47 tag of the language for formatted amounts, e.g. en-US. */
  readonly locale: string;
  readonly country: string;
  readonly email: string;
  readonly website: string;
  /** Days of 24 hours after which a new card expires if its request gives no expiry; null for never. */
  readonly defaultExpiryDays: number | null;
  /** The format of generated codes: `X` is a letter or digit, `#` is a digit, other characters are literal. */
  readonly codeFormat: string;
  /** Days without use after which a balance reminder is sent; null for never. */
  readonly reminderAfterDays: number | null;
  /** Cards per month in the allowance; null for no limit. */
  readonly monthlyAllowance: number | null;
  readonly channels: readonly Channel[];
}
