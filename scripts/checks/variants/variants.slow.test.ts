import { expect, test, vi } from 'vitest';
import type { RuleResult } from '../../../conformance/core/result.ts';
import { type Check, checks } from '../../../conformance/core/rule.ts';
import { runRules } from '../../../conformance/core/run.ts';
import type { Profile } from '../../../conformance/http/target.ts';
import { startMock, VariantError } from '../../../mock/index.ts';
import { varied } from '../../../mock/variant/vary.ts';
import type { Override } from '../../../openapi/effective/overrides.ts';
import { type Behaviors, defaultBehaviors } from '../../../openapi/generated/rules.ts';
import { defaultWorldProfile } from '../../default-world-profile.ts';
import { isSample, ranAtLeast } from '../../sample.ts';
import '../../../conformance/rules/index.ts';
import '../../../conformance/questions/index.ts';

vi.setConfig({ maxConcurrency: 4 });

/** Each seed makes a lawful mock with its own options for the questions. */
const seeds = Array.from({ length: isSample ? 12 : 100 }, (_, index) => index + 1);
ranAtLeast({ whole: 100, sample: 12 });

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
  const fewest = first ? await neededFor(first.name, Object.entries(variation)) : [];
  expect(
    findings.map(({ name, detail, expected, got }) => ({ name, detail, expected, got })),
    `${first?.name} is found with these behaviors alone: ${fewest.map((each) => each.join(': ')).join(', ')}`,
  ).toEqual([]);
  expect(left).toEqual([]);
  // A run that tests few rules would also find nothing, so almost all rules must be tested.
  expect(passed.length, `untested: ${untested.join(', ')}`).toBeGreaterThanOrEqual(0.97 * (passed.length + untested.length));
}

/** Returns only the behaviors without which the rule's test would not find the fault. */
async function neededFor(rule: string, behaviors: readonly (readonly [string, string])[]) {
  let needed = behaviors;
  for (const each of behaviors) {
    const others = needed.filter((other) => other !== each);
    if (await finds(rule, others)) needed = others;
  }
  return needed;
}

/** Runs only the rule's test on a mock with only these behaviors. Reports whether the test finds a fault. */
async function finds(rule: string, behaviors: readonly (readonly [string, string])[]): Promise<boolean> {
  try {
    const { findings } = await runVariant(Object.fromEntries(behaviors), [], ({ name }) => name === rule);
    return findings.length > 0;
  } catch (error) {
    // Some behaviors contradict each other unless a third behavior is set, too.
    if (error instanceof VariantError) return false;
    throw error;
  }
}

/** Behaviors that are not the default, by question. */
type Variation = Readonly<Record<string, string>>;

/** The suite's results for one lawful mock. */
interface VariantResult {
  /** The verdicts fail and error. These are false findings, because the mock is lawful. */
  readonly findings: readonly RuleResult[];
  /** Cards and webhooks that the run did not clean up. */
  readonly left: readonly string[];
  /** The stated rules that passed, and the stated rules that were not tested. */
  readonly passed: readonly string[];
  readonly untested: readonly string[];
}

const variationOf = (behaviors: Behaviors): Variation =>
  Object.fromEntries(Object.entries(behaviors).filter(([name, option]) => option !== defaultBehaviors[name as keyof Behaviors]));

/** Runs the checks that `isWanted` selects. Default: all checks except the slow checks of odd input. */
async function runVariant(
  variation: Variation,
  overrides: readonly Override[] = [],
  isWanted: (check: Check) => boolean = ({ inputs }) => !inputs,
): Promise<VariantResult> {
  const isCut = (rule: string) => variation[rule] === 'seconds-and-z';
  const timesShownExactly = !isCut('http.date-form') && !isCut('delivery.payload.date-form');
  const profile = { ...defaultWorldProfile, timesShownExactly };
  // The check of the rate limit needs a limit. gift-card.void.any-state voids cards that other checks need.
  const runsLast = ({ name, burst }: Check) => burst === true || name === 'gift-card.void.any-state';
  const variant = { behaviors: variation, overrides };
  const results = [
    await runOn({ rateLimit: 'off', variant }, { ...profile, noRateLimit: true }, (check) => !runsLast(check) && isWanted(check)),
    await runOn(
      { variant },
      { ...profile, noRateLimit: false, mayVoidFixtures: true },
      (check) => runsLast(check) && isWanted(check),
    ),
  ];
  const rules = results.flatMap((result) => result.rules);
  const stated = rules.filter(({ level }) => level === 'stated');
  return {
    findings: rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'),
    left: results.flatMap(({ cards, recordsLeft }) => [...cards.left, ...recordsLeft.map(({ value }) => value)]),
    passed: stated.flatMap(({ name, verdict }) => (verdict === 'pass' ? [name] : [])),
    untested: stated.flatMap(({ name, verdict }) => (verdict === 'untested' || verdict === 'blocked' ? [name] : [])),
  };
}

async function runOn(options: object, profile: Profile, isWanted: (check: Check) => boolean) {
  const names = checks().flatMap((check) => (isWanted(check) ? [check.name] : []));
  await using mock = await startMock({ listen: false, ...options });
  const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
  return await runRules({ target, names, checks: checks() });
}
