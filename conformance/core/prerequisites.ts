import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Policy, Why } from '../safety/policy.ts';
import type { Check } from './clause.ts';
import type { Need, Profile } from './target.ts';
import type { Reason } from './verdict.ts';

const reasonFor = (need: Need): Reason => reasons[need] ?? 'fixture-missing';

const reasons: Partial<Record<Need, Reason>> = {
  secondKey: 'no-second-key',
  noRateLimit: 'budget',
  receiver: 'no-receiver',
  clock: 'needs-control',
};

type Terms = Pick<Policy, 'patient' | 'inputs'>;

/** Those of the clauses that can be tried with what the profile offers. */
export function makeable(
  names: readonly ClauseName[],
  checks: readonly Check[],
  profile: Profile,
  policy: Terms = {},
): ClauseName[] {
  const able = new Set(checks.filter((check) => !missing(check, profile, policy)).map(({ name }) => name));
  return names.filter((name) => able.has(name));
}

/** Why a check cannot be tried with what the profile offers; undefined where it can. */
export function missing(check: Check, profile: Profile, policy: Terms): Why | undefined {
  if (check.inputs && policy.inputs === false)
    return { reason: 'not-allowed:inputs', detail: 'odd input is sent to this machine only, unless --inputs lets it' };
  if (check.inputs && policy.inputs === undefined && !profile.noRateLimit)
    return {
      reason: 'budget',
      detail: 'about four thousand requests of odd input, and the profile does not say noRateLimit; --inputs lets it',
    };
  if (check.burst && profile.noRateLimit) return { reason: 'budget', detail: 'the target says that it limits no rate' };
  if (check.burst && !profile.clock && !policy.patient) {
    const detail = 'minutes have to be waited out, for the profile gives no clock; --allow rate-limit lets it';
    return { reason: 'not-allowed:rate-limit', detail };
  }
  const isMissing = (each: Need) => profile[each] === undefined || profile[each] === false;
  const { needsOneOf = [] } = check;
  if (needsOneOf.length > 0 && needsOneOf.every(isMissing))
    return { reason: 'fixture-missing', detail: `the profile gives neither ${needsOneOf.join(' nor ')}` };
  const need = check.needs.find(isMissing);
  return need && notGiven(need);
}

export const notGiven = (need: Need): Why => ({ reason: reasonFor(need), detail: `the profile gives no ${need}` });
