import type { RuleName } from '../../openapi/generated/rules.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import { countedEffects, type EffectKind } from '../safety/effects.ts';
import { fitsBudget, type Mode, type Needs, overBudget, type Policy, policyRefusal, type Why } from '../safety/policy.ts';
import { levelOf, levels } from './contract.ts';

const counts = ['requests', 'cleaning', ...countedEffects] as const;

/** Counts of requests and effects. `cleaning` counts the cleanup requests, and `requests` counts all other requests. */
export type Total = Record<(typeof counts)[number], number>;

/** The cost of a check on a correct target. A missing count is zero. */
export interface Cost extends Partial<Total> {
  /** Kinds of effects that the check has and that a policy may refuse. */
  effectKinds?: readonly EffectKind[];
}

export interface CheckCost extends Cost {
  /** Names of the work that the check shares with other checks. The counts of the check do not include the shared work. */
  shared?: readonly string[];
  /** The number of creates that the target must refuse at the same time, and their total face value. */
  refusedCreates?: number;
  refusedFaceValue?: number;
}

const measured = costs as unknown as {
  checks: Partial<Record<RuleName, CheckCost>>;
  /** The costs in a run that changes nothing, of the checks that such a run can carry out. */
  reading?: Partial<Record<RuleName, CheckCost>>;
  shared: Readonly<Record<string, Cost>>;
};

/** Returns the cost that `npm run generate -- --costs` measured. Returns undefined if the cost is unknown. */
export const costOf = (name: RuleName, mode: Mode = 'full'): CheckCost | undefined =>
  measured[mode === 'read-only' ? 'reading' : 'checks']?.[name];

export const costOfShared = (name: string): Cost => measured.shared[name] ?? {};

export function sumCosts(costs: readonly Cost[]): Total {
  const of = (count: keyof Total) => costs.reduce((soFar, cost) => soFar + (cost[count] ?? 0), 0);
  return Object.fromEntries(counts.map((count) => [count, Math.round(of(count) * 100) / 100])) as Total;
}

export interface RunPlan {
  readonly chosen: readonly RuleName[];
  readonly leftOut: ReadonlyMap<RuleName, Why>;
  readonly total: Total;
  /** Number of all requests, including cleanup and the requests before the first check. */
  readonly requests: number;
}

/** Returns the number of requests before the first check. One request tries the key. In a safe run, another request lists the webhooks. */
const before = ({ mode, readOnlyBecause }: Policy) => (mode === 'safe' || readOnlyBecause ? 2 : 1);

/** The cost of the first card: its creation, its void and a look-up. */
const costOfCanary: Cost = { requests: 1, creates: 1, faceValue: 1, cleaning: 2 };

/** Returns the cost of several checks without the work that they share. Only one check at a time waits for refusals to be proved, so their maximum is enough. */
const combined = (checks: readonly CheckCost[]) => ({
  ...sumCosts(checks),
  shared: [...new Set(checks.flatMap(({ shared = [] }) => shared))],
  refusedCreates: Math.max(0, ...checks.map(({ refusedCreates = 0 }) => refusedCreates)),
  refusedFaceValue: Math.max(0, ...checks.map(({ refusedFaceValue = 0 }) => refusedFaceValue)),
});

/** Returns the cost of checks, of the work that they share, and of the first card. */
function totalOf({ shared = [], ...own }: CheckCost, { canary = false }: Policy): Total {
  const total = sumCosts([own, ...shared.map(costOfShared)]);
  return canary && total.creates + total.events > 0 ? sumCosts([total, costOfCanary]) : total;
}

function needsOf(checks: readonly CheckCost[], policy: Policy): Needs {
  const all = combined(checks);
  const { creates, faceValue, requests, cleaning } = totalOf(all, policy);
  return {
    creates: creates + all.refusedCreates,
    faceValue: faceValue + all.refusedFaceValue,
    requests: before(policy) + requests + cleaning,
  };
}

/** Rules whose violation costs money or opens an account to others, the greatest harm first. A run with a budget tests these rules before all others. */
const rulesByHarm: readonly RuleName[] = [
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

/** Returns the rules in the order in which a run with a budget tests them: by harm, and then level by level. */
export const byHarm = (names: readonly RuleName[]): RuleName[] =>
  [...rulesByHarm, ...levels].flatMap((each) =>
    names.filter((name) => name === each || (!rulesByHarm.includes(name) && levelOf(name) === each)),
  );

/** Chooses the checks that the policy allows and that fit into the budget. */
export function planRun(names: readonly RuleName[], policy: Policy): RunPlan {
  const leftOut = new Map<RuleName, Why>();
  const open = new Map<RuleName, CheckCost>();
  for (const name of names) {
    const why = policyRefusal(effectKindsOfCheck(name, policy.mode), policy);
    if (why) leftOut.set(name, why);
    // If the cost was not measured, the plan counts nothing. The gate still keeps the check within the budget.
    else open.set(name, costOf(name, policy.mode) ?? {});
  }
  const all = needsOf([...open.values()], policy);
  const basket = fitsBudget(policy, all) ? open : fillBasket(open, policy);
  for (const name of open.keys()) if (!basket.has(name)) leftOut.set(name, overBudget(policy, all));
  const costs = [...basket.values()];
  const total = totalOf(combined(costs), policy);
  return { chosen: names.filter((name) => basket.has(name)), leftOut, total, requests: needsOf(costs, policy).requests };
}

/** Returns the kinds of effects of a check and of its shared work. A check with an unknown cost counts as a change. */
export function effectKindsOfCheck(name: RuleName, mode?: Mode): readonly EffectKind[] {
  const cost = costOf(name, mode);
  return cost ? [cost, ...(cost.shared ?? []).map(costOfShared)].flatMap(({ effectKinds }) => effectKinds ?? []) : ['change'];
}

/** Adds checks by harm, and then level by level, until no check fits. In a level, adds the check that uses the smallest share of the budget. */
function fillBasket(open: ReadonlyMap<RuleName, CheckCost>, policy: Policy): Map<RuleName, CheckCost> {
  const { maxCreates, maxRequests } = policy;
  const chosen = new Map<RuleName, CheckCost>();
  let whole: CheckCost = {};
  const needsWith = (cost: CheckCost) => needsOf([whole, cost], policy);
  const choose = (name: RuleName, cost: CheckCost) => {
    chosen.set(name, cost);
    whole = combined([whole, cost]);
  };
  /** Returns the share of the budget that a check uses. One of 5 cards costs as much as 30 of 150 requests. */
  const priceOf = ({ creates, requests }: Needs) => (creates === 0 ? 0 : creates / maxCreates) + requests / maxRequests;
  for (const name of rulesByHarm) {
    const cost = open.get(name);
    if (cost && fitsBudget(policy, needsWith(cost))) choose(name, cost);
  }
  const cheapest = (level: (typeof levels)[number]) => {
    const waiting = [...open].filter(([name]) => levelOf(name) === level && !chosen.has(name));
    const priced = waiting.map(([name, cost]) => ({ name, cost, needs: needsWith(cost) }));
    const fitting = priced.filter(({ needs }) => fitsBudget(policy, needs));
    return fitting.toSorted((one, other) => priceOf(one.needs) - priceOf(other.needs))[0];
  };
  for (const level of levels) for (let next = cheapest(level); next; next = cheapest(level)) choose(next.name, next.cost);
  return chosen;
}
