import { type Check, checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import '../../conformance/probes/index.ts';
import type { ClauseResult } from '../../conformance/core/result.ts';
import { runClauses } from '../../conformance/core/run.ts';
import type { Profile } from '../../conformance/core/target.ts';
import { startMock } from '../../mock/index.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { type Behaviors, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** Behaviors that are not the default, by clause. */
export type Variation = Readonly<Record<string, string>>;

/** The suite's results for one lawful mock. */
export interface VariantResult {
  /** Fail and error: false findings, as the mock is lawful. */
  readonly findings: readonly ClauseResult[];
  /** Cards and webhooks that the run did not clean up. */
  readonly left: readonly string[];
  /** Stated clauses that were tested and hold, and those that were not tested. */
  readonly passed: readonly string[];
  readonly untested: readonly string[];
}

export const variationOf = (behaviors: Behaviors): Variation =>
  Object.fromEntries(Object.entries(behaviors).filter(([name, option]) => option !== defaultBehaviors[name as keyof Behaviors]));

/** Runs all checks but those of odd input, which take longer than the others, or the checks that `isWanted` selects. */
export async function runVariant(
  variation: Variation,
  overrides: readonly Override[] = [],
  isWanted: (check: Check) => boolean = ({ inputs }) => !inputs,
): Promise<VariantResult> {
  const isCut = (clause: string) => variation[clause] === 'seconds-and-z';
  const timesShownExactly = !isCut('http.date-form') && !isCut('delivery.payload.date-form');
  const profile = { ...defaultWorldProfile, timesShownExactly };
  // The rate test needs a limit, and the void of every state uses up cards that other checks need.
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
  const clauses = results.flatMap((result) => result.clauses);
  const stated = clauses.filter(({ level }) => level === 'stated');
  return {
    findings: clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'),
    left: results.flatMap(({ cards, recordsLeft }) => [...cards.left, ...recordsLeft.map(({ value }) => value)]),
    passed: stated.flatMap(({ name, verdict }) => (verdict === 'pass' ? [name] : [])),
    untested: stated.flatMap(({ name, verdict }) => (verdict === 'untested' || verdict === 'blocked' ? [name] : [])),
  };
}

async function runOn(options: object, profile: Profile, isWanted: (check: Check) => boolean) {
  const names = checks().flatMap((check) => (isWanted(check) ? [check.name] : []));
  await using mock = await startMock({ listen: false, ...options });
  const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
  return await runClauses({ target, names, checks: checks(), suite: 'variants' });
}
