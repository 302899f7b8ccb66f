import type { Timestamp } from '../state/value-types.ts';

export interface ApiKey {
  readonly key: string;
  readonly description: string;
  readonly deleted: boolean;
  /** On the account's clock; null for keys that are not deleted, and for keys that a world describes as deleted. */
  readonly deletedAt: Timestamp | null;
}

export type Plan = 'Basic' | 'Pro' | 'Plus' | 'Enterprise';

/** A sales channel connected to the account. Its id is what the API calls the account platform ID. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  /** The codes that the channel takes, as a regular expression over the whole code. */
  readonly acceptsCodes: string;
}

/** What the dashboard would show under an account's settings. */
export interface Settings {
  readonly name: string;
  readonly plan: Plan;
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
  /** Days of 24 hours after which new cards expire, unless they say otherwise; null for never. */
  readonly defaultExpiryDays: number | null;
  /** How generated codes look: `X` a letter or digit, `#` a digit, anything else itself. */
  readonly codeFormat: string;
  /** Days without use after which a balance reminder is sent; null for never. */
  readonly reminderAfterDays: number | null;
  /** Cards that the monthly allowance holds; null when it is not limited. Never refuses a card. */
  readonly monthlyAllowance: number | null;
  readonly channels: readonly Channel[];
}
