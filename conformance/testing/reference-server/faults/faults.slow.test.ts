import { afterAll, expect, test, vi } from 'vitest';
import { isSample, ranAtLeast } from '../../../../scripts/sample.ts';
import { faultNamed, faults } from './faults.ts';
import { FaultRunner, type Way, ways } from './runner.ts';

vi.setConfig({ testTimeout: 400_000, maxConcurrency: 10_000 });

const every = Object.keys(ways) as Way[];

interface NotYetSeen {
  readonly why: string;
  readonly names: readonly string[];
}

/** Faults that the suite does not see yet. */
const notYetSeen: readonly NotYetSeen[] = [];

const isKnown = (name: string) => notYetSeen.some(({ names }) => names.includes(name));

const runner = new FaultRunner();
const missed = new Set<string>();
// With SAMPLE=1, each fault runs under one way only, and each way has a third of the faults.
const waysOf = (index: number) => every.filter((_, position) => !isSample || position === index % every.length);
const cases = [...faults.keys()].flatMap((name, index) => waysOf(index).map((way) => [name, way] as const));
ranAtLeast({ whole: 360, sample: 120 });

// A run mostly waits for deliveries, so runs are concurrent.
test.concurrent.each(cases)('a server that %s is reported under the way: %s', async (name, way) => {
  const why = await runner.whyMissed(faultNamed(name), way);
  if (why !== undefined) missed.add(name);
  if (isKnown(name)) expect(why, 'The suite sees this fault now. Remove the fault from notYetSeen.').toBeDefined();
  else expect(why ?? 'reported').toBe('reported');
});

test('there are at least 120 faults, and the suite sees nine of ten', () => {
  expect(faults.size).toBeGreaterThanOrEqual(120);
  const names = notYetSeen.flatMap((each) => each.names);
  expect(names.map((name) => faultNamed(name).clause).length).toBeLessThanOrEqual(faults.size / 10);
});

afterAll(() => {
  console.log(`faults of the reference server: ${faults.size - missed.size} of ${faults.size} under ${every.length} ways`);
});
