import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { UsageError } from '../../cli/usage-error.ts';
import { readJson } from '../../cli/user-files.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { type SchemaNode, schemaProblems } from '../../openapi/schema-errors.ts';
import schema from '../generated/profile.schema.json' with { type: 'json' };

/** The keys, cards and events that a target offers to the tests. Rules that need a missing entry are untested. */
export interface Profile {
  /** The environment variable with the key of the run (default: GIFTCARD_API_KEY). */
  keyEnv?: string;
  /** A key of another account. @secret */
  secondKey?: string;
  /** A key that was deleted. @secret */
  deletedKey?: string;
  /** A key of an account on a plan without API access. @secret */
  basicKey?: string;
  /** A key of an account on the plan Pro. It may be the key of the run. @secret */
  proKey?: string;
  /** A key of an account on the plan Plus. @secret */
  plusKey?: string;
  /** A key of an account on the plan Enterprise. @secret */
  enterpriseKey?: string;
  /** The description of the run's key. */
  keyDescription?: string;
  /** The code of a voucher on the key's account with a balance. @secret */
  voucherCode?: string;
  /** The code of an Expired card on the key's account. @secret */
  expiredCode?: string;
  /** The code of a Redeemed card. @secret */
  redeemedCode?: string;
  /** The code of a Scheduled card. If the profile has a clock, the gift must be due in two weeks or later. @secret */
  scheduledCode?: string;
  /** The code of a card that was deleted by the merchant. @secret */
  deletedCode?: string;
  /** The code of a store credit. @secret */
  storeCreditCode?: string;
  /** True if the run may void the expired, the scheduled and the voucher card above. Voids cannot be undone. */
  mayVoidFixtures?: boolean;
  /** Cards that the run voids, to test their deliveries. Voids cannot be undone. */
  cardsToVoid?: {
    /** The code of an Active store credit. @secret */
    readonly storeCreditCode?: string;
    /** The code of an Active card that came from a batch. @secret */
    readonly batchCode?: string;
    /** The code of an Active card that a campaign sent. @secret */
    readonly campaignCode?: string;
  };
  /** A Scheduled card that expires several days before the gift is due. The run advances the clock past the expiry. */
  expiringGift?: {
    /** The card's code. @secret */
    readonly code: string;
    /** The gift is due in at most this number of days from now. */
    readonly dueInDays: number;
  };
  /** The account's code format, as a regular expression. */
  generatedCodePattern?: string;
  /** The account's default expiry in days after creation. With 0, cards do not expire. */
  defaultExpiryDays?: number;
  /** The default expiry of the account of secondKey. */
  secondDefaultExpiryDays?: number;
  /** Domain of the run's recipients and buyers, in place of example.com. Mail to this domain must reach no person. */
  recipientDomain?: string;
  /** True if the cards of this target are not money. Tests may then use amounts of up to a thousand million. */
  playMoney?: boolean;
  /** True if the target has no rate limit. Tests with many requests need this entry or a clock. */
  noRateLimit?: boolean;
  /** True if responses show times without rounding. Only then can the limit of `since` be tested exactly. */
  timesShownExactly?: boolean;
  /** An event that runs automations of the account. */
  automationEvent?: AutomationEvent;
  /** The name of an event that runs an automation of the account of secondKey. */
  secondAutomationEvent?: string;
  /** An event whose only automation has reached its usage limit, or reaches it with one more event. */
  usedUpAutomationEvent?: string;
  /** A card that is also in a sales channel. */
  channelCard?: {
    /** The card's code in the service. @secret */
    readonly code: string;
    /** The card's ID in the channel. @secret */
    readonly sourceId: string;
    /** The channel's ID on the account. */
    readonly source?: string;
    /** The names of the two query parameters. Without them, the suite tries likely names. */
    readonly parameters?: {
      /** The parameter of the channel's ID. */
      readonly platform: string;
      /** The parameter of the card's ID in the channel. */
      readonly source: string;
    };
  };
  /** The request that advances the target's clock. */
  clock?: ClockControl;
  /** The address at which the suite receives deliveries. Default: 127.0.0.1. */
  receiver?: {
    /** HOST:PORT to listen at. Port 0 is any free port. */
    readonly listen?: string;
    /** The URL at which the target reaches the receiver. */
    readonly url?: string;
  };
}

export interface AutomationEvent {
  /** The value of event_name. */
  readonly name: string;
  /** The automation's own amount. */
  readonly amount: number;
  /** Number of active automations with this trigger and event name. Default: 1. */
  readonly automations?: number;
  /** True if an inactive automation has the same event name. */
  readonly hasInactive?: boolean;
  /** True if an automation with another trigger has the same event name. */
  readonly hasOtherTrigger?: boolean;
}

export interface ClockControl {
  /** The request that advances the clock. The suite replaces `{seconds}` and `{duration}` (ISO 8601). If a value of the body is "{seconds}", the suite replaces the value by a number. */
  readonly advance: ClockRequest;
}

export interface ClockRequest {
  /** The method of the request. */
  readonly method: string;
  /** A URL. If it starts with a slash, it is appended to the target's URL. */
  readonly url: string;
  /** The headers of the request. @secret */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body of the request. */
  readonly body?: unknown;
}

let validate: ValidateFunction<Profile & { $schema?: string }> | undefined;

/** Reads a profile file. Throws UsageError with all problems, but without values, because values may be secret. */
export function readProfile(file: string): Profile {
  const content = readJson(file, 'profile');
  validate ??= new Ajv2020({ strict: true, allErrors: true }).compile<Profile & { $schema?: string }>(schema);
  if (!validate(content)) {
    const problems = schemaProblems(validate.errors ?? [], undefined, { schema: schema as SchemaNode, find: () => undefined });
    const lines = problems.map(({ path, sentence }) =>
      [`The profile ${file}`, path.join('.'), sentence].filter(Boolean).join(': '),
    );
    throw new UsageError(lines.join('\n'));
  }
  const { $schema: _, ...profile } = content;
  return profile;
}

/** Returns the profile. Adds a receiver if the target is the user's own, because such a target can always reach the suite. */
export function withReceiver(target: Pick<Target, 'url' | 'fetch' | 'isOwn' | 'profile'>): Profile {
  const { profile } = target;
  return profile.receiver || !isOwn(target) ? profile : { ...profile, receiver: {} };
}

/** Reports whether the target can have no live cards. */
export const isOwn = (target: Pick<Target, 'url' | 'fetch' | 'isOwn'>): boolean =>
  target.isOwn ?? (target.fetch !== undefined || isLocal(target.url));

export type Need = keyof Profile;

/** Handles a request without a socket. If `odd` is true, the request deliberately violates the contract. */
export type InProcessFetch = (request: Request, about: { readonly odd: boolean }) => Promise<Response>;

export interface Target {
  /** Base URL without a trailing slash. Paths of the contract (/api/…) are appended. */
  url: string;
  key: string;
  /** The environment variable that has the key. */
  keyVariable?: string;
  profile: Profile;
  /** Known differences from the contract. The suite tries the names in these overrides first. */
  overrides?: readonly Override[];
  fetch?: InProcessFetch | undefined;
  /** True for the mock, and for a server that the user declares as their own. The default is for tests: true on this machine and in this process. */
  isOwn?: boolean;
  /** Highest rate of the run in requests per minute. Default: no limit. */
  ratePerMinute?: number | undefined;
  /** Milliseconds that a webhook delivery may take. Default: the first delivery of the run sets this time. */
  deliveryTimeout?: number | undefined;
  /** Milliseconds to wait for a response. Default: 30 seconds. */
  responseTimeout?: number;
  /** Milliseconds after which a request that got no response can no longer take effect. Default for a remote target: a minute. */
  lateAfter?: number;
}

/** Normalizes a target's base URL. Throws UsageError if the URL is not http(s), or is plain http to another machine. */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`The target "${text}" is not an http or https URL. Give a URL such as http://127.0.0.1:8460.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The target URL must not contain a user, a password, a query or a fragment. Give the base URL alone.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(`The target ${url.origin} is not on this machine, and http would expose the key. Give its https URL.`);
  }
  return url.href.replace(/\/+$/, '');
}

export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname);

/** Reports whether a host name of a URL can only mean this machine. */
export const isLoopback = (hostname: string): boolean => /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
