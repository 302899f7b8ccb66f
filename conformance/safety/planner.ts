import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf, levels, type ShownLevel } from '../core/contract.ts';
import { type CheckCost, type Cost, costOf, costOfShared, sum, type Total } from './cost.ts';
import type { EffectKind } from './effects.ts';
import { type Policy, refusalOf, type Why } from './policy.ts';

/** What a run will do and what it costs. */
export interface Plan {
  readonly chosen: readonly ClauseName[];
  readonly leftOut: ReadonlyMap<ClauseName, Why>;
  readonly total: Total;
  /** All requests, with those before the first check and those that clean up. */
  readonly requests: number;
  /** Chosen checks whose cost is unknown. */
  readonly unknown: readonly ClauseName[];
}

/** Requests before the first check: does the key work and, in a safe run, are there webhooks. */
const before = ({ mode }: Policy) => (mode === 'safe' ? 2 : 1);

/**
 * Chooses the checks that fit into the policy. Stated clauses come first; within a level, checks that share arrangements, which tests most for each card.
 * What does not fit is left out before anything is sent.
 */
export function planRun(names: readonly ClauseName[], policy: Policy, webhooksPresent: number | 'unknown' = 0): Plan {
  const leftOut = new Map<ClauseName, Why>();
  const unknown: ClauseName[] = [];
  const bounded = policy.mode !== 'full' || [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].some(Number.isFinite);
  const open = new Map<ClauseName, CheckCost>();
  for (const name of names) {
    const cost = costOf(name);
    const why = cost ? refusalOf(kindsOf(cost), policy, webhooksPresent) : bounded && unmeasured;
    if (why) leftOut.set(name, why);
    else if (cost) open.set(name, cost);
    else unknown.push(name);
  }
  const isUnlimited = [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].every(
    (each) => each === Number.POSITIVE_INFINITY,
  );
  const baskets = isUnlimited
    ? [fillWithoutBudget(open, policy)]
    : (bounded ? cardWeights : [1]).map((weight) => fillBasket(new Basket(policy, weight), open));
  const basket = baskets.reduce((best, each) => (isWorthMore(each, best) ? each : best));
  for (const name of open.keys()) if (!basket.checks.has(name)) leftOut.set(name, tooMuch);
  const chosen = new Set([...basket.checks.keys(), ...unknown]);
  return { chosen: names.filter((name) => chosen.has(name)), leftOut, ...basket.costs(), unknown };
}

/** Weights of a card relative to a request. Each is tried, because the best one for a budget is known only afterwards. */
const cardWeights = [1, 0, 0.1, 0.25, 0.5, 0.75, 1.5, 2, 3, 4, 8, 16];

/** Without a budget everything fits. */
function fillWithoutBudget(open: ReadonlyMap<ClauseName, CheckCost>, policy: Policy): Basket {
  const basket = new Basket(policy, 1);
  for (const [name, cost] of open) basket.add(name, cost);
  return basket;
}

/** Adds the tests that fit, level by level. */
function fillBasket(basket: Basket, open: ReadonlyMap<ClauseName, CheckCost>): Basket {
  for (const level of levels) {
    const ofLevel = new Map([...open].filter(([name]) => levelOf(name) === level));
    for (let next = basket.best(ofLevel); next !== undefined; next = basket.best(ofLevel)) {
      basket.add(next, open.get(next) as CheckCost);
      ofLevel.delete(next);
    }
  }
  return basket;
}

/** Whether it has more checks of the first level in which the two differ. */
function isWorthMore(one: Basket, other: Basket): boolean {
  const differing = levels.find((level) => one.count(level) !== other.count(level));
  return differing !== undefined && one.count(differing) > other.count(differing);
}

const unmeasured: Why = { reason: 'budget', detail: 'its cost is unknown, and the run has a budget' };
const tooMuch: Why = {
  reason: 'budget',
  detail: 'it does not fit into the budget: see --max-creates, --max-requests, --max-face-value',
};

const kindsOf = (cost: CheckCost): readonly EffectKind[] =>
  [cost, ...(cost.shared ?? []).map(costOfShared)].flatMap(({ asks }) => asks ?? []);

/** The kinds of effects of a check and its shared arrangements. If unknown: a change. */
export function effectKindsOfCheck(name: ClauseName): readonly EffectKind[] {
  const cost = costOf(name);
  return cost ? kindsOf(cost) : ['change'];
}

/** The checks chosen so far. */
class Basket {
  readonly checks = new Map<ClauseName, CheckCost>();
  readonly #policy: Policy;
  readonly #cardWeight: number;
  #shared = new Set<string>();

  constructor(policy: Policy, cardWeight: number) {
    this.#policy = policy;
    this.#cardWeight = cardWeight;
  }

  count(level: ShownLevel): number {
    return [...this.checks.keys()].filter((name) => levelOf(name) === level).length;
  }

  add(name: ClauseName, cost: CheckCost): void {
    this.checks.set(name, cost);
    for (const each of cost.shared ?? []) this.#shared.add(each);
  }

  /** The check with the smallest share of the budget. The cost of a new shared arrangement is divided among the checks that can use it. */
  best(open: ReadonlyMap<ClauseName, CheckCost>): ClauseName | undefined {
    let best: { name: ClauseName; price: number } | undefined;
    for (const [name, cost] of open) {
      if (!this.#fits(cost)) continue;
      const opened = (cost.shared ?? []).filter((each) => !this.#shared.has(each));
      const users = opened.length === 0 ? 1 : [...open.values()].filter((each) => onlyNeeds(each, this.#shared, opened)).length;
      const price = this.#part([cost]) + this.#part(opened.map(costOfShared)) / Math.max(users, 1);
      if (!best || price < best.price) best = { name, price };
    }
    return best?.name;
  }

  /** Share of the budget: with weight 1, one card of 5 equals 30 requests of 150. */
  #part(costs: readonly Cost[]): number {
    const { creates, requests, cleaning } = sum(costs);
    const { maxCreates, maxRequests } = this.#policy;
    return (creates === 0 ? 0 : (this.#cardWeight * creates) / maxCreates) + (requests + cleaning) / maxRequests;
  }

  costs(): { total: Total; requests: number } {
    const total = sum([...this.checks.values(), ...[...this.#shared].map(costOfShared)]);
    return { total, requests: before(this.#policy) + total.requests + total.cleaning };
  }

  #added(cost: CheckCost): Total {
    return sum([cost, ...(cost.shared ?? []).filter((each) => !this.#shared.has(each)).map(costOfShared)]);
  }

  #fits(cost: CheckCost): boolean {
    const { total, requests } = this.costs();
    const added = this.#added(cost);
    const { maxCreates, maxFaceValue, maxRequests } = this.#policy;
    const all = [cost, ...this.checks.values()];
    const spare = (of: 'refusedCreates' | 'refusedFaceValue') => Math.max(...all.map((each) => each[of] ?? 0));
    return (
      total.creates + added.creates + spare('refusedCreates') <= maxCreates &&
      total.faceValue + added.faceValue + spare('refusedFaceValue') <= maxFaceValue + 1e-9 &&
      requests + added.requests + added.cleaning <= maxRequests
    );
  }
}

/** Whether a check needs no further card once these arrangements exist. */
const onlyNeeds = (cost: CheckCost, there: ReadonlySet<string>, opened: readonly string[]): boolean =>
  (cost.creates ?? 0) === 0 && (cost.shared ?? []).every((each) => there.has(each) || opened.includes(each));
