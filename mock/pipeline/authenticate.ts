import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { KeyHolder, Keys } from '../account/accounts.ts';
import type { ApiKey, Settings } from '../account/settings.ts';
import type { ServiceRequest } from './exchange.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Finds the owner of the key in the request. Nothing else in a request names an account (authentication.key-acts-on-its-own-account). */
export function identify(keys: Keys, { headers }: ServiceRequest): KeyHolder | Refusal {
  // authentication.key-is-in-header, authentication.key-elsewhere, authentication.key-letter-case
  const given = headers['x-api-key'];
  if (typeof given !== 'string' || given === '') return refuse('auth.key-missing');
  // A key of another account acts on that account (authentication.key-of-other-account).
  return keys.get(given) ?? refuse('auth.key-unknown');
}

interface AuthorizedAccount {
  readonly settings: Settings;
  readonly behaviors: Behaviors;
}

/** Refuses a known key that may not use the API at present (authentication.deleted-key-takes-effect, authentication.plan-change-takes-effect). */
export function authorize({ account, key }: { readonly account: AuthorizedAccount; readonly key: ApiKey }): Refusal | undefined {
  const { settings, behaviors } = account;
  if (key.deleted) return refuse('auth.key-deleted');
  // authentication.basic-plan-refused, authentication.paid-plans-admitted
  if (settings.plan === 'Basic') return refuse('auth.plan-without-api');
  if (!settings.subscriptionActive && behaviors['authentication.inactive-subscription'] === 'refused')
    return refuse('auth.plan-without-api');
  return undefined;
}
