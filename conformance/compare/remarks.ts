import { counted } from '../core/counted.ts';
import { excerpt } from '../http/excerpt.ts';
import type { Comparison, Difference, Unexplained } from './comparison.ts';

/** Sentences on a difference, beside what was found and the step where the two part. */
export function remarksOn({ seenOnce, step, elsewhere = [] }: Difference): string[] {
  return [
    ...(seenOnce ? ['It could be tried once on A, and may be unsteady there.'] : []),
    ...(step ? [] : ['No exchange shows it: see what was found.']),
    ...elsewhere.map((thing) => `Under clauses that came out alike, too: ${unexplainedTold(thing)}`),
  ];
}

/** What is left on either, with its letter. */
export const leftTold = ({ a, b }: Comparison): string[] => [
  ...a.leftBehind.map((each) => `A: ${each}`),
  ...b.leftBehind.map((each) => `B: ${each}`),
];

/** What no clause explains, in one line. */
export function unexplainedTold(thing: Unexplained): string {
  const { a, b, exchanges, seen } = thing;
  return `${placeTold(thing)}: ${excerpt(a, 100)} on A, ${excerpt(b, 100)} on B; seen in ${counted(exchanges, 'exchange')} (${seen.clause}, step ${seen.step.number})`;
}

export const placeTold = ({ operation, place }: Unexplained): string =>
  `${operation === '' ? 'several operations' : operation} ${place}`;
