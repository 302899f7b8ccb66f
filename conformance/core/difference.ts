import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { excerpt } from '../http/excerpt.ts';
import type { ClauseResult, RunResult } from './result.ts';
import type { Verdict } from './verdict.ts';

interface Difference {
  readonly name: ClauseName;
  readonly kind: 'worse' | 'better' | 'changed' | 'gone' | 'new';
  /** What each run found, in words; none where it did not look. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** How much a verdict says for the target. To know less than before is worse, too. */
const rank: Readonly<Record<Verdict, number>> = {
  pass: 3,
  observed: 3,
  untested: 2,
  blocked: 1,
  error: 1,
  'known-fail': 0,
  fail: 0,
};

/** Clauses of which two runs found something else, a verdict or a fact, in the order of the first run; a clause is known by its name alone. */
export function differences(before: RunResult, after: RunResult): Difference[] {
  const [old, young] = [before, after].map(({ clauses }) => new Map(clauses.map((clause) => [clause.name, clause])));
  const names = new Set([...(old?.keys() ?? []), ...(young?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [a, b] = [old?.get(name), young?.get(name)];
    const [told, tells] = [a && inWords(a), b && inWords(b)];
    return told === tells ? [] : [{ name, kind: kindOf(a, b), before: told, after: tells }];
  });
}

function kindOf(a: ClauseResult | undefined, b: ClauseResult | undefined): Difference['kind'] {
  if (!a) return 'new';
  if (!b) return 'gone';
  const step = rank[b.verdict] - rank[a.verdict];
  return step < 0 ? 'worse' : step > 0 ? 'better' : 'changed';
}

const inWords = ({ verdict, reason, observation }: ClauseResult) =>
  [verdict, reason && `(${reason})`, observation && `"${excerpt(observation.text)}"`].filter(Boolean).join(' ');

const kinds = ['worse', 'changed', 'better', 'gone', 'new'] as const;

/** The differences as people read them, the worst first, with a count of each kind. */
export function diffText(found: readonly Difference[]): string {
  if (found.length === 0) return 'No difference.\n';
  const sorted = kinds.map((kind) => found.filter((one) => one.kind === kind));
  const width = Math.max(...found.map(({ name }) => name.length)) + 2;
  const lines = sorted
    .flat()
    .map(({ kind, name, before = '–', after = '–' }) => `${kind.padEnd(9)}${name.padEnd(width)}${before} → ${after}`);
  const counts = sorted.flatMap((of) => (of[0] ? [`${of.length} ${of[0].kind}`] : []));
  return `${lines.join('\n')}\n\n${counts.join(', ')}\n`;
}
