import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { allowedByBoth, budgetTimes, offeredByBoth } from '../compare/both.ts';
import { checks } from '../core/clause.ts';
import { makeable } from '../core/prerequisites.ts';
import { type Profile, withReceiver } from '../core/target.ts';
import type { Gate } from '../safety/gate.ts';
import { type Plan, planRun } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';
import type { SideAsked } from './sides.ts';

/** What each target offers that the other offers, too. */
export function offeredOf(a: SideAsked, b: SideAsked): { readonly a: Profile; readonly b: Profile } {
  const [ours, theirs] = [withReceiver(a.target), withReceiver(b.target)];
  return { a: offeredByBoth(ours, theirs), b: offeredByBoth(theirs, ours) };
}

interface OnePlan {
  readonly plan: Plan;
  readonly policy: Policy;
  /** Whether the budget of A has room for it twice. */
  readonly twice: boolean;
}

type Given = Pick<Gate, 'policy' | 'webhooksPresent'>;

/** One plan for both targets, twice on A: what neither lacks and either allows, within the smaller budget. */
export function onePlan(names: readonly ClauseName[], profile: Profile, a: Given, b: Given): OnePlan {
  const present = [a.webhooksPresent, b.webhooksPresent];
  const webhooks = present.includes('unknown') ? 'unknown' : Math.max(...present.map(Number));
  const within = (policyOfA: Policy): Omit<OnePlan, 'twice'> => {
    const policy = allowedByBoth(policyOfA, b.policy);
    return { policy, plan: planRun(makeable(names, checks(), profile, policy), policy, webhooks) };
  };
  const half = budgetTimes(a.policy, 0.5);
  const twice = within(half);
  const hasRoom = twice.plan.chosen.length > 0 && (half.maxCreates > 0 || a.policy.maxCreates === 0);
  return hasRoom ? { ...twice, twice: true } : { ...within(a.policy), twice: false };
}
