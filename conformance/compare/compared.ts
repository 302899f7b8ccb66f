import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { checks } from '../core/clause.ts';
import { levels } from '../core/contract.ts';
import { wentWrong } from '../core/exit.ts';
import type { ClauseResult } from '../core/result.ts';
import { rowsSeen } from '../learn/agreeing.ts';
import { type Way, wayOf } from './aligned-steps.ts';
import type { Comparison, Difference, Uncompared, Unsteady } from './comparison.ts';
import { Explained } from './explained.ts';
import { bothFound, isJudged, kindOf, weight } from './found.ts';
import { keyOf, type Volatile } from './json-diff.ts';
import { type Ran, type Speaker, speaker, unmarking } from './normalized.ts';
import { UnexplainedThings } from './unexplained.ts';
import { Where } from './where.ts';

type Findings = Pick<Comparison, 'compared' | 'alike' | 'differences' | 'uncompared' | 'unjudged' | 'unsteady' | 'unexplained'>;

/** What two runs of one plan found differently; `again` is the plan on A once more, by which what is not steady there is known. */
export function compared(a: Ran, b: Ran, again?: Ran): Findings {
  const [ours, theirs, second] = [a, b, again].map(byName);
  const readers = { a: readerOf(a), b: readerOf(b) };
  const speakers = { a: speaker(readers.a, a), b: speaker(readers.b, b) };
  const explained = new Explained(readers.a.plan, readers.b.plan);
  const volatile = again ? volatileOf(a, again, speakers.a) : new Set<string>();
  const found: Findings = { compared: 0, alike: 0, differences: [], uncompared: [], unjudged: [], unsteady: [], unexplained: [] };
  const differing: { one: ClauseResult; other: ClauseResult; difference: Difference; way: Way }[] = [];
  const unexplained = new UnexplainedThings();
  const atOnce = new Set(checks().flatMap((check) => (check.atOnce ? [check.name] : [])));
  for (const [name, one] of ours ?? []) {
    const other = theirs?.get(name);
    if (!other) continue;
    const once = second?.get(name);
    const noise = once && noiseOf(one, once);
    if (noise) found.unsteady.push(noise.told);
    if (!isJudged(one) && !isJudged(other)) {
      found.unjudged.push(name);
      continue;
    }
    if (!isJudged(one) || !isJudged(other)) {
      if (!noise) found.uncompared.push(uncomparedOf(one, other));
      continue;
    }
    found.compared += 1;
    const kind = kindOf(one, other);
    if (!kind) found.alike += 1;
    if (kind && noise && noise.weight >= weight[kind]) continue;
    const way = wayOf(one.exchanges, other.exchanges, speakers, volatile, explained);
    if (kind) {
      const seenOnce = once && !isJudged(once) && !noise ? { seenOnce: true as const } : {};
      const { level, from, text } = one;
      const difference: Difference = { name, level, from, text, kind, ...bothFound(one, other), ...seenOnce };
      differing.push({ difference, one, other, way });
    } else if (!noise && !atOnce.has(name)) unexplained.see(name, way);
  }
  differing.sort((one, other) => rankOf(one.difference) - rankOf(other.difference));
  const where = new Where(a, b, unexplained, volatile);
  for (const { one, other, difference, way } of differing)
    found.differences.push({ ...difference, ...where.of(one, other, way) });
  return { ...found, unexplained: unexplained.left() };
}

/** What was found of each clause, in words that are the same in every run. */
function byName(ran: Ran | undefined): ReadonlyMap<ClauseName, ClauseResult> {
  if (!ran) return new Map();
  const unmarked = unmarking(ran);
  const words = (text: string | undefined) => (text === undefined ? undefined : unmarked(text));
  return new Map(
    ran.result.clauses.map((clause) => {
      const { name, got, expected, detail, observation } = clause;
      const told = Object.entries({ got: words(got), expected: words(expected), detail: words(detail) });
      const given = Object.fromEntries(told.filter(([, text]) => text !== undefined));
      return [
        name,
        { ...clause, ...given, ...(observation ? { observation: { ...observation, told: unmarked(observation.text) } } : {}) },
      ];
    }),
  );
}

const rankOf = ({ level, kind }: Difference): number => levels.indexOf(level) * 10 - weight[kind];

/** Reads by the names that a target was seen to have for what the contract calls otherwise, whether a reading has them or not. */
const readerOf = ({ result }: Ran): Reader => new Reader(standardDocument, rowsSeen(result.clauses));

/** What differs on A itself from one time to the next. */
function volatileOf(a: Ran, again: Ran, speakerOfA: Speaker): Volatile {
  const keys = new Set<string>();
  const second = byName(again);
  const speakers = { a: speakerOfA, b: speaker(readerOf(again), again) };
  for (const { name, exchanges } of a.result.clauses) {
    const other = second.get(name);
    if (!other) continue;
    for (const { partings } of wayOf(exchanges, other.exchanges, speakers, keys).paces)
      for (const parting of partings) keys.add(keyOf(parting));
  }
  return keys;
}

/** How a clause came out otherwise on A the second time. What could not be tried twice, because trying it uses something up, says nothing. */
function noiseOf(first: ClauseResult, second: ClauseResult): { told: Unsteady; weight: number } | undefined {
  const { a, b } = bothFound(first, second);
  const told = { name: first.name, level: first.level, first: a, second: b };
  if (isJudged(first) && isJudged(second)) {
    const kind = kindOf(first, second);
    return kind && { told, weight: weight[kind] };
  }
  const isFlaw = isJudged(first) !== isJudged(second) && (wentWrong(first) || wentWrong(second));
  return isFlaw ? { told, weight: weight.violated } : undefined;
}

function uncomparedOf(a: ClauseResult, b: ClauseResult): Uncompared {
  return { name: a.name, level: a.level, ...bothFound(a, b), needed: wentWrong(isJudged(a) ? b : a) };
}
