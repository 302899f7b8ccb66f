import { afterAll, expect, type TestAPI } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { FaultRunner, type Way, ways } from './runner.ts';

/**
 * Declares a test for each of these faults and each way of delivery, and prints the score. In a sample, each fault runs under one way only, and each way
 * has a third of the faults.
 */
export function eachIsReported(
  what: string,
  isMeant: (fault: Fault) => boolean,
  { test, isSample }: { readonly test: Pick<TestAPI, 'each'>; readonly isSample: boolean },
): void {
  const every = Object.keys(ways) as Way[];
  const meant = [...faults].filter(([, fault]) => isMeant(fault));
  const runner = new FaultRunner();
  const reported = new Map<string, number>();
  const cases = meant.flatMap(([name, fault], index) => {
    const own = isSample ? every.slice(index % every.length).slice(0, 1) : every;
    return own.map((way) => ({ name, fault, way, ways: own.length }));
  });

  test.each(cases)('a server that $name is reported under the way: $way', async ({ name, way, fault }) => {
    expect((await runner.whyMissed(fault, way)) ?? 'reported').toBe('reported');
    reported.set(name, (reported.get(name) ?? 0) + 1);
  });

  afterAll(() => {
    const seen = cases.filter((each) => reported.get(each.name) === each.ways);
    const names = new Set(seen.map(({ name }) => name));
    console.log(
      `${what}: ${names.size} of ${meant.length} reported, each under ${isSample ? 'one way' : `${every.length} ways`} of delivery`,
    );
  });
}
