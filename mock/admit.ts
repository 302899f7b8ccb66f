import type { Account, ApiKey } from './account.ts';
import type { ServiceRequest } from './exchange.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Whom a key stands for. Deleted keys stay known, so that the log can tell them from wrong ones. */
export interface KeyHolder {
  readonly account: Account;
  readonly key: ApiKey;
}

/** Who asks: the holder of the request's key. */
export function identify(holders: ReadonlyMap<string, KeyHolder>, request: ServiceRequest): KeyHolder | Refusal {
  // authentication.key-is-in-header, authentication.key-elsewhere, authentication.key-letter-case: the header and nothing else, exactly.
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || given === '') return refuse('auth.key-missing');
  // authentication.key-acts-on-its-own-account, authentication.key-of-other-account: no request names an account but by its key.
  return holders.get(given) ?? refuse('auth.key-unknown');
}

/** Why the holder is not admitted now: the key may not use the API, or the account has no requests left in this minute. */
export function admit(holder: KeyHolder, now: number): Refusal | undefined {
  const refusal = refusedTo(holder);
  if (refusal) return refusal;
  // limits.rate-scope: one window for all keys of the account; limits.rate-covers-every-endpoint, limits.keyless-requests-count.
  return holder.account.window.admit(now) ? undefined : refuse('rate.exceeded');
}

/** Why a key that is known may not use the API. */
export function refusedTo(holder: KeyHolder): Refusal | undefined {
  // authentication.deleted-key-takes-effect, authentication.plan-change-takes-effect: at the next request.
  if (holder.key.deleted) return refuse('auth.key-deleted');
  // authentication.basic-plan-refused, authentication.paid-plans-admitted; an inactive subscription closes nothing here (authentication.inactive-subscription).
  if (holder.account.settings.plan === 'Basic') return refuse('auth.plan-without-api');
  return undefined;
}
