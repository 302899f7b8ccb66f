import { type Allowance, allowances, type Mode } from '../core/settings.ts';
import { formatCount } from '../core/text.ts';
import type { Reason } from '../core/verdict.ts';
import type { EffectKind } from './effects.ts';

/** The reason why a check is left out. */
export interface Why {
  readonly reason: Reason;
  readonly detail: string;
}

/** The limits of a run. `maxFaceValue` limits the sum of initial values. */
interface Budget {
  readonly maxCreates: number;
  readonly maxRequests: number;
  readonly maxFaceValue: number;
}

export interface Policy extends Budget {
  readonly mode: Mode;
  /** The reason for the mode and its remedy, if the user chose no mode and the target may be the user's own. */
  readonly modeBecause?: string;
  readonly allow: ReadonlySet<Allowance>;
  /** True if the user allowed rate-limit checks. Without a clock, such checks wait for minutes. */
  readonly patient?: boolean;
  /** True if the run may send hundreds of requests with generated input. Default: true for a target without a rate limit. */
  readonly inputs?: boolean;
}

const unlimited: Budget = { maxCreates: Infinity, maxRequests: Infinity, maxFaceValue: Infinity };
export const safeBudget: Budget = { maxCreates: 5, maxRequests: 150, maxFaceValue: 6 };

/** A policy for requests that cost nothing. */
export const unguarded: Policy = { mode: 'full', allow: new Set(allowances), ...unlimited };

export function policyOf(mode: Mode, allow: readonly Allowance[], budget: Partial<Budget>): Policy {
  const defaults = { full: unlimited, safe: safeBudget, 'read-only': { ...safeBudget, maxCreates: 0, maxFaceValue: 0 } }[mode];
  const allowed = new Set(mode === 'full' ? allowances : allow);
  return { mode, allow: allowed, patient: allow.includes('rate-limit'), ...defaults, ...budget };
}

/** Returns the budget for two runs with one gate. */
export const doubledBudget = (policy: Policy): Policy => ({
  ...policy,
  maxCreates: 2 * policy.maxCreates,
  maxRequests: 2 * policy.maxRequests,
  maxFaceValue: 2 * policy.maxFaceValue,
});

type Need = 'creates' | 'requests' | 'faceValue';

/** Reports whether the sum of some needs fits into a budget. */
export function fitsBudget(budget: Budget, ...needs: readonly Partial<Record<Need, number>>[]): boolean {
  const sum = (what: Need) => needs.reduce((total, need) => total + (need[what] ?? 0), 0);
  const { maxCreates, maxRequests, maxFaceValue } = budget;
  return sum('creates') <= maxCreates && sum('requests') <= maxRequests && sum('faceValue') <= maxFaceValue + 1e-9;
}

export const overBudget: Why = {
  reason: 'budget',
  detail: 'the clause does not fit into the budget; raise --max-creates, --max-requests or --max-face-value',
};

/** Returns the reason why a policy refuses these effects. Returns undefined if the policy allows the effects. */
export function refusalOf(kinds: readonly EffectKind[], policy: Policy, webhooksPresent: number | 'unknown'): Why | undefined {
  const { mode, allow } = policy;
  if (mode === 'read-only' && kinds.includes('change')) return { reason: 'mode', detail: 'a read-only run changes nothing' };
  const effect = allowances.find((each) => kinds.includes(each) && !allow.has(each));
  if (effect) return { reason: `not-allowed:${effect}`, detail: `${consequence[effect]}; use --allow ${effect}` };
  if (!kinds.includes('create') || webhooksPresent === 0 || allow.has('webhooks')) return undefined;
  const detail = `${describeWebhooks(webhooksPresent)}, and each webhook receives a delivery for every voided card; use --allow webhooks`;
  return { reason: 'not-allowed:webhooks', detail };
}

const consequence: Record<Allowance, string> = {
  email: 'the service would send an email',
  webhooks: 'a webhook would be registered',
  automation: 'automations would run',
  'rate-limit': 'the rate limit would be reached',
};

export const describeWebhooks = (present: number | 'unknown') =>
  present === 'unknown'
    ? 'the account may have webhooks (the list could not be read)'
    : `the account has ${formatCount(present, 'webhook')}`;
