import type { ClauseName } from '../../openapi/generated/clauses.ts';
import costs from '../generated/costs.json' with { type: 'json' };
import type { Asking } from './effects.ts';
import type { Spent } from './gate.ts';

/** What something sends and costs on a target that behaves; what stands at zero is not said. */
export interface Cost extends Partial<Spent> {
  /** Requests that take away again what it made. */
  cleaning?: number;
  /** What a policy may refuse, whether the target takes it or not. */
  asks?: readonly Asking[];
}

export interface CheckCost extends Cost {
  /** What it makes together with other checks, by name; not counted in its own numbers. */
  shared?: readonly string[];
  /** Cards, and their value, that it asks for beyond those that it gets, because they are to be refused. */
  refusedCreates?: number;
  refusedFaceValue?: number;
}

const measured = costs as unknown as {
  checks: Partial<Record<ClauseName, CheckCost>>;
  shared: Readonly<Record<string, Cost>>;
};

/** Measured, never written; undefined for what could not be measured. */
export const costOf = (name: ClauseName): CheckCost | undefined => measured.checks[name];

export const costOfShared = (name: string): Cost => measured.shared[name] ?? {};

const counts = [
  'requests',
  'cleaning',
  'creates',
  'faceValue',
  'voids',
  'adjustments',
  'emails',
  'webhooks',
  'events',
  'coupons',
] as const;

export type Total = Required<Omit<Cost, 'asks'>>;

export function sum(costs: readonly Cost[]): Total {
  const of = (count: (typeof counts)[number]) => {
    const total = costs.reduce((soFar, cost) => soFar + (cost[count] ?? 0), 0);
    return Math.round(total * 100) / 100;
  };
  return Object.fromEntries(counts.map((count) => [count, of(count)])) as unknown as Total;
}
