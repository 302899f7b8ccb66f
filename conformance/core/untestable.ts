import type { RuleName } from '../../openapi/generated/rules.ts';
import type { Need, Profile } from '../http/target.ts';
import type { Policy, Reason, Why } from '../safety/policy.ts';
import { ruleTexts } from './contract.ts';
import type { Check } from './rule.ts';

export function whyUntestable(name: RuleName): Why {
  const { seen, reason } = ruleTexts.get(name) ?? {};
  if (seen === 'control')
    return { reason: 'needs-hook', detail: 'a test would need the merchant, emails or sales channels of the account' };
  return { reason: 'untestable', detail: reason ?? 'this run includes no test of the rule' };
}

const reasons: Partial<Record<Need, Reason>> = {
  secondKey: 'no-second-key',
  noRateLimit: 'budget',
  receiver: 'no-receiver',
  clock: 'needs-hook',
};

export const whyNotGiven = (need: Need): Why => ({
  reason: reasons[need] ?? 'fixture-missing',
  detail: `the profile does not have ${need}`,
});

type Terms = Pick<Policy, 'patient' | 'inputs'>;

export function testableRules(
  names: readonly RuleName[],
  checks: readonly Check[],
  profile: Profile,
  policy: Terms = {},
): RuleName[] {
  const able = new Set(checks.filter((check) => !whyNotOffered(check, profile, policy)).map(({ name }) => name));
  return names.filter((name) => able.has(name));
}

/** Returns why a rule cannot be tested with the entries of the profile, or undefined if it can be tested. */
export function whyNotOffered(
  { inputs, burst, needs, needsOneOf = [] }: Check,
  profile: Profile,
  { inputs: mayGenerate = profile.noRateLimit || profile.clock !== undefined, patient }: Terms,
): Why | undefined {
  if (inputs && !mayGenerate) {
    const detail =
      'a run sends generated input only to your own server, with clock or noRateLimit in the profile; run "conformance fuzz inputs"';
    return { reason: 'not-allowed:inputs', detail };
  }
  if (burst && profile.noRateLimit) return { reason: 'budget', detail: 'the profile says that the target has no rate limit' };
  if (burst && !profile.clock && !patient) {
    const detail = 'the profile has no clock, so the test would wait for minutes; to allow this, use --allow rate-limit';
    return { reason: 'not-allowed:rate-limit', detail };
  }
  const isMissing = (each: Need) => profile[each] === undefined || profile[each] === false;
  if (needsOneOf.length > 0 && needsOneOf.every(isMissing))
    return { reason: 'fixture-missing', detail: `the profile has neither ${needsOneOf.join(' nor ')}` };
  const need = needs.find(isMissing);
  return need && whyNotGiven(need);
}
