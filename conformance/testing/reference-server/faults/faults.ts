import type { StatedClause } from '../../../../openapi/generated/clauses.ts';
import { accessFaults } from './access.ts';
import { adjustmentFaults } from './adjustments.ts';
import { cardFaults } from './cards.ts';
import { deliveryFaults } from './deliveries.ts';
import { eventFaults } from './events.ts';
import type { Fault, FaultTable } from './fault.ts';
import { idempotencyFaults } from './idempotency.ts';
import { limitFaults } from './limits.ts';
import { lookupFaults } from './lookups.ts';
import { payloadFaults } from './payload.ts';
import { webhookFaults } from './webhooks.ts';

const tables: readonly FaultTable[] = [
  accessFaults,
  limitFaults,
  cardFaults,
  lookupFaults,
  adjustmentFaults,
  idempotencyFaults,
  eventFaults,
  webhookFaults,
  deliveryFaults,
  payloadFaults,
];

/** The faults by name. */
export const faults: ReadonlyMap<string, Fault> = new Map(tables.flatMap(faultsIn));

function faultsIn(table: FaultTable): [string, Fault][] {
  return Object.entries(table).flatMap(([clause, entries]) =>
    Object.entries(entries).map(([name, entry]): [string, Fault] => {
      const [make, options] = typeof entry === 'function' ? [entry, {}] : entry;
      return [name, { clause: clause as StatedClause, make, options }];
    }),
  );
}

/** Returns the fault with the name. Throws an error if there is none. */
export function faultNamed(name: string): Fault {
  const found = faults.get(name);
  if (!found) throw new Error(`There is no fault with the name "${name}".`);
  return found;
}
