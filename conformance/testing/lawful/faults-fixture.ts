import type { ClauseName } from '../../../openapi/generated/clauses.ts';

/** What is wrong with a service that is not lawful, the clause that this breaks, and the share of walks in which it is to be named at least. */
export const faults = {
  'gives taken codes': ['gift-card.create.refuses-taken-code', 0.08],
  'creates twice': ['idempotency.create.refuses-repeat', 0.06],
  'adjusts twice': ['idempotency.adjustment.refuses-repeat', 0.06],
  'overdraws by ID': ['adjustment.by-id.refuses-overdraw', 0.05],
  'takes and does nothing': ['adjustment.positive-tops-up', 0.09],
  'leaves the balance of voided cards': ['gift-card.void.zeroes-balance', 0.25],
  'lists no voided cards': ['list.includes-voided', 0.15],
} satisfies Record<string, readonly [ClauseName, number]>;

export type Fault = keyof typeof faults;
