import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levels } from '../core/contract.ts';
import { wentWrong } from '../core/exit.ts';
import type { ClauseResult, CompareResult, Difference, Outcome, RunResult } from '../core/result.ts';
import { withPlaceholders } from './placeholders.ts';
import { firstDifferingStep, unsteadyPlaces } from './steps.ts';

type Comparison = Pick<CompareResult, 'compared' | 'alike' | 'differences' | 'uncompared' | 'unsteady'>;

/**
 * Compares the outcomes of two runs, clause by clause. `secondOfA` is another run on A: a clause that differs there as much as between A and B is
 * unsteady, and not a difference.
 */
export function compareRuns(a: RunResult, b: RunResult, secondOfA?: RunResult): Comparison {
  const [byNameA, byNameB, byNameSecond] = [a, b, secondOfA].map(byName);
  const comparison: Comparison = { compared: 0, alike: 0, differences: [], uncompared: [], unsteady: [] };
  const unsteady = new Set(
    [...(byNameSecond ?? [])].flatMap(([name, second]) => unsteadyPlaces(byNameA?.get(name)?.exchanges ?? [], second.exchanges)),
  );
  for (const [name, one] of byNameA ?? []) {
    const other = byNameB?.get(name);
    if (!other) continue;
    const second = byNameSecond?.get(name);
    const noise = second && noiseOf(one, second);
    const { level } = one;
    if (second && noise !== undefined)
      comparison.unsteady.push({ name, level, first: outcomeOf(one), second: outcomeOf(second) });
    if (!hasVerdict(one) || !hasVerdict(other)) {
      if (hasVerdict(one) === hasVerdict(other) || noise !== undefined) continue;
      const incomplete = wentWrong(hasVerdict(one) ? other : one);
      comparison.uncompared.push({ name, level, a: outcomeOf(one), b: outcomeOf(other), incomplete });
      continue;
    }
    comparison.compared += 1;
    const kind = differenceKind(one, other);
    if (!kind) comparison.alike += 1;
    if (!kind || (noise !== undefined && noise >= weights[kind])) continue;
    const step = firstDifferingStep(one.exchanges, other.exchanges, unsteady);
    const { from, text } = one;
    comparison.differences.push({
      name,
      level,
      from,
      text,
      kind,
      a: outcomeOf(one),
      b: outcomeOf(other),
      ...(step ? { step } : {}),
    });
  }
  comparison.differences.sort((one, other) => rank(one) - rank(other));
  return comparison;
}

const byName = (run: RunResult | undefined): ReadonlyMap<ClauseName, ClauseResult> =>
  new Map(run?.clauses.map((clause) => [clause.name, clause]));

const hasVerdict = ({ verdict }: ClauseResult): boolean =>
  verdict === 'pass' || verdict === 'fail' || verdict === 'observed' || verdict === 'known-fail';

const fails = ({ verdict }: ClauseResult): boolean => verdict === 'fail' || verdict === 'known-fail';

function differenceKind(a: ClauseResult, b: ClauseResult): Difference['kind'] | undefined {
  if (fails(a) !== fails(b)) return 'violated';
  if (fails(a)) return withPlaceholders(a.got ?? '') === withPlaceholders(b.got ?? '') ? undefined : 'violated-differently';
  return a.verdict === b.verdict && observationKey(a) === observationKey(b) ? undefined : 'observation';
}

const weights: Readonly<Record<Difference['kind'], number>> = { violated: 2, 'violated-differently': 1, observation: 0 };

const rank = ({ level, kind }: Difference): number => levels.indexOf(level) * 10 - weights[kind];

/** How much a clause differs in two runs on the same target; undefined if it does not. */
function noiseOf(first: ClauseResult, second: ClauseResult): number | undefined {
  if (hasVerdict(first) && hasVerdict(second)) {
    const kind = differenceKind(first, second);
    return kind && weights[kind];
  }
  // A clause that uses up a fixture cannot be run twice, which is not noise.
  const differs = hasVerdict(first) !== hasVerdict(second) && (wentWrong(first) || wentWrong(second));
  return differs ? weights.violated : undefined;
}

const observationKey = ({ observation }: ClauseResult): string | undefined =>
  observation && JSON.stringify([observation.option ?? withPlaceholders(observation.text), observation.overrides]);

function outcomeOf({ verdict, reason, observation, expected, got, detail }: ClauseResult): Outcome {
  return {
    verdict: reason === undefined ? verdict : `${verdict}: ${reason}`,
    ...(observation ? { observation: withPlaceholders(observation.text) } : {}),
    ...(expected === undefined ? {} : { expected: withPlaceholders(expected) }),
    ...(got === undefined ? {} : { got: withPlaceholders(got) }),
    ...(detail === undefined ? {} : { detail: withPlaceholders(detail) }),
  };
}
