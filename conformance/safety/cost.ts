import type { ClauseName } from '../../openapi/generated/clauses.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import { countedEffects, type EffectKind } from './effects.ts';

const counts = ['requests', 'cleaning', ...countedEffects] as const;

/** `requests` does not include those that clean up. */
export type Total = Record<(typeof counts)[number], number>;

/** What a check sends and costs on a correct target. Zeros are left out. */
export interface Cost extends Partial<Total> {
  /** Effects that a policy may refuse. */
  asks?: readonly EffectKind[];
}

export interface CheckCost extends Cost {
  /** Names of arrangements that it shares with other checks; not part of its own numbers. */
  shared?: readonly string[];
  /** Cards that the target should refuse, and their value. */
  refusedCreates?: number;
  refusedFaceValue?: number;
}

const measured = costs as unknown as {
  checks: Partial<Record<ClauseName, CheckCost>>;
  shared: Readonly<Record<string, Cost>>;
};

/** Measured by `npm run generate -- --costs`; undefined if unknown. */
export const costOf = (name: ClauseName): CheckCost | undefined => measured.checks[name];

export const costOfShared = (name: string): Cost => measured.shared[name] ?? {};

export function sum(costs: readonly Cost[]): Total {
  const of = (count: keyof Total) => costs.reduce((soFar, cost) => soFar + (cost[count] ?? 0), 0);
  return Object.fromEntries(counts.map((count) => [count, Math.round(of(count) * 100) / 100])) as Total;
}
