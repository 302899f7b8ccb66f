import { isObject } from '../../openapi/document.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { checks } from '../core/clause.ts';
import { type Mode, modes } from '../core/settings.ts';
import type { Profile } from '../core/target.ts';
import { testableClauses } from '../core/untestable.ts';
import type { Gate } from '../safety/gate.ts';
import { type Plan, planRun } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';

/** The entries of a profile that the other target offers, too. How a target is reached stays its own. */
export function sharedProfile(own: Profile, other: Profile): Profile {
  const entries = Object.entries(own).flatMap(([name, value]) => {
    const theirs = other[name as keyof Profile];
    if (reachability.has(name)) return [[name, value]];
    if (theirs === undefined || theirs === false) return [];
    return [[name, isObject(value) && isObject(theirs) ? sharedParts(value, theirs) : value]];
  });
  return Object.fromEntries(entries);
}

const reachability = new Set(['receiver', 'recipientDomain', 'keyEnv']);

const sharedParts = (own: object, other: object) =>
  Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(other, name)));

/** What both policies allow. */
export function strictestPolicy(one: Policy, other: Policy): Policy {
  const mode: Mode = modes.find((each) => each === one.mode || each === other.mode) ?? 'read-only';
  return {
    mode,
    allow: new Set([...one.allow].filter((each) => other.allow.has(each))),
    patient: (one.patient ?? false) && (other.patient ?? false),
    ...(one.inputs === false || other.inputs === false ? { inputs: false } : {}),
    maxCreates: Math.min(one.maxCreates, other.maxCreates),
    maxRequests: Math.min(one.maxRequests, other.maxRequests),
    maxFaceValue: Math.min(one.maxFaceValue, other.maxFaceValue),
  };
}

/** The budget times 2 for two runs, or half of it for one of them. */
export function scaledBudget(policy: Policy, factor: 2 | 0.5): Policy {
  return {
    ...policy,
    maxCreates: Math.floor(policy.maxCreates * factor),
    maxRequests: Math.floor(policy.maxRequests * factor),
    maxFaceValue: policy.maxFaceValue * factor,
  };
}

type Limits = Pick<Gate, 'policy' | 'webhooksPresent'>;

interface SharedPlan {
  readonly plan: Plan;
  readonly policy: Policy;
  /** Whether the budget of A allows a second run. */
  readonly isTwice: boolean;
}

/** One plan for both targets: what both offer and allow, within the smaller budget, twice on A if possible. */
export function sharedPlan(names: readonly ClauseName[], profile: Profile, a: Limits, b: Limits): SharedPlan {
  const present = [a.webhooksPresent, b.webhooksPresent];
  const webhooks = present.includes('unknown') ? 'unknown' : Math.max(...present.map(Number));
  const within = (policyOfA: Policy): Omit<SharedPlan, 'isTwice'> => {
    const policy = strictestPolicy(policyOfA, b.policy);
    return { policy, plan: planRun(testableClauses(names, checks(), profile, policy), policy, webhooks) };
  };
  const half = scaledBudget(a.policy, 0.5);
  const twice = within(half);
  const hasRoom = twice.plan.chosen.length > 0 && (half.maxCreates > 0 || a.policy.maxCreates === 0);
  return hasRoom ? { ...twice, isTwice: true } : { ...within(a.policy), isTwice: false };
}
