import type { Flag } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { shellWord } from '../report/escape.ts';
import { type Entry, pending } from '../safety/entries.ts';
import type { LedgerFolder, StoredRun } from '../safety/ledger-folder.ts';
import { describeDamage, describeEntry, locatorOf } from '../safety/leftovers.ts';
import type { CliContext } from './context.ts';
import { exitNotes, ledgerFlags, removedFlags } from './flags.ts';
import { ledgerFrom } from './target.ts';

const forgetFlag: Flag<readonly string[]> = {
  placeholder: 'NAME',
  help: 'marks as gone: a code or URL as printed, or "Run …" for all leftovers of a run',
  repeated: 'listed',
  read: (value) => value.split(','),
};

/** The codes are printed, because the user may have to void the cards by hand. */
export const ledgerCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'ledger',
    summary: 'Lists what runs left behind, with codes; sends nothing',
    flags: { ...ledgerFlags, forget: forgetFlag },
    removedFlags,
    notes: exitNotes([0, 2, 5], {
      0: 'no ended run left anything',
      2: 'the command cannot be used; nothing was forgotten',
    }),
    async run(values) {
      const say = (sentence: string) => void context.io.stdout.write(`${sentence}\n`);
      const ledger = ledgerFrom(values, context);
      if (values.forget !== undefined) await forget(ledger, values.forget, say);
      const { ended, living, otherTargets } = await ledger.sorted();
      const lines = [...ended.flatMap((run) => runLines(run, '')), ...living.flatMap((run) => runLines(run, ', still running'))];
      const others = otherTargets.filter(({ entries }) => entries.some(pending)).map(({ target }) => target);
      if (others.length > 0) lines.push(`The folder has leftovers of other targets: ${[...new Set(others)].join(', ')}`);
      lines.push(...describeDamage(ledger.damage()));
      for (const line of lines) say(line);
      if (lines.length === 0) say(`Nothing is left, according to ${ledger.path}.`);
      return ledger.damage().length > 0 || ended.some(({ entries }) => entries.some(pending)) ? 5 : 0;
    },
  });

function runLines({ run, began, entries }: StoredRun, state: string): string[] {
  const open = entries.filter(pending);
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
async function forget(ledgers: LedgerFolder, names: readonly string[], say: (sentence: string) => void): Promise<void> {
  const { ended, living } = await ledgers.sorted();
  const chosen = new Map<Entry, StoredRun>();
  for (const name of names) {
    const matches = matching(name, ended);
    if (matches.length === 0) throw new UsageError(unknown(name, matching(name, living)[0]?.run));
    for (const { entry, run } of matches) chosen.set(entry, run);
  }
  for (const [entry, run] of chosen) {
    const { state } = entry;
    entry.state = 'gone';
    ledgers.changed(run, entry);
    say(
      `Forgotten: ${describeEntry(entry)}, ${state} in run ${run.run}, started ${run.began}. If it still exists, void it yourself.`,
    );
  }
  ledgers.close();
  await ledgers.deleteClean();
}

/** The leftovers with a name: as `ledger` prints it, the code or URL alone, or `Run …` for a whole run. */
const matching = (name: string, runs: readonly StoredRun[]): { readonly entry: Entry; readonly run: StoredRun }[] =>
  runs.flatMap((run) =>
    run.entries
      .filter((entry) => pending(entry) && [describeEntry(entry), locatorOf(entry), `Run ${run.run}`].includes(name))
      .map((entry) => ({ entry, run })),
  );

const unknown = (name: string, by: StoredRun | undefined): string =>
  by === undefined
    ? `Nothing that is left is named ${shellWord(name)}, and nothing was forgotten. Use a name that the ledger command prints: a code or URL, or "Run …" for all leftovers of a run.`
    : `${shellWord(name)} belongs to run ${by.run}, which is still running and cleans up itself. Nothing was forgotten.`;
