import type { RunResult } from '../../conformance/core/result.ts';
import type { Session } from '../../conformance/core/session.ts';
import { cliName, formatCount } from '../../conformance/core/text.ts';
import { shellWord } from '../../conformance/report/escape.ts';
import { leftBehind } from '../../conformance/report/run-document.ts';
import { describeEntry, isPending, reasonOf } from '../../conformance/safety/entries.ts';
import type { Leftovers } from '../../conformance/safety/ledger-folder.ts';
import { sweepLeftovers } from '../../conformance/safety/sweep.ts';
import type { TestTarget } from './target.ts';

const MOST_LISTED = 5;

/** Voids and deletes leftovers, prints the outcome, and returns how many of them may still exist. */
export async function sweepAndReport(test: TestTarget, session: Session, leftovers: Leftovers): Promise<number> {
  const { entries } = leftovers;
  await sweepLeftovers(test.ledger, leftovers, session);
  const left = entries.filter(isPending);
  const none = `The ledger ${test.ledger.path} lists no leftovers of ended runs.`;
  const gone = `${entries.length - left.length} of ${formatCount(entries.length, 'leftover')} of earlier runs are gone.`;
  // With --leave-cards, the user knows that the target cannot void cards.
  const shown = test.policy.leaveCards === undefined ? left.slice(0, MOST_LISTED) : [];
  const lines = shown.map((entry) => `LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry)})`);
  if (left.length > shown.length) lines.push(`The command "${cliName} ledger" lists all ${left.length} that may still exist.`);
  print(test, [entries.length === 0 ? none : gone, ...lines], left.length > 0);
  return left.length;
}

/** Prints the leftovers of a run at once, because the report may fail later. */
export async function reportLeftovers(test: TestTarget, result: RunResult): Promise<void> {
  const { damage } = await test.ledger.read();
  const lines = [...leftBehind({ ...result, leftBefore: [] }), ...damage].map((sentence) => `LEFT BEHIND  ${sentence}`);
  print(test, lines, lines.length > damage.length);
}

function print({ io, ledger, trust }: TestTarget, lines: readonly string[], isLeft: boolean): void {
  const command = `${cliName} ledger --target ${shellWord(trust.service)} --ledger ${shellWord(ledger.path)} --forget NAME`;
  const hint = `If a leftover is already gone, or the account is closed, use this command with the leftover's name as NAME: ${command}`;
  for (const line of isLeft ? [...lines, hint] : lines) io.stderr.write(`${line}\n`);
}
