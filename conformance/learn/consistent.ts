import { questions, standardDocument } from '../../openapi/effective/behaviors.ts';
import { conflictsBetween } from '../../openapi/effective/conflicts.ts';
import type { Override, SourcedOverride } from '../../openapi/effective/overrides.ts';
import { overrideProblem } from '../../openapi/effective/variant.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { RuleResult } from '../core/result.ts';

/** A part of an observation: an option, or overrides. One part may fit into a contract that conflicts with the other part. */
interface Claim {
  readonly question: RuleName;
  readonly option?: string;
  readonly overrides: readonly Override[];
}

/** Returns the observations that fit into one contract. If two observations conflict, keeps the first. Tries the other again at the end, because a later observation may resolve the conflict. `conflicts` are sentences about the claims that were left out. */
export function consistent(rules: readonly Pick<RuleResult, 'name' | 'observation'>[]) {
  const claims = rules.flatMap(({ name, observation }): Claim[] => {
    const overrides = (observation?.overrides ?? []) as Override[];
    const option = observation?.option == null ? [] : [{ question: name, option: observation.option, overrides: [] }];
    return [...option, ...(overrides.length > 0 ? [{ question: name, overrides }] : [])];
  });
  const kept: Claim[] = [];
  let others = claims;
  for (let before = -1; before < kept.length; ) {
    before = kept.length;
    others = others.filter((claim) => {
      const fits = conflictOf([...kept, claim]) === undefined;
      if (fits) kept.push(claim);
      return !fits;
    });
  }
  return { claims: kept, conflicts: others.flatMap((claim) => conflictOf([...kept, claim]) ?? []) };
}

function conflictOf(claims: readonly Claim[]): string | undefined {
  const invalid = claims.flatMap(({ overrides }) => overrides.flatMap((each) => overrideProblem(each) ?? []));
  return [...invalid, ...conflictsBetween(claims.flatMap(rowsOf), standardDocument)][0];
}

function rowsOf({ question, option, overrides }: Claim): SourcedOverride[] {
  const ofOption = option === undefined ? [] : (questions[question]?.behaviors?.[option]?.wire ?? []);
  return [...ofOption, ...overrides].map((override) => ({ override, from: question }));
}
