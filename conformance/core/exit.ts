import type { Cleanup } from './result.ts';
import { formatCount } from './text.ts';

/** `word` is the first word of the line with the outcome. */
export const exitCodes = {
  0: { word: 'PASS', means: 'nothing is violated' },
  1: { word: 'FAIL', means: 'a rule is violated, or the baseline is stale' },
  2: { word: 'USAGE', means: 'wrong input, or not confirmed: nothing was sent' },
  3: { word: 'UNREACHABLE', means: 'the target does not respond, is not the service, or refuses the key' },
  4: { word: 'INCOMPLETE', means: 'something could not be tested' },
  5: { word: 'LEFT BEHIND', means: 'a card or webhook of a run may still exist' },
  6: { word: 'DEFECT', means: 'a defect of the suite, or an unwritten report' },
  130: { word: 'INTERRUPTED', means: 'interrupted' },
} as const;

export type ExitCode = keyof typeof exitCodes;

export interface Ending {
  readonly code: ExitCode;
  /** The outcome in one sentence, without a period. For a run, the report shows the counts of its rules instead. */
  readonly title: string;
  /** Reasons for the exit code. For code 0: facts that the user may overlook, such as failed robustness expectations. */
  readonly because: readonly string[];
}

export const end = (code: ExitCode, title: string, ...because: string[]): Ending => ({ code, title, because });

/** Returns the ending of a command that left something behind, or whose cleanup failed. */
export function endingOfCleanup({ cards, recordsLeft, leftBefore, leaveCards = 0, cleanupFault }: Cleanup): Ending | undefined {
  const left = [
    ...(cards.left.length > leaveCards ? [formatCount(cards.left.length, 'card')] : []),
    ...(recordsLeft.length > 0 ? [formatCount(recordsLeft.length, 'webhook')] : []),
    ...(leftBefore.length > 0 ? ['records of earlier runs'] : []),
  ];
  if (left.length > 0)
    return end(5, 'Something may be left behind', `the suite could not prove that it removed ${left.join(', ')}`);
  if (cleanupFault !== undefined) return end(6, 'Cleanup failed', 'cleanup failed; run sweep to check what is left');
  return undefined;
}
