import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf, levels } from '../core/contract.ts';
import type { Mode } from '../core/settings.ts';
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

/** Clauses whose violation costs money or opens an account to others, the greatest harm first. A run with a budget tests these clauses before all others. */
const clausesByHarm: readonly ClauseName[] = [
  'idempotency.create.refuses-repeat',
  'idempotency.adjustment.refuses-repeat',
  'adjustment.by-id.refuses-overdraw',
  'adjustment.by-code.may-go-negative',
  'gift-card.void.by-code-voids',
  'gift-card.void.by-id-voids',
  'gift-card.void.zeroes-balance',
  'gift-card.create.refuses-taken-code',
  'authentication.missing-key-is-401',
  'authentication.wrong-key-is-401',
  'gift-card.get-by-code.unknown-is-404',
  'gift-card.get-by-id.unknown-is-404',
  'gift-card.amounts-exact',
  'adjustment.recorded-in-history',
  'adjustment.history.newest-first',
];

/** Chooses the checks that the policy allows and that fit into the budget. */
export function planRun(names: readonly ClauseName[], policy: Policy): Plan {
  const leftOut = new Map<ClauseName, Why>();
  const open = new Map<ClauseName, CheckCost>();
  for (const name of names) {
    const why = refusalOf(effectKindsOfCheck(name, policy.mode), policy);
    if (why) leftOut.set(name, why);
    // If the cost was not measured, the plan counts nothing. The gate still keeps the check within the budget.
    else open.set(name, costOf(name, policy.mode) ?? {});
  }
  const hasBudget = [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].some(Number.isFinite);
  const basket = hasBudget ? fillBasket(open, policy) : new Set(open.keys());
  for (const name of open.keys()) if (!basket.has(name)) leftOut.set(name, overBudget(policy));
  const costs = [...basket].flatMap((name) => open.get(name) ?? []);
  const shared = new Set(costs.flatMap((cost) => cost.shared ?? []));
  const total = totalOf([...costs, ...[...shared].map(costOfShared)], policy);
  const requests = before(policy) + total.requests + total.cleaning;
  return { chosen: names.filter((name) => basket.has(name)), leftOut, total, requests };
}

/** Returns the kinds of effects of a check and of its shared work. A check with an unknown cost counts as a change. */
export function effectKindsOfCheck(name: ClauseName, mode?: Mode): readonly EffectKind[] {
  const cost = costOf(name, mode);
  return cost ? [cost, ...(cost.shared ?? []).map(costOfShared)].flatMap(({ asks }) => asks ?? []) : ['change'];
}

/** Adds checks by harm, and then level by level, until no check fits. In a level, adds the check that uses the smallest share of the budget. */
function fillBasket(open: ReadonlyMap<ClauseName, CheckCost>, policy: Policy): Set<ClauseName> {
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
  /** Returns the share of the budget that a check uses. One of 5 cards costs as much as 30 of 150 requests. */
  const priceOf = (cost: CheckCost) => {
    const { creates, requests, cleaning } = sum([cost, ...notYetMade(cost).map(costOfShared)]);
    return (creates === 0 ? 0 : creates / maxCreates) + (requests + cleaning) / maxRequests;
  };
  const choose = (name: ClauseName, cost: CheckCost) => {
    total = totalWith(cost);
    refused = refusedWith(cost);
    for (const each of cost.shared ?? []) shared.add(each);
    chosen.add(name);
  };
  for (const name of clausesByHarm) {
    const cost = open.get(name);
    if (cost && fits(cost)) choose(name, cost);
  }
  const cheapest = (level: (typeof levels)[number]) => {
    const fitting = [...open].filter(([name, cost]) => levelOf(name) === level && !chosen.has(name) && fits(cost));
    const priced = fitting.map(([name, cost]) => ({ name, cost, price: priceOf(cost) }));
    return priced.toSorted((one, other) => one.price - other.price)[0];
  };
  for (const level of levels) for (let next = cheapest(level); next; next = cheapest(level)) choose(next.name, next.cost);
  return chosen;
}
