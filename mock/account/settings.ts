import type { Timestamp } from '../state/value-types.ts';

export interface ApiKey {
  readonly key: string;
  readonly description: string;
  readonly deleted: boolean;
  /** The time on the account's clock; null if the key is not deleted, or if the world describes the key as deleted. */
  readonly deletedAt: Timestamp | null;
}

/** A sales channel connected to the account. The service's API calls a channel's ID the account platform ID. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  /** The codes that the channel takes, as a regular expression over the whole code. */
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
  /** BCP 47 tag in which amounts are formatted, e.g. en-US. */
  readonly locale: string;
  readonly country: string;
  readonly email: string;
  readonly website: string;
  /** Days of 24 hours after which new cards without an expiry expire; null for never. */
  readonly defaultExpiryDays: number | null;
  /** The format of generated codes: `X` is a letter or digit, `#` is a digit, other characters are literal. */
  readonly codeFormat: string;
  /** Days without use after which a balance reminder is sent; null for never. */
  readonly reminderAfterDays: number | null;
  /** Cards per month in the allowance; null for no limit. */
  readonly monthlyAllowance: number | null;
  readonly channels: readonly Channel[];
}
