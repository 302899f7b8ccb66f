import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { KeyHolder, Keys } from '../account/keys.ts';
import type { ServiceRequest } from './exchange.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Who asks: the holder of the request's key. */
export function identify(holders: Keys, request: ServiceRequest): KeyHolder | Refusal {
  // authentication.key-is-in-header: exactly as it is given there (authentication.key-letter-case).
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || given === '') return elsewhere(holders, request) ?? refuse('auth.key-missing');
  // authentication.key-acts-on-its-own-account: no request names an account but by its key.
  return holders.get(given) ?? inOtherLetters(holders, given) ?? refuse('auth.key-unknown');
}

/** Why a key that is known may not use the API now. */
export function refusedTo({ account, key }: KeyHolder, now = account.clock.now()): Refusal | undefined {
  const { settings, behaviors, formerPlan } = account;
  // authentication.deleted-key-takes-effect
  const isLate = behaviors['authentication.deleted-key-takes-effect'] === 'later' && now < (key.deletedAt ?? 0) + A_WHILE;
  if (key.deleted && !isLate) return refuse('auth.key-deleted');
  const isFormer = behaviors['authentication.plan-change-takes-effect'] === 'later' && now < (formerPlan?.until ?? 0) + A_WHILE;
  const plan = isFormer && formerPlan ? formerPlan.plan : settings.plan;
  // authentication.basic-plan-refused, authentication.paid-plans-admitted
  if (plan === 'Basic') return refuse('auth.plan-without-api');
  if (!settings.subscriptionActive && behaviors['authentication.inactive-subscription'] === 'refused')
    return refuse('auth.plan-without-api');
  return undefined;
}

/** What "later" means for keys and plans: until then the service answers by what it knew. */
const A_WHILE = 60_000;

/** authentication.key-of-other-account: whether the host names another account, at whose address this key is not valid. */
export function isElsewhere({ account }: KeyHolder, request: ServiceRequest, accounts: ReadonlyMap<string, unknown>): boolean {
  if (account.behaviors['authentication.key-of-other-account'] === 'acts-on-its-own-account') return false;
  const { host } = request.headers;
  const name = typeof host === 'string' ? (host.split(/[.:]/, 1)[0] as string) : '';
  return name !== account.id && accounts.has(name);
}

/** authentication.key-elsewhere: counts only where the account of the key says so. */
function elsewhere(holders: Keys, { headers, target }: ServiceRequest): KeyHolder | undefined {
  const mark = target.indexOf('?');
  const inQuery = mark < 0 ? null : new URLSearchParams(target.slice(mark)).get('x-api-key');
  const bearer = /^Bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1];
  return accepting(holders, inQuery, 'also-query') ?? accepting(holders, bearer, 'also-bearer');
}

function accepting(
  holders: Keys,
  given: string | null | undefined,
  reading: Behaviors['authentication.key-elsewhere'],
): KeyHolder | undefined {
  const holder = holders.get(given ?? '');
  return holder?.account.behaviors['authentication.key-elsewhere'] === reading ? holder : undefined;
}

/** authentication.key-letter-case: looked for only when no key is exactly the one that was given. */
function inOtherLetters(holders: Keys, given: string): KeyHolder | undefined {
  return holders.alike(given).find(({ account }) => account.behaviors['authentication.key-letter-case'] === 'ignored');
}
