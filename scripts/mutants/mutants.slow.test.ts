import { afterAll, expect, test, vi } from 'vitest';
import '../../conformance/clauses/index.ts';
import { isSample, ranAtLeast } from '../sample.ts';
import { mutants } from './mutants.ts';
import { MutantRunner } from './runner.ts';

vi.setConfig({ testTimeout: 120_000, maxConcurrency: 8 });

const runner = new MutantRunner();
let killed = 0;

// A mutant mostly waits for deliveries, so mutants run concurrently.
// With SAMPLE=1, one of three mutants.
const cases = mutants.filter((_, index) => !isSample || index % 3 === 0);
ranAtLeast({ whole: 250, sample: 80 });
const named = cases.map((mutant) => [mutant.name, mutant] as const);
test.concurrent.each(named)('%s is killed by the test of its clause', async (_, mutant) => {
  const { isKilled, why } = await runner.run(mutant);
  if (isKilled) killed += 1;
  expect(isKilled, why).toBe(true);
});

test('there are at most 300 mutants', () => {
  expect(mutants.length).toBeLessThanOrEqual(300);
});

afterAll(() => {
  console.log(`mutants of the mock: ${killed} of ${cases.length}`);
});
