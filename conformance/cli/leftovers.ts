import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { cliName, formatCount } from '../core/text.ts';
import { shellWord } from '../report/escape.ts';
import { leftBehind } from '../report/run-document.ts';
import { describeEntry, isPending, reasonOf } from '../safety/entries.ts';
import type { Leftovers } from '../safety/ledger-folder.ts';
import { sweepLeftovers } from '../safety/leftovers.ts';
import type { TestTarget } from './target.ts';

interface Sweeper {
  readonly test: Pick<TestTarget, 'io' | 'target' | 'ledger'>;
  readonly session: Session;
}

/** Voids and deletes leftovers, prints the outcome, and returns how many could not be proven gone. */
export async function sweepAndReport({ test, session }: Sweeper, leftovers: Leftovers): Promise<number> {
  const { stderr } = test.io;
  const { entries, living } = leftovers;
  for (const { run, began } of living) stderr.write(`Run ${run}, started ${began}, is still running; it cleans up itself.\n`);
  if (entries.length === 0) return 0;
  await sweepLeftovers(test.ledger, leftovers, session.client, session.redactor);
  const left = entries.filter(isPending);
  stderr.write(`${entries.length - left.length} of ${formatCount(entries.length, 'leftover')} of earlier runs gone.\n`);
  for (const entry of left) stderr.write(`LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry)})\n`);
  if (left.length > 0) stderr.write(forgetHint(test));
  return left.length;
}

/** Prints what a run left behind at once, before a report can fail. */
export async function reportLeftovers(test: Sweeper['test'], result: RunResult): Promise<void> {
  const { stderr } = test.io;
  const { damage } = await test.ledger.read();
  for (const sentence of [...leftBehind({ ...result, leftBefore: [] }), ...damage]) stderr.write(`LEFT BEHIND  ${sentence}\n`);
  if (result.cards.left.length + result.recordsLeft.length > 0) stderr.write(forgetHint(test));
}

const forgetHint = ({ ledger, target }: Sweeper['test']): string =>
  `If you have checked that they are gone, or the account is closed: ${cliName} ledger --target ${shellWord(target.url)} --ledger ${shellWord(ledger.path)} --forget NAME, with each name that it prints.\n`;
