import { afterAll, expect, test } from 'vitest';
import { overridesFor } from '../../openapi/effective/names.ts';
import { names } from '../../openapi/generated/names.ts';
import { readVariant, type Variant } from '../../openapi/variant/variant.ts';
import { LearnRun } from './learn-run.ts';

const here = new LearnRun();
afterAll(() => here.end());

/** Deliveries take long to wait for. */
const quick = [
  ...['delivery.*', 'webhook.create.again-while-disabled', 'webhook.delete.disabled', '*.again-delivers', '*.update-delivery'],
  '*.waiting-gift',
].flatMap((glob) => ['--skip', glob]);

/** What is learned from a mock with these options, and from a second mock with what was learned. */
async function twice(name: string, options: Parameters<LearnRun['mock']>[0]): Promise<{ first: Variant; second: Variant }> {
  const learned: Variant[] = [];
  for (const [file, mockOptions] of [
    [`${name}.yaml`, options],
    [`${name}-again.yaml`, { variant: here.at(`${name}.yaml`) }],
  ] as const) {
    const mock = await here.mock(mockOptions);
    const { err } = await here.learn(mock, file, quick);
    await mock.close();
    expect(err).toBe('');
    learned.push(await readVariant([here.at(file)]));
  }
  const [first, second] = learned as [Variant, Variant];
  return { first, second };
}

/** A mock that rounds times shows these in another way than one that does not. */
const dependsOnTime = new Set(['gift-card.create.gift-scheduled-in-past', 'http.date-form', 'http.date-without-zone']);

const pick = (behaviors: object, clauses: readonly string[]) =>
  Object.fromEntries(Object.entries(behaviors).filter(([clause]) => clauses.includes(clause)));

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(seeds)(
  'a mock with what was learned of a varied mock shows the same: seed %i',
  async (seed) => {
    const { first, second } = await twice(`varied-${seed}`, { vary: true, seed });
    expect(Object.keys(first.behaviors).length).toBeGreaterThan(50);
    const kept = Object.keys(first.behaviors).filter((clause) => !dependsOnTime.has(clause));
    expect(pick(second.behaviors, kept)).toEqual(pick(first.behaviors, kept));
    expect(second.overrides).toEqual(first.overrides);
  },
  400_000,
);

test('names that the table does not list are learned by their values', async () => {
  const own = names.filter(
    ({ clause }) => clause !== 'names.coupon' && clause !== 'names.adjustment-by-id' && clause !== 'names.channel-lookup',
  );
  const overrides = own.flatMap((row, index) => overridesFor(row, `madeUp${index}`));
  const { first, second } = await twice('names', { variant: { overrides } });
  const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();
  expect(sorted(first.overrides)).toEqual(sorted(overrides));
  expect(second).toEqual(first);
}, 400_000);
