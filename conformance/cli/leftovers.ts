import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import { cliName, formatCount } from '../core/text.ts';
import { shellWord } from '../report/escape.ts';
import { leftBehind } from '../report/run-document.ts';
import { pending } from '../safety/entries.ts';
import type { StoredRun } from '../safety/ledger-folder.ts';
import { describeDamage, describeEntry, type Leftovers, leftoversIn, reasonOf, sweepLeftovers } from '../safety/leftovers.ts';
import type { TestTarget } from './target.ts';

interface Sweeper {
  readonly test: Pick<TestTarget, 'io' | 'target' | 'ledger' | 'ledgerFlag'>;
  readonly session: Session;
}

/** Voids and deletes leftovers, prints the outcome, and returns how many could not be proven gone. */
export async function sweepAndReport({ test, session }: Sweeper, { entries, living, runs }: Leftovers): Promise<number> {
  const { stderr } = test.io;
  for (const { run, began } of living) stderr.write(`Run ${run}, started ${began}, is still running; it cleans up itself.\n`);
  if (entries.length === 0) return 0;
  await sweepLeftovers(test.ledger, { entries, living, runs }, session.client, session.redactor);
  const left = entries.filter(pending);
  stderr.write(`${entries.length - left.length} of ${formatCount(entries.length, 'leftover')} of earlier runs gone.\n`);
  for (const entry of left) stderr.write(`LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry, session.target)})\n`);
  stderr.write(
    forgetHint(
      test,
      runs.filter((run) => run.entries.some(pending)),
    ),
  );
  return left.length;
}

/** Prints what a run left behind at once, before a report can fail. */
export async function reportLeftovers({ test }: Sweeper, { leftBefore: _, ...result }: RunResult): Promise<void> {
  const { io, ledger, target } = test;
  for (const sentence of [...leftBehind(result), ...describeDamage(ledger.damage())])
    io.stderr.write(`LEFT BEHIND  ${sentence}\n`);
  if (result.cards.left.length + result.recordsLeft.length === 0) return;
  io.stderr.write(forgetHint(test, (await leftoversIn(ledger, target)).runs.slice(-1)));
}

function forgetHint({ ledgerFlag, target }: Sweeper['test'], runs: readonly StoredRun[]): string {
  if (runs.length === 0) return '';
  const words = [
    ...['--target', target.url],
    ...(ledgerFlag === undefined ? [] : ['--ledger', ledgerFlag]),
    ...runs.flatMap(({ run }) => ['--forget', `Run ${run}`]),
  ];
  return `If you have checked that they are gone, or the account is closed: ${cliName} ledger ${words.map(shellWord).join(' ')}\n`;
}
