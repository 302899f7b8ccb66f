import { UsageError } from '../../command-line/usage-error.ts';
import type { Row } from '../../openapi/effective/rows.ts';

/** What a target offers beyond URL and key. Everything is optional; what is missing is reported as untested. */
export interface Profile {
  /** A key of another account. @secret */
  secondKey?: string;
  /** A key that was deleted. @secret */
  deletedKey?: string;
  /** A key of an account on a plan without API access. @secret */
  basicKey?: string;
  /** A key of an account on the plan Pro; it may be the run's own. @secret */
  proKey?: string;
  /** The same on the plan Plus. @secret */
  plusKey?: string;
  /** The same on the plan Enterprise. @secret */
  enterpriseKey?: string;
  /** What the run's key is called on its account. */
  keyDescription?: string;
  /** The code of a voucher on the key's account that still holds something. @secret */
  voucherCode?: string;
  /** The code of an Expired card on the key's account. @secret */
  expiredCode?: string;
  /** The code of a Redeemed card. @secret */
  redeemedCode?: string;
  /** The code of a Scheduled card, whose moment is at least two weeks away where the run may move a clock. @secret */
  scheduledCode?: string;
  /** The code of a card that was deleted in the dashboard. @secret */
  deletedCode?: string;
  /** The code of a store credit. @secret */
  storeCreditCode?: string;
  /** A deleted card besides, which the run may use up: it asks for its code once more, and may void it. @secret */
  spareDeletedCode?: string;
  /** The recipient's address of the card of deletedCode. @secret */
  deletedRecipient?: string;
  /** The run may void the expired, the scheduled and the voucher card above for good, which uses them up for other checks and later runs. */
  mayVoidFixtures?: boolean;
  /** A Scheduled card whose gift can reach nobody, and when the gift's moment comes. The run lets it come, as it does with the next two. */
  unreachableGift?: DueCard;
  /** A Scheduled card that expires days before its gift's moment, and when it does. */
  expiringGift?: DueCard;
  /** A deleted card whose expiry is still to come, and when it does. */
  expiringDeletedCard?: DueCard;
  /** A code format that the account generates from, as a regular expression. */
  generatedCodePattern?: string;
  /** Days after creation at which a card without an expiry of its own expires on this account; 0 when it never does. */
  defaultExpiryDays?: number;
  /** The same of the account of secondKey. */
  secondDefaultExpiryDays?: number;
  /** Where recipients and buyers of the run have their addresses, in place of example.com; what is sent there has to reach nobody. */
  recipientDomain?: string;
  /** Cards and adjustments of a thousand million may be asked for: no card of this target is money. */
  playMoney?: boolean;
  /** The target says that it limits no rate, so that checks with many requests may run. */
  noRateLimit?: boolean;
  /** The target says that the times it shows are the times it compares, so that `since` can be judged to the instant. */
  timesShownExactly?: boolean;
  /** An event that automations of the account run at. */
  automationEvent?: AutomationEvent;
  /** The name of an event that an automation of the account of secondKey runs at. */
  secondAutomationEvent?: string;
  /** An event whose only automation has a usage limit that is used up, or that a single event uses up. */
  usedUpAutomationEvent?: string;
  /** A card by the ID that a sales channel gave it. */
  channelCard?: ChannelCardEntry;
  /** The card of deletedCode by the ID that a sales channel gave it. */
  deletedChannelCard?: {
    /** Its ID in the channel. @secret */
    readonly sourceId: string;
    /** The channel's own ID on the account. */
    readonly source: string;
  };
  /** How the target's clock is moved, where it can be. */
  clock?: ClockControl;
  /** Where the suite receives deliveries (HOST:PORT), and under which address the target reaches it; each is 127.0.0.1 where it is not said. */
  receiver?: {
    /** HOST:PORT; port 0 is any free one. */
    readonly listen?: string;
    /** The address by which the target reaches that. */
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
  /** The names of the two query parameters, where they are known; otherwise likely ones are tried. */
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
  /** Days from now after which it is over at the latest. */
  readonly dueInDays: number;
}

export interface AutomationEvent {
  /** What event_name has to say. */
  readonly name: string;
  /** What the automation gives where the event names no amount. */
  readonly amount: number;
  /** How many active automations with this trigger and event name there are; 1 when it is not said. */
  readonly automations?: number;
  /** Whether there is one more of that event name that is switched off. */
  readonly hasInactive?: boolean;
  /** Whether there is one more of that event name with another trigger. */
  readonly hasOtherTrigger?: boolean;
}

/**
 * A request that advances the target's clock: `{seconds}` and `{duration}` (ISO 8601) in its texts say by how much. A body entry that is "{seconds}" and
 * nothing else becomes a number; a url that starts with a slash is under the target's own.
 */
export interface ClockControl {
  /** Lets time pass. */
  readonly advance: ClockRequest;
  /** Makes the clock stand still. */
  readonly stop?: ClockRequest;
  /** Lets it go on. */
  readonly go?: ClockRequest;
}

interface ClockRequest {
  /** The request's method. */
  readonly method: string;
  /** Where it goes: a URL, or a path of the target itself that begins with a slash. */
  readonly url: string;
  /** Its headers. @secret */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent as JSON. */
  readonly body?: unknown;
}

/** The profile, and a receiver besides where the target is in this process or on this machine and so reaches what listens here. */
export function withReceiver({ url, fetch, profile }: Pick<Target, 'url' | 'fetch' | 'profile'>): Profile {
  const isNear = fetch !== undefined || isLoopback(new URL(url).hostname);
  return profile.receiver || !isNear ? profile : { ...profile, receiver: {} };
}

export type Need = keyof Profile;

/** How an exchange without a socket is made: startMock() of a server under test, or a worker's own handler. It is told which requests are odd on purpose. */
export type InProcessFetch = (request: Request, about: { readonly odd: boolean }) => Promise<Response>;

export interface Target {
  /** Base URL without a slash at the end. Paths of the contract, which start with /api/, are appended to it. */
  url: string;
  key: string;
  profile: Profile;
  /** How its wire is known to differ from the contract; a name of it is tried before any other. */
  wire?: readonly Row[];
  fetch?: InProcessFetch;
  /** Requests per minute that the run keeps to; without it, as fast as the target answers. */
  ratePerMinute?: number;
  /** Milliseconds after which a request that had no answer has surely done what it does; a minute where the target is on another machine. */
  lateAfter?: number;
}

/** Normalises a target's base URL. Throws UsageError for what is no http(s) URL, and for plain http to another machine, which would show the key to everybody on the way. */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`The target "${text}" is not an http or https URL. Give one such as http://127.0.0.1:8460.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The target URL must not carry a user, a password, a query or a fragment. Give the base URL alone.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `The target ${url.origin} is not on this machine, and plain http would show the key on the way. Give its https URL.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Whether the base URL is of this machine, where nothing costs anything. */
export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname);

/** Whether a host name as a URL has it can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
