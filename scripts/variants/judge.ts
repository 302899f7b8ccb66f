import { type Check, checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import '../../conformance/probes/index.ts';
import type { ClauseResult } from '../../conformance/core/result.ts';
import { runClauses } from '../../conformance/core/run.ts';
import type { Profile } from '../../conformance/core/target.ts';
import { startMock } from '../../mock/index.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import { type Behaviors, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** What the suite says of one lawful deployment: it must find no fault, leave nothing behind, and still say something. */
export interface Judged {
  /** Verdicts that are no lawful deployment's: fail and error. */
  readonly reds: readonly ClauseResult[];
  readonly left: readonly string[];
  /** Stated clauses, by what came of them. */
  readonly passed: readonly string[];
  readonly silent: readonly ClauseResult[];
}

/** Behaviors that are not the default, by clause. */
export type Variation = Readonly<Record<string, string>>;

export const differing = (behaviors: Behaviors): Variation =>
  Object.fromEntries(
    Object.entries(behaviors).filter(([name, reading]) => reading !== defaultBehaviors[name as keyof Behaviors]),
  );

/** What such a deployment would truly say of itself. */
function profileOf(variation: Variation): Profile {
  const isCut = (clause: string) => variation[clause] === 'seconds-and-z';
  return { ...defaultWorldProfile, timesShownExactly: !isCut('http.date-form') && !isCut('delivery.payload.date-form') };
}

/** Uses up cards that other checks need, and so comes last. */
const usesUp = (name: string) => name === 'gift-card.void.any-state';

/** Judges the mock that answers its open questions so, in this process, by every check but those of odd input, which take longer than all others, or by those that are wanted. */
export async function judge(
  variation: Variation,
  wanted: (check: Check) => boolean = ({ inputs }) => !inputs,
  overrides: readonly Row[] = [],
): Promise<Judged> {
  const profile = profileOf(variation);
  const results = [
    await judgedBy(
      variation,
      { ...profile, noRateLimit: true },
      (check) => !check.burst && !usesUp(check.name) && wanted(check),
      overrides,
    ),
    await judgedBy(
      variation,
      { ...profile, noRateLimit: false, mayVoidFixtures: true },
      (check) => (check.burst === true || usesUp(check.name)) && wanted(check),
      overrides,
    ),
  ];
  const clauses = results.flatMap((result) => result?.clauses ?? []);
  const stated = clauses.filter(({ level }) => level === 'stated');
  return {
    reds: clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error'),
    left: results.flatMap((result) => (result ? [...result.cards.left, ...result.recordsLeft.map(({ value }) => value)] : [])),
    passed: stated.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name),
    silent: stated.filter(({ verdict }) => verdict === 'untested' || verdict === 'blocked'),
  };
}

async function judgedBy(variation: Variation, profile: Profile, wanted: (check: Check) => boolean, overrides: readonly Row[]) {
  const names = checks().flatMap((check) => (wanted(check) ? [check.name] : []));
  if (names.length === 0) return undefined;
  const limits = profile.noRateLimit ? ({ rateLimit: 'off' } as const) : {};
  const mock = await startMock({ listen: false, ...limits, variant: { behaviors: variation, overrides } });
  const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
  try {
    return await runClauses({ target, names, checks: checks(), suite: 'varied' });
  } finally {
    await mock.close();
  }
}

/** How many stated clauses have a test that is not kept for our own expectations. */
export const statedWithTest = (judged: Judged): number => judged.passed.length + judged.silent.length;

/** Whether enough of them are found to hold, for what is silent proves nothing: of a hundred, 97. */
export const isTelling = (judged: Judged): boolean => judged.passed.length >= 0.97 * statedWithTest(judged);
