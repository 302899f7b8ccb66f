import type { StatedRule } from '../../../../openapi/generated/rules.ts';
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
import { robustnessFaults } from './robustness.ts';
import { webhookFaults } from './webhooks.ts';

const tables: readonly FaultTable[] = [
  accessFaults,
  limitFaults,
  robustnessFaults,
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
export const faults: ReadonlyMap<string, Fault> = faultsIn(tables);

/** Throws an error if two faults have the same name, because one of them would be lost. */
function faultsIn(all: readonly FaultTable[]): Map<string, Fault> {
  const found = new Map<string, Fault>();
  for (const [rule, entries] of all.flatMap((table) => Object.entries(table)))
    for (const [name, entry] of Object.entries(entries)) {
      if (found.has(name)) throw new Error(`Two faults have the name "${name}".`);
      const [make, options] = typeof entry === 'function' ? [entry, {}] : entry;
      found.set(name, { rule: rule as StatedRule, make, options });
    }
  return found;
}

/** Returns the fault with the name. Throws an error if there is none. */
export function faultNamed(name: string): Fault {
  const found = faults.get(name);
  if (!found) throw new Error(`There is no fault with the name "${name}".`);
  return found;
}
