import { afterAll, expect } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type DeliveryOrder, deliveryOrders, FaultRunner } from './runner.ts';

interface FaultCase {
  readonly name: string;
  readonly fault: Fault;
  readonly order: DeliveryOrder;
}

/**
 * Returns a case for each of these faults and each order of deliveries, and the check of a case. Prints the score at the end. In a sample, each fault
 * runs with one order only, and each order has a third of the faults.
 */
export function faultCases(what: string, isMeant: (fault: Fault) => boolean, isSample: boolean) {
  const allOrders = Object.keys(deliveryOrders) as DeliveryOrder[];
  const meant = [...faults].filter(([, fault]) => isMeant(fault));
  const runner = new FaultRunner();
  const reported = new Map<string, number>();
  const ordersOf = (index: number) => (isSample ? allOrders.slice(index % allOrders.length).slice(0, 1) : allOrders);
  const cases: FaultCase[] = meant.flatMap(([name, fault], index) => ordersOf(index).map((order) => ({ name, fault, order })));

  async function isReported({ name, order, fault }: FaultCase): Promise<void> {
    expect((await runner.whyMissed(fault, order)) ?? 'reported').toBe('reported');
    reported.set(name, (reported.get(name) ?? 0) + 1);
  }

  afterAll(() => {
    const seen = meant.filter(([name], index) => reported.get(name) === ordersOf(index).length);
    const ran = isSample ? 'one order' : `${allOrders.length} orders`;
    console.log(`${what}: ${seen.length} of ${meant.length} reported, each with ${ran} of deliveries`);
  });
  return { cases, isReported };
}
