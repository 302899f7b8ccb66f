import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf, levels } from '../core/contract.ts';
import { type CheckCost, type Cost, costOf, costOfShared, sum, type Total } from './cost.ts';
import type { EffectKind } from './effects.ts';
import { fitsBudget, overBudget, type Policy, refusalOf, type Why } from './policy.ts';

/** The checks and the cost of a run. */
export interface Plan {
  readonly chosen: readonly ClauseName[];
  readonly leftOut: ReadonlyMap<ClauseName, Why>;
  readonly total: Total;
  /** Number of all requests, including cleanup and the requests before the first check. */
  readonly requests: number;
}

/** Returns the number of requests before the first check. One request tries the key. In a safe run, another request lists the webhooks. */
const before = ({ mode, readOnlyBecause }: Policy) => (mode === 'safe' || readOnlyBecause ? 2 : 1);

/** Returns the cost of a run. A run that needs cards first creates one card and voids it. */
function totalOf(costs: readonly Cost[], { canary = false }: Policy): Total {
  const total = sum(costs);
  return canary && total.creates + total.events > 0
    ? sum([total, { requests: 1, creates: 1, faceValue: 1, cleaning: 2 }])
    : total;
}

/** Weights of a card relative to a request. The planner tries all weights, because no weight is the best for every budget. */
const cardWeights = [0.5, 1, 2, 3];

/** Chooses the checks that the policy allows and that fit into the budget. */
export function planRun(names: readonly ClauseName[], policy: Policy): Plan {
  const leftOut = new Map<ClauseName, Why>();
  const open = new Map<ClauseName, CheckCost>();
  for (const name of names) {
    const why = refusalOf(effectKindsOfCheck(name), policy);
    if (why) leftOut.set(name, why);
    // If the cost was not measured, the plan counts nothing. The gate still keeps the check within the budget.
    else open.set(name, costOf(name) ?? {});
  }
  const hasBudget = [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].some(Number.isFinite);
  const baskets = hasBudget ? cardWeights.map((weight) => fillBasket(open, policy, weight)) : [new Set(open.keys())];
  const basket = baskets.reduce((best, each) => (worthOf(each) > worthOf(best) ? each : best));
  for (const name of open.keys()) if (!basket.has(name)) leftOut.set(name, overBudget(policy));
  const costs = [...basket].flatMap((name) => open.get(name) ?? []);
  const shared = new Set(costs.flatMap((cost) => cost.shared ?? []));
  const total = totalOf([...costs, ...[...shared].map(costOfShared)], policy);
  const requests = before(policy) + total.requests + total.cleaning;
  return { chosen: names.filter((name) => basket.has(name)), leftOut, total, requests };
}

/** Returns the kinds of effects of a check and of its shared work. A check with an unknown cost counts as a change. */
export function effectKindsOfCheck(name: ClauseName): readonly EffectKind[] {
  const cost = costOf(name);
  return cost ? [cost, ...(cost.shared ?? []).map(costOfShared)].flatMap(({ asks }) => asks ?? []) : ['change'];
}

/** Returns a number for the comparison of plans. More checks of the first level win. If the numbers are equal, the next level decides. */
const worthOf = (names: ReadonlySet<ClauseName>): number =>
  levels.reduce((worth, level) => worth * 1_000 + [...names].filter((name) => levelOf(name) === level).length, 0);

/** Adds checks level by level until no check fits. Each time, adds the check that uses the smallest share of the budget. */
function fillBasket(open: ReadonlyMap<ClauseName, CheckCost>, policy: Policy, cardWeight: number): Set<ClauseName> {
  const { maxCreates, maxRequests } = policy;
  const chosen = new Set<ClauseName>();
  const shared = new Set<string>();
  let total = sum([]);
  /** Room for creates that the target must refuse. A refused create counts until a look-up proves the refusal. Only one check runs at a time, so the maximum is enough. */
  let refused = { creates: 0, faceValue: 0 };
  const notYetMade = ({ shared: all = [] }: CheckCost) => all.filter((each) => !shared.has(each));
  const totalWith = (cost: CheckCost) => sum([total, cost, ...notYetMade(cost).map(costOfShared)]);
  const refusedWith = ({ refusedCreates = 0, refusedFaceValue = 0 }: CheckCost) => ({
    creates: Math.max(refused.creates, refusedCreates),
    faceValue: Math.max(refused.faceValue, refusedFaceValue),
  });
  const fits = (cost: CheckCost) => {
    const all = totalOf([totalWith(cost)], policy);
    return fitsBudget(policy, all, refusedWith(cost), { requests: before(policy) + all.cleaning });
  };
  /** Returns the share of the budget. With weight 1, one of 5 cards costs as much as 30 of 150 requests. */
  const shareOf = (costs: readonly Cost[]) => {
    const { creates, requests, cleaning } = sum(costs);
    return (creates === 0 ? 0 : (cardWeight * creates) / maxCreates) + (requests + cleaning) / maxRequests;
  };
  for (const level of levels) {
    const candidates = new Map([...open].filter(([name]) => levelOf(name) === level));
    /** Returns the share of the budget for a check. If the check needs new shared work, all checks that need only this work and no further card divide its cost. */
    const priceOf = (cost: CheckCost) => {
      const made = notYetMade(cost);
      const isUser = (each: CheckCost) => (each.creates ?? 0) === 0 && notYetMade(each).every((one) => made.includes(one));
      const users = made.length === 0 ? 1 : [...candidates.values()].filter(isUser).length;
      return shareOf([cost]) + shareOf(made.map(costOfShared)) / Math.max(users, 1);
    };
    for (;;) {
      const [best] = [...candidates]
        .filter(([, cost]) => fits(cost))
        .map(([name, cost]) => ({ name, cost, price: priceOf(cost) }))
        .toSorted((one, other) => one.price - other.price);
      if (!best) break;
      const { name, cost } = best;
      total = totalWith(cost);
      refused = refusedWith(cost);
      for (const each of cost.shared ?? []) shared.add(each);
      chosen.add(name);
      candidates.delete(name);
    }
  }
  return chosen;
}
