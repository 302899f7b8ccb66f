import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf, levels, type ShownLevel } from '../core/contract.ts';
import { type CheckCost, type Cost, costOf, costOfShared, sum, type Total } from './cost.ts';
import type { Asking } from './effects.ts';
import { type Policy, refusalOf, type Why } from './policy.ts';

/** What a run is going to do, in what it costs. */
export interface Plan {
  readonly chosen: readonly ClauseName[];
  readonly leftOut: ReadonlyMap<ClauseName, Why>;
  readonly total: Total;
  /** All requests, those before the first check and those that clean up included. */
  readonly requests: number;
  /** Checks among the chosen that could not be measured, so that nobody knows what they cost. */
  readonly unknown: readonly ClauseName[];
}

/** Requests before the first check: is the key taken, and where it matters, are there webhooks. */
const before = ({ mode }: Policy) => (mode === 'safe' ? 2 : 1);

/**
 * Chooses what fits into the policy, from checks that can be made. Statements come before questions; within a level, those that share what is
 * made once, for that is how most is learned for a card. What does not fit is left out before anything is sent.
 */
export function planned(names: readonly ClauseName[], policy: Policy, webhooksPresent: number | 'unknown' = 0): Plan {
  const leftOut = new Map<ClauseName, Why>();
  const unknown: ClauseName[] = [];
  const bounded = policy.mode !== 'full' || [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].some(Number.isFinite);
  const open = new Map<ClauseName, CheckCost>();
  for (const name of names) {
    const cost = costOf(name);
    const why = cost ? refusalOf(asksOf(cost), policy, webhooksPresent) : bounded && unmeasured;
    if (why) leftOut.set(name, why);
    else if (cost) open.set(name, cost);
    else unknown.push(name);
  }
  const isUnlimited = [policy.maxCreates, policy.maxRequests, policy.maxFaceValue].every(
    (each) => each === Number.POSITIVE_INFINITY,
  );
  const baskets = isUnlimited
    ? [everything(open, policy)]
    : (bounded ? cardWeights : [1]).map((weight) => filled(new Basket(policy, weight), open));
  const basket = baskets.reduce((best, each) => (isWorthMore(each, best) ? each : best));
  for (const name of open.keys()) if (!basket.checks.has(name)) leftOut.set(name, tooMuch);
  const chosen = new Set([...basket.checks.keys(), ...unknown]);
  return { chosen: names.filter((name) => chosen.has(name)), leftOut, ...basket.costs(), unknown };
}

/** How much a card counts against a request. Which weight fits the budget best is only known when the basket is full. */
const cardWeights = [1, 0, 0.1, 0.25, 0.5, 0.75, 1.5, 2, 3, 4, 8, 16];

/** Without a budget all of it fits. */
function everything(open: ReadonlyMap<ClauseName, CheckCost>, policy: Policy): Basket {
  const basket = new Basket(policy, 1);
  for (const [name, cost] of open) basket.add(name, cost);
  return basket;
}

/** Puts in what fits, level by level. */
function filled(basket: Basket, open: ReadonlyMap<ClauseName, CheckCost>): Basket {
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

const unmeasured: Why = { reason: 'budget', detail: 'what it costs could not be measured, and the run has a budget' };
const tooMuch: Why = {
  reason: 'budget',
  detail: 'it does not fit into the budget of this run: --max-creates, --max-requests, --max-face-value',
};

const asksOf = (cost: CheckCost): readonly Asking[] =>
  [cost, ...(cost.shared ?? []).map(costOfShared)].flatMap(({ asks }) => asks ?? []);

/** What a check asks for beside looks, what it makes together with others included; as if for everything, where that could not be measured. */
export function asksOfCheck(name: ClauseName): readonly Asking[] {
  const cost = costOf(name);
  return cost ? asksOf(cost) : ['change'];
}

/** The checks that were chosen so far. */
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

  /** The check that takes the smallest part of the budget; what it would open for others is shared among them. */
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

  /** How much of the budget that is: at a weight of 1, a card of five is as much as thirty requests of 150. */
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

/** Whether a check could be made without further cards if these were there. */
const onlyNeeds = (cost: CheckCost, there: ReadonlySet<string>, opened: readonly string[]): boolean =>
  (cost.creates ?? 0) === 0 && (cost.shared ?? []).every((each) => there.has(each) || opened.includes(each));
