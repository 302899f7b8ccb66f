import { parseJson } from '../http/json-search.ts';
import type { LedgerEntry } from './entries.ts';

export interface TargetRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  /** Path that is appended to the base URL, percent-encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** A text that is sent unchanged in place of `body`. */
  text?: string;
  /** Default: application/json. Null sends no content type. */
  contentType?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** Default: the target's key. Null sends no key. */
  key?: string | null;
  /** True if the request deliberately violates the contract. */
  odd?: boolean;
  /** True if the request is meant to reach the rate limit. The client sends such a request without delay and does not retry 429. */
  burst?: boolean;
  /** True if the test can do without the request. The plan then does not count the effects of the request. */
  optional?: boolean;
  /** True for a cleanup request, which the policy always allows. */
  cleaning?: boolean;
  /** The name of the shared work that sends the request. */
  makes?: string;
  /** The ledger entry that the request creates or cleans up. */
  entry?: LedgerEntry;
}

/** The effects that a run counts. `faceValue` is in the account's currency. Each event may issue cards and send emails. */
export const countedEffects = ['creates', 'faceValue', 'voids', 'adjustments', 'emails', 'webhooks', 'events'] as const;
type Counts = Record<(typeof countedEffects)[number], number>;

/** The effects of a request on a live account. They are computed from the request, so that no check can forget to declare its effects. */
export interface Effects extends Counts {
  /** False for a read. */
  changes: boolean;
  /** True for a request that is meant to reach the rate limit. */
  burst: boolean;
}

export const countNothing = (): Counts => Object.fromEntries(countedEffects.map((each) => [each, 0])) as Counts;

/** The kinds of effects that a policy may refuse, each with its property of `Effects`. */
const effectKinds = {
  change: 'changes',
  create: 'creates',
  email: 'emails',
  webhooks: 'webhooks',
  automation: 'events',
  'rate-limit': 'burst',
} as const satisfies Record<string, keyof Effects>;
export type EffectKind = keyof typeof effectKinds;

export const effectKindsOf = (effects: Effects): EffectKind[] =>
  (Object.keys(effectKinds) as EffectKind[]).filter((kind) => Number(effects[effectKinds[kind]]) > 0);

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the effects of a request. Ignores letter case, escapes, and doubled or trailing slashes in the path, because a service may ignore these differences. */
export function effectsOfRequest(request: TargetRequest): Effects {
  const isOverridden = Object.keys(request.headers ?? {}).some((name) => /method/i.test(name));
  const changes = isOverridden || !readMethods.has(request.method.toUpperCase());
  const effects = { ...countNothing(), changes, burst: request.burst === true };
  return changes ? { ...effects, ...countsOf(request) } : effects;
}

function countsOf(request: TargetRequest): Partial<Counts> {
  const path = normalize(request.path);
  if (path.endsWith('/giftcard/create')) return { creates: 1, ...countsOfCreate(request) };
  if (path.endsWith('/webhook/create')) return { webhooks: 1 };
  if (path.endsWith('/api/automationtriggerevents')) return { events: 1 };
  if (/\/giftcardadjustment\/addadjustmentbygiftcard(code|id)$/.test(path)) return { adjustments: 1 };
  return /giftcard\/voidby(code|id)/.test(path) ? { voids: 1 } : {};
}

function countsOfCreate(request: TargetRequest): Pick<Counts, 'faceValue' | 'emails'> {
  const fields = fieldsOf(request);
  const balance = Number(fields.get('balance'));
  // A service may read any other value as true.
  const isOff = (fields.get('shouldsendnotification') ?? false) === false;
  return {
    faceValue: Number.isFinite(balance) && balance > 0 ? Math.min(balance, mostCounted) : 0,
    emails: isOff || fields.get('disableemails') === true ? 0 : 1,
  };
}

/** Limit of a counted face value. Sums of larger values would not be exact to the cent. */
const mostCounted = 1e12;

/** Returns the fields of a body by their names in lower case. If a text is not JSON, assumes that a service may still read shouldSendNotification in the text. */
function fieldsOf({ body, text }: TargetRequest): Map<string, unknown> {
  const assumed = { shouldSendNotification: /shouldSendNotification/i.test(text ?? '') };
  const json = text === undefined ? body : (parseJson(text) ?? assumed);
  return new Map(Object.entries(json ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

const normalize = (path: string): string =>
  path
    .replaceAll(/%([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[?#].*$/s, '')
    .replaceAll(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase();
