import { afterAll, expect, test } from 'vitest';
import '../../conformance/clauses/index.ts';
import { mutants } from './mutants.ts';
import { MutantRunner } from './runner.ts';

const runner = new MutantRunner();
let killed = 0;

// A mutant mostly waits for deliveries, so mutants run concurrently.
const named = mutants.map((mutant) => [mutant.name, mutant] as const);
test.concurrent.each(named)('%s is killed by the test of its clause', async (_, mutant) => {
  const { isKilled, why } = await runner.run(mutant);
  if (isKilled) killed += 1;
  expect(isKilled, why).toBe(true);
});

test('there are at most 300 mutants', () => {
  expect(mutants.length).toBeLessThanOrEqual(300);
});

afterAll(() => {
  console.log(`mutants of the mock: ${killed} of ${mutants.length}`);
});
