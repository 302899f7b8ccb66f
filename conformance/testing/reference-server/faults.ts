import type { ClauseName } from '../../../openapi/generated/clauses.ts';

/** Faults of the server, and the clause that each violates. */
export const faults = {
  'accepts a used code': 'gift-card.create.refuses-taken-code',
  'accepts a used uniqueId': 'idempotency.create.refuses-repeat',
  'accepts a used uniqueAdjustmentId': 'idempotency.adjustment.refuses-repeat',
  'allows overdraw by ID': 'adjustment.by-id.refuses-overdraw',
  'ignores adjustments': 'adjustment.positive-tops-up',
  'keeps the balance of voided cards': 'gift-card.void.zeroes-balance',
  'hides voided cards from the list': 'list.includes-voided',
  'lists by time of issue': 'list.last-updated-first',
  'accepts requests without a key': 'authentication.missing-key-is-401',
  'shows cards of other accounts': 'authentication.foreign-record-is-404',
  'answers 201 to creates': 'gift-card.create.answers-200',
  'delivers no expiry': 'delivery.expired.on-expiry',
} as const satisfies Record<string, ClauseName>;

export type Fault = keyof typeof faults;
