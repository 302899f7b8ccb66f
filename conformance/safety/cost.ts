import type { RuleName } from '../../openapi/generated/rules.ts';
import type { Mode } from '../core/settings.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import { countedEffects, type EffectKind } from './effects.ts';

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
