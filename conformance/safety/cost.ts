import type { ClauseName } from '../../openapi/generated/clauses.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import type { EffectKind } from './effects.ts';
import type { Spent } from './gate.ts';

/** What a check sends and costs on a correct target. Zeros are left out. */
export interface Cost extends Partial<Spent> {
  /** Requests that clean up. */
  cleaning?: number;
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

const counts = ['requests', 'cleaning', 'creates', 'faceValue', 'voids', 'adjustments', 'emails', 'webhooks', 'events'] as const;

export type Total = Required<Omit<Cost, 'asks'>>;

export function sum(costs: readonly Cost[]): Total {
  const of = (count: (typeof counts)[number]) => {
    const total = costs.reduce((soFar, cost) => soFar + (cost[count] ?? 0), 0);
    return Math.round(total * 100) / 100;
  };
  return Object.fromEntries(counts.map((count) => [count, of(count)])) as unknown as Total;
}
