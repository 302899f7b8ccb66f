import { expect, test } from 'vitest';
import { VariantError } from '../../mock/index.ts';
import { varied } from '../../mock/variant/vary.ts';
import { minimize } from './minimize.ts';
import { runVariant, type VariantResult, type Variation, variationOf } from './run-variant.ts';

/** Each seed is a lawful mock that answers the open questions in its own way. */
const seeds = Array.from({ length: 100 }, (_, index) => index + 1);

test.concurrent.each(seeds)('the suite finds no fault with a lawful mock: seed %i', async (seed) => {
  const { behaviors, overrides } = varied(seed);
  const variation = variationOf(behaviors);
  await expectNoFinding(await runVariant(variation, overrides), variation);
});

test.concurrent('odd input finds no fault either', async () => {
  const variation = variationOf(varied(5).behaviors);
  const { findings, left } = await runVariant(variation, [], ({ inputs }) => inputs === true);
  expect([findings, left]).toEqual([[], []]);
});

async function expectNoFinding({ findings, left, passed, untested }: VariantResult, variation: Variation): Promise<void> {
  const [first] = findings;
  const fewest = first ? await minimize(Object.entries(variation), (some) => finds(first.name, some)) : [];
  expect(
    findings.map(({ name, detail, expected, got }) => ({ name, detail, expected, got })),
    `${first?.name} is found with these behaviors alone: ${fewest.map((each) => each.join(': ')).join(', ')}`,
  ).toEqual([]);
  expect(left).toEqual([]);
  // A run that tests little finds nothing, too.
  expect(passed.length, `untested: ${untested.join(', ')}`).toBeGreaterThanOrEqual(0.97 * (passed.length + untested.length));
}

/** Whether the clause's test, run alone, finds a fault with a mock that has only these behaviors. */
async function finds(clause: string, behaviors: readonly (readonly [string, string])[]): Promise<boolean> {
  try {
    const { findings } = await runVariant(Object.fromEntries(behaviors), [], ({ name }) => name === clause);
    return findings.length > 0;
  } catch (error) {
    // These behaviors contradict each other without the ones that are missing.
    if (error instanceof VariantError) return false;
    throw error;
  }
}
