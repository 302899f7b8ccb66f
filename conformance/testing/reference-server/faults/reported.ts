import { afterAll, expect } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type DeliveryOrder, FaultRunner, ways } from './runner.ts';

interface FaultCase {
  readonly name: string;
  readonly fault: Fault;
  readonly way: DeliveryOrder;
}

/**
 * Returns a case for each of these faults and each way of delivery, and the check of a case. Prints the score at the end. In a sample, each fault runs
 * under one way only, and each way has a third of the faults.
 */
export function faultCases(what: string, isMeant: (fault: Fault) => boolean, isSample: boolean) {
  const every = Object.keys(ways) as DeliveryOrder[];
  const meant = [...faults].filter(([, fault]) => isMeant(fault));
  const runner = new FaultRunner();
  const reported = new Map<string, number>();
  const waysOf = (index: number) => (isSample ? every.slice(index % every.length).slice(0, 1) : every);
  const cases: FaultCase[] = meant.flatMap(([name, fault], index) => waysOf(index).map((way) => ({ name, fault, way })));

  async function isReported({ name, way, fault }: FaultCase): Promise<void> {
    expect((await runner.whyMissed(fault, way)) ?? 'reported').toBe('reported');
    reported.set(name, (reported.get(name) ?? 0) + 1);
  }

  afterAll(() => {
    const seen = meant.filter(([name], index) => reported.get(name) === waysOf(index).length);
    const ran = isSample ? 'one way' : `${every.length} ways`;
    console.log(`${what}: ${seen.length} of ${meant.length} reported, each under ${ran} of delivery`);
  });
  return { cases, isReported };
}
