import type { RuleName } from '../../openapi/generated/rules.ts';
import { levels } from '../core/contract.ts';
import type { RuleResult, RunResult } from '../core/result.ts';
import { wentWrong } from '../core/run-ending.ts';
import type { ComparedOutcome, CompareResult, Difference } from './result.ts';
import { decidingStep, fails, usualDifferences, withPlaceholders } from './steps.ts';

type Comparison = Pick<CompareResult, 'compared' | 'alike' | 'differences' | 'uncompared' | 'unsteady'>;

/** Compares two runs. A rule is unsteady if its outcomes in `a` and `secondOfA` differ. An unsteady rule counts as a difference only if one target violates the rule in every run, and the other target in no run. */
export function compareRuns(a: RunResult, b: RunResult, secondOfA?: RunResult): Comparison {
  const [byNameB, byNameSecond] = [byName(b), byName(secondOfA)];
  const comparison: Comparison = { compared: 0, alike: 0, differences: [], uncompared: [], unsteady: [] };
  const pairs = a.rules.flatMap((one) => {
    const other = byNameB.get(one.name);
    return other ? [[one, other] as const] : [];
  });
  const usual = new Set(pairs.flatMap(([one, other]) => (differenceKind(one, other) ? [] : usualDifferences(one, other))));
  for (const [one, other] of pairs) {
    const { name, level, from, text } = one;
    const second = byNameSecond.get(name);
    const noise = second && (differenceKind(one, second) ?? (isLost(one, second) ? 'violated' : undefined));
    if (second && noise) comparison.unsteady.push({ name, level, a: outcomeOf(one), b: outcomeOf(second) });
    if (!hasVerdict(one) || !hasVerdict(other)) {
      if (hasVerdict(one) !== hasVerdict(other) && !noise)
        comparison.uncompared.push({ name, level, a: outcomeOf(one), b: outcomeOf(other), incomplete: isLost(one, other) });
      continue;
    }
    comparison.compared += 1;
    const kind = differenceKind(one, other);
    if (!kind) comparison.alike += 1;
    if (!kind || (noise && (kind !== 'violated' || noise === 'violated'))) continue;
    const step = decidingStep(one, other, usual);
    const outcomes = { a: outcomeOf(one), b: outcomeOf(other) };
    comparison.differences.push({ name, level, from, text, kind, ...outcomes, ...(step ? { step } : {}) });
  }
  comparison.differences.sort((one, other) => rank(one) - rank(other));
  return comparison;
}

const byName = (run: RunResult | undefined): ReadonlyMap<RuleName, RuleResult> =>
  new Map(run?.rules.map((rule) => [rule.name, rule]));

const hasVerdict = ({ verdict }: RuleResult): boolean =>
  verdict === 'pass' || verdict === 'fail' || verdict === 'observed' || verdict === 'known-fail';

/** Reports whether only one of two runs has a verdict, because something went wrong in the other run. A fixture that the first run used up does not count. */
const isLost = (one: RuleResult, other: RuleResult): boolean =>
  hasVerdict(one) !== hasVerdict(other) && (wentWrong(one) || wentWrong(other));

/** Returns the kind of difference. Returns undefined if the results are alike, or if one result has no verdict. */
function differenceKind(a: RuleResult, b: RuleResult): Difference['kind'] | undefined {
  if (!hasVerdict(a) || !hasVerdict(b)) return undefined;
  if (fails(a) !== fails(b)) return 'violated';
  if (fails(a)) return withPlaceholders(a.got ?? '') === withPlaceholders(b.got ?? '') ? undefined : 'violated-differently';
  return a.verdict === b.verdict && observationKey(a) === observationKey(b) ? undefined : 'observation';
}

const kinds: readonly Difference['kind'][] = ['violated', 'violated-differently', 'observation'];
const rank = ({ level, kind }: Difference): number => levels.indexOf(level) * 10 + kinds.indexOf(kind);

const observationKey = ({ observation }: RuleResult): string | undefined =>
  observation && JSON.stringify([observation.option ?? withPlaceholders(observation.text), observation.overrides]);

function outcomeOf({ verdict, reason, observation, expected, got, detail }: RuleResult): ComparedOutcome {
  return {
    verdict: reason === undefined ? verdict : `${verdict}: ${reason}`,
    ...(observation ? { observation: withPlaceholders(observation.text) } : {}),
    ...(expected === undefined ? {} : { expected: withPlaceholders(expected) }),
    ...(got === undefined ? {} : { got: withPlaceholders(got) }),
    ...(detail === undefined ? {} : { detail: withPlaceholders(detail) }),
  };
}
