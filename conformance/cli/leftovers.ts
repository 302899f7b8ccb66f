import type { RunResult } from '../core/result.ts';
import type { Session } from '../core/session.ts';
import type { Target } from '../core/target.ts';
import { cliName, formatCount } from '../core/text.ts';
import { shellWord } from '../report/escape.ts';
import { leftBehind } from '../report/run-document.ts';
import { pending } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, describeEntry, type Leftovers, leftoversIn, reasonOf, sweepLeftovers } from '../safety/leftovers.ts';
import type { Io } from './context.ts';

/** Where and how leftovers are reported. */
export interface LeftoverContext {
  readonly io: Pick<Io, 'stderr'>;
  /** The value of --ledger. */
  readonly folder: string | undefined;
}

/** Voids and deletes leftovers, prints the outcome, and returns how many could not be proven gone. */
export async function sweepAndReport(
  { io, folder }: LeftoverContext,
  ledger: LedgerFolder,
  leftovers: Leftovers,
  session: Session,
): Promise<number> {
  const { entries, living } = leftovers;
  for (const { run, began } of living) io.stderr.write(`Run ${run}, started ${began}, is still running; it cleans up itself.\n`);
  if (entries.length === 0) return 0;
  await sweepLeftovers(ledger, leftovers, session.client, session.redactor);
  const left = entries.filter(pending);
  io.stderr.write(`${entries.length - left.length} of ${formatCount(entries.length, 'leftover')} of earlier runs gone.\n`);
  for (const entry of left) io.stderr.write(`LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry, session.target)})\n`);
  const open = leftovers.runs.filter((run) => run.entries.some(pending));
  io.stderr.write(
    forgetHint(
      folder,
      session.target.url,
      open.map(({ run }) => run),
    ),
  );
  return left.length;
}

/** Prints what a run left behind at once, before a report can fail. */
export async function reportLeftovers(
  { io, folder }: LeftoverContext,
  ledger: LedgerFolder,
  target: Target,
  { leftBefore: _, ...result }: RunResult,
): Promise<void> {
  for (const sentence of [...leftBehind(result), ...describeDamage(ledger.damage())])
    io.stderr.write(`LEFT BEHIND  ${sentence}\n`);
  if (result.cards.left.length + result.recordsLeft.length === 0) return;
  const { runs } = await leftoversIn(ledger, target);
  io.stderr.write(
    forgetHint(
      folder,
      target.url,
      runs.slice(-1).map(({ run }) => run),
    ),
  );
}

function forgetHint(folder: string | undefined, url: string, runs: readonly string[]): string {
  if (runs.length === 0) return '';
  const words = [
    '--target',
    url,
    ...(folder === undefined ? [] : ['--ledger', folder]),
    ...runs.flatMap((run) => ['--forget', `Run ${run}`]),
  ];
  return `If you have checked that they are gone, or the account is closed: ${cliName} ledger ${words.map(shellWord).join(' ')}\n`;
}
