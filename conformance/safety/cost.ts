import type { ClauseName } from '../../openapi/generated/clauses.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import { countedEffects, type EffectKind } from './effects.ts';

const counts = ['requests', 'cleaning', ...countedEffects] as const;

/** Counts of requests and effects. `cleaning` counts the requests that clean up, and `requests` all others. */
export type Total = Record<(typeof counts)[number], number>;

/** The cost of a check on a correct target. Zeros are left out. */
export interface Cost extends Partial<Total> {
  /** Effects that a policy may refuse. */
  asks?: readonly EffectKind[];
}

export interface CheckCost extends Cost {
  /** Names of arrangements that the check shares with others. The numbers of the check do not include them. */
  shared?: readonly string[];
  /** The number of creates that the target must refuse at the same time, and their value. */
  refusedCreates?: number;
  refusedFaceValue?: number;
}

const measured = costs as unknown as {
  checks: Partial<Record<ClauseName, CheckCost>>;
  shared: Readonly<Record<string, Cost>>;
};

/** Returns the cost that `npm run generate -- --costs` measured; undefined if unknown. */
export const costOf = (name: ClauseName): CheckCost | undefined => measured.checks[name];

export const costOfShared = (name: string): Cost => measured.shared[name] ?? {};

export function sum(costs: readonly Cost[]): Total {
  const of = (count: keyof Total) => costs.reduce((soFar, cost) => soFar + (cost[count] ?? 0), 0);
  return Object.fromEntries(counts.map((count) => [count, Math.round(of(count) * 100) / 100])) as Total;
}
