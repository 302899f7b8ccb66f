import { calledAnywhere } from '../core/cli-name.ts';
import type { RunResult } from '../core/result.ts';
import type { Target } from '../core/target.ts';
import { shellWord } from '../report/escape.ts';
import { leftBehind } from '../report/run-document.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import type { Asked } from './command-line.ts';

/** Says at once what a run has left, before anything else can go wrong. What earlier runs left was told when it was swept. */
export async function tellLeft({ io, flags }: Asked, file: LedgerFolder, target: Target, result: RunResult): Promise<void> {
  const { leftBefore: _, ...own } = result;
  for (const sentence of [...leftBehind(own), ...describeDamage(file.damage())]) io.stderr.write(`LEFT BEHIND  ${sentence}\n`);
  if (result.cards.left.length + result.recordsLeft.length === 0) return;
  const { runs } = await leftoversIn(file, target);
  const last = runs.slice(-1).map(({ run }) => run);
  io.stderr.write(forgetTold(flags, target.url, last));
}

/** How what runs have left is forgotten, each run as a whole; nothing where there is none. */
export function forgetTold({ ledger }: Pick<Asked['flags'], 'ledger'>, url: string, runs: readonly string[]): string {
  if (runs.length === 0) return '';
  const words = ['--target', url, ...(ledger === undefined ? [] : ['--ledger', ledger])];
  const all = [...words, ...runs.flatMap((run) => ['--forget', `Run ${run}`])].map(shellWord).join(' ');
  return `Only what you have seen to be gone, or what is on an account that was closed, may be forgotten: ${calledAnywhere} ledger ${all}\n`;
}
