import { UsageError } from '../../command-line/usage-error.ts';
import type { Override } from '../../openapi/effective/overrides.ts';

/** What a target offers in addition to URL and key. Everything is optional; clauses that need a missing entry are untested. */
export interface Profile {
  /** The environment variable with the key of the run (default: GIFTCARD_API_KEY). */
  keyEnv?: string;
  /** A key of another account. @secret */
  secondKey?: string;
  /** A key that was deleted. @secret */
  deletedKey?: string;
  /** A key of an account on a plan without API access. @secret */
  basicKey?: string;
  /** A key of an account on the plan Pro; it may be the run's own. @secret */
  proKey?: string;
  /** A key of an account on the plan Plus. @secret */
  plusKey?: string;
  /** A key of an account on the plan Enterprise. @secret */
  enterpriseKey?: string;
  /** The description of the run's key on its account. */
  keyDescription?: string;
  /** The code of a voucher on the key's account with a balance. @secret */
  voucherCode?: string;
  /** The code of an Expired card on the key's account. @secret */
  expiredCode?: string;
  /** The code of a Redeemed card. @secret */
  redeemedCode?: string;
  /** The code of a Scheduled card, whose gift is due in at least two weeks if the run may move the clock. @secret */
  scheduledCode?: string;
  /** The code of a card that was deleted in the dashboard. @secret */
  deletedCode?: string;
  /** The code of a store credit. @secret */
  storeCreditCode?: string;
  /** The run may void the expired, the scheduled and the voucher card above. This cannot be undone. */
  mayVoidFixtures?: boolean;
  /** A Scheduled card that expires days before its gift is due. The run advances the clock past its expiry. */
  expiringGift?: DueCard;
  /** The account's code format, as a regular expression. */
  generatedCodePattern?: string;
  /** The account's default expiry in days after creation; 0: cards do not expire. */
  defaultExpiryDays?: number;
  /** The default expiry of the account of secondKey. */
  secondDefaultExpiryDays?: number;
  /** Domain of the run's recipients and buyers, in place of example.com. Mail to it must reach no person. */
  recipientDomain?: string;
  /** Amounts of up to a thousand million may be used: no card of this target is money. */
  playMoney?: boolean;
  /** The target has no rate limit, so that checks with many requests may run. */
  noRateLimit?: boolean;
  /** The times that the target shows are those that it compares, so that `since` can be tested exactly. */
  timesShownExactly?: boolean;
  /** An event that runs automations of the account. */
  automationEvent?: AutomationEvent;
  /** The name of an event that runs an automation of the account of secondKey. */
  secondAutomationEvent?: string;
  /** An event whose only automation has reached its usage limit, or reaches it with one more event. */
  usedUpAutomationEvent?: string;
  /** A card and its ID in a sales channel. */
  channelCard?: ChannelCardEntry;
  /** How to move the target's clock. */
  clock?: ClockControl;
  /** Where the suite receives deliveries. Default: 127.0.0.1. */
  receiver?: {
    /** HOST:PORT to listen at; port 0 is any free one. */
    readonly listen?: string;
    /** The URL by which the target reaches it. */
    readonly url?: string;
  };
}

interface ChannelCardEntry {
  /** The card's code in the service. @secret */
  readonly code: string;
  /** Its ID in the channel. @secret */
  readonly sourceId: string;
  /** The channel's own ID on the account. */
  readonly source?: string;
  /** The names of the two query parameters, if they are known. Default: likely names are tried. */
  readonly parameters?: {
    /** Of the channel's ID. */
    readonly platform: string;
    /** Of the card's ID in the channel. */
    readonly source: string;
  };
}

export interface DueCard {
  /** The card's code. @secret */
  readonly code: string;
  /** Days from now until it is due, at most. */
  readonly dueInDays: number;
}

export interface AutomationEvent {
  /** The value of event_name. */
  readonly name: string;
  /** The automation's own amount. */
  readonly amount: number;
  /** Number of active automations with this trigger and event name. Default: 1. */
  readonly automations?: number;
  /** Whether an inactive automation has the same event name. */
  readonly hasInactive?: boolean;
  /** Whether an automation with another trigger has the same event name. */
  readonly hasOtherTrigger?: boolean;
}

/**
 * A request that advances the target's clock. `{seconds}` and `{duration}` (ISO 8601) in its texts are replaced. A body value of exactly "{seconds}" becomes
 * a number; a url that starts with a slash is below the target's URL.
 */
export interface ClockControl {
  /** The request that advances the clock. */
  readonly advance: ClockRequest;
}

interface ClockRequest {
  /** The request's method. */
  readonly method: string;
  /** A URL, or a path of the target. */
  readonly url: string;
  /** Its headers. @secret */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its JSON body. */
  readonly body?: unknown;
}

/** The profile, with a receiver if the target is in this process or on this machine. */
export function withReceiver({ url, fetch, profile }: Pick<Target, 'url' | 'fetch' | 'profile'>): Profile {
  const isNear = fetch !== undefined || isLoopback(new URL(url).hostname);
  return profile.receiver || !isNear ? profile : { ...profile, receiver: {} };
}

export type Need = keyof Profile;

/** Handles a request without a socket: the mock, or a team's own handler. `odd`: deliberately outside the contract. */
export type InProcessFetch = (request: Request, about: { readonly odd: boolean }) => Promise<Response>;

export interface Target {
  /** Base URL without a trailing slash; paths of the contract (/api/…) are appended. */
  url: string;
  key: string;
  profile: Profile;
  /** Known differences from the contract; their names are tried first. */
  overrides?: readonly Override[];
  fetch?: InProcessFetch;
  /** Highest rate of the run in requests per minute. Default: no limit. */
  ratePerMinute?: number;
  /** Milliseconds after which a request without an answer has surely been carried out. Default for a remote target: a minute. */
  lateAfter?: number;
}

/** Normalizes a target's base URL. Throws UsageError if it is not http(s), or plain http to another machine, which would expose the key. */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`The target "${text}" is not an http or https URL. Give one such as http://127.0.0.1:8460.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The target URL must not contain a user, a password, a query or a fragment. Give the base URL alone.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `The target ${url.origin} is not on this machine, and plain http would expose the key. Give its https URL.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Whether the base URL names this machine. */
export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname);

/** Whether a host name of a URL can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
