import type { ClauseResult, Observation } from '../core/result.ts';
import type { Found, Kind } from './comparison.ts';
import { wordsOf } from './placeholders.ts';

/** A run has seen what the clause is about. */
const judged = new Set(['pass', 'fail', 'observed']);

export const isJudged = ({ verdict }: Pick<ClauseResult, 'verdict'>): boolean => judged.has(verdict);

/** In which way two runs that were both judged by a clause found something else of it; undefined where they found the same. */
export function kindOf(a: ClauseResult, b: ClauseResult): Kind | undefined {
  const [fails, failsToo] = [a.verdict === 'fail', b.verdict === 'fail'];
  if (fails !== failsToo) return 'violated';
  if (fails) return toldOf(a.got) === toldOf(b.got) ? undefined : 'otherwise';
  return factOf(a) === factOf(b) && a.verdict === b.verdict ? undefined : 'fact';
}

/** How much one kind says beside another, and which comes first. */
export const weight: Readonly<Record<Kind, number>> = { violated: 2, otherwise: 1, fact: 0 };

const toldOf = (text: string | undefined): string => wordsOf(text ?? '');

/** The reading, which has a name; else the words; with the rows that come of it, which say what neither may. */
const factOf = ({ observation }: ClauseResult): string | undefined =>
  observation && [observation.option ?? `in words: ${toldOf(observation.text)}`, rowsTold(observation)].join(' ');

const rowsTold = ({ overrides = [] }: Observation): string => overrides.map((row) => toldOf(JSON.stringify(row))).join(' ');

/** What there is to say of a clause that two runs were judged by, each beside the other. */
export function bothFound(a: ClauseResult, b: ClauseResult): { readonly a: Found; readonly b: Found } {
  const [one, other] = [foundOf(a), foundOf(b)];
  if (one.told !== other.told || factOf(a) === factOf(b)) return { a: one, b: other };
  return { a: withRows(one, a), b: withRows(other, b) };
}

const withRows = (found: Found, { observation }: ClauseResult): Found =>
  observation ? { ...found, told: [found.told, rowsTold(observation) || 'and nothing beside it'].join(' ') } : found;

function foundOf({ verdict, reason, observation, expected, got, detail }: ClauseResult): Found {
  return {
    verdict: reason === undefined ? verdict : `${verdict}: ${reason}`,
    ...(observation ? { told: toldOf(observation.text) } : {}),
    ...(expected === undefined ? {} : { expected: toldOf(expected) }),
    ...(got === undefined ? {} : { got: toldOf(got) }),
    ...(detail === undefined ? {} : { detail: toldOf(detail) }),
  };
}
