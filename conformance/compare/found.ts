import type { ClauseResult } from '../result.ts';
import { wordsOf } from './bound.ts';
import type { Found, Kind } from './comparison.ts';

/** A run has seen what the clause is about. */
const judged = new Set(['pass', 'fail', 'observed', 'known-fail']);

export const isJudged = ({ verdict }: Pick<ClauseResult, 'verdict'>): boolean => judged.has(verdict);

/** In which way two runs that were both judged by a clause found something else of it; undefined where they found the same. */
export function kindOf(a: ClauseResult, b: ClauseResult): Kind | undefined {
  const [fails, failsToo] = [a.verdict === 'fail', b.verdict === 'fail'];
  if (fails !== failsToo) return 'violated';
  if (fails) return toldOf(a.got) === toldOf(b.got) ? undefined : 'otherwise';
  return factOf(a) === factOf(b) && a.verdict === b.verdict ? undefined : 'fact';
}

/** How much one kind says beside another. */
export const weight: Readonly<Record<Kind, number>> = { violated: 2, otherwise: 1, fact: 1 };

const toldOf = (text: string | undefined): string => wordsOf(text ?? '');

/** The reading, which has a name; else the words. */
const factOf = ({ fact }: ClauseResult): string | undefined =>
  fact && (fact.reading === null ? `in words: ${toldOf(fact.told)}` : fact.reading);

/** What there is to say of it beside what another run found. */
export function foundOf({ verdict, reason, fact, expected, got, detail }: ClauseResult): Found {
  return {
    verdict: reason === undefined ? verdict : `${verdict}: ${reason}`,
    ...(fact ? { told: toldOf(fact.told) } : {}),
    ...(expected === undefined ? {} : { expected: toldOf(expected) }),
    ...(got === undefined ? {} : { got: toldOf(got) }),
    ...(detail === undefined ? {} : { detail: toldOf(detail) }),
  };
}
