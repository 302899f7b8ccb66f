import { texts } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { shellWord } from '../report/escape.ts';
import { describeEntry, type Entry, isPending, locatorOf } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import type { StoredRun } from '../safety/ledger-lines.ts';
import { unguarded } from '../safety/policy.ts';
import { Connection } from './connection.ts';
import type { CliContext } from './context.ts';
import { exitNotes, ledgerFlags, targetFlags } from './flags.ts';
import { sweepAndReport } from './leftovers.ts';
import { ledgerFrom, testTargetFrom } from './target.ts';

export const sweepCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'sweep',
    summary: 'Voids and deletes what earlier runs left on the target',
    flags: targetFlags,
    notes: exitNotes([0, 2, 5, 6], { 0: 'nothing is left', 6: 'a defect of the suite' }),
    async run(values) {
      const { stderr } = context.io;
      const connection = new Connection({ ...testTargetFrom(values, context), policy: unguarded });
      const { ledger, target } = connection.test;
      ledger.ready();
      try {
        const leftovers = await ledger.read(target);
        const { damage } = leftovers;
        for (const sentence of damage) stderr.write(`${sentence}\n`);
        const left = await sweepAndReport(connection, leftovers);
        if (leftovers.entries.length === 0) stderr.write(`The ledger ${ledger.path} lists no leftovers of ended runs.\n`);
        return left + damage.length > 0 ? 5 : 0;
      } finally {
        await connection.close();
      }
    },
  });

/** The codes are printed, because the user may have to void the cards by hand. */
export const ledgerCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'ledger',
    summary: 'Lists what runs left behind, with codes; sends nothing',
    flags: {
      ...ledgerFlags,
      forget: texts('NAME', 'marks as gone: a code or URL as printed, or "Run …" for all leftovers of a run'),
    },
    notes: exitNotes([0, 2, 5], {
      0: 'no ended run left anything',
      2: 'the command cannot be used; nothing was forgotten',
    }),
    async run(values) {
      const say = (sentence: string) => void context.io.stdout.write(`${sentence}\n`);
      const ledger = ledgerFrom(values, context);
      if (values.forget !== undefined) await forget(ledger, values.forget, say);
      const { runs, living, damage } = await ledger.read();
      const lines = [
        ...runs.flatMap((run) => runLines(run, '')),
        ...living.flatMap((run) => runLines(run, ', still running')),
        ...damage,
      ];
      for (const line of lines) say(line);
      if (lines.length === 0) say(`Nothing is left, according to ${ledger.path}.`);
      return damage.length + runs.length > 0 ? 5 : 0;
    },
  });

function runLines({ run, began, entries }: StoredRun, state: string): string[] {
  const open = entries.filter(isPending);
  if (open.length === 0) return [];
  const account = (entry: Entry) => (entry.account === 'key' ? '' : ` on the account of ${entry.account}`);
  return [
    `Run ${run}, started ${began}${state}`,
    ...open.map((entry) => `  ${entry.state.padEnd(8)} ${describeEntry(entry)}${account(entry)}`),
  ];
}

/**
 * Marks leftovers of ended runs as gone after the user checked the account, and prints each. Throws UsageError and forgets nothing if a name matches
 * nothing, because a card that is forgotten but exists is lost money.
 */
async function forget(folder: LedgerFolder, names: readonly string[], say: (sentence: string) => void): Promise<void> {
  const { runs } = await folder.read();
  /** As `ledger` prints it, the code or URL alone, or `Run …` for a whole run. */
  const namesOf = ({ run }: StoredRun, entry: Entry) => [describeEntry(entry), locatorOf(entry), `Run ${run}`];
  const known = new Set(runs.flatMap((run) => run.entries.filter(isPending).flatMap((entry) => namesOf(run, entry))));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new UsageError(
      `No ended run left ${shellWord(unknown)}, and nothing was forgotten. Use a name that the ledger command prints: a code or URL, or "Run …" for all leftovers of a run.`,
    );
  for (const run of runs) {
    const file = folder.reopen(run);
    for (const entry of run.entries.filter(isPending)) {
      if (!namesOf(run, entry).some((name) => names.includes(name))) continue;
      say(
        `Forgotten: ${describeEntry(entry)}, ${entry.state} in run ${run.run}, started ${run.began}. If it still exists, void it yourself.`,
      );
      file.change({ ...entry, state: 'gone' });
    }
    await file.close();
  }
}
