import { UsageError } from '../../command-line/usage-error.ts';
import { shellWord } from '../report/escape.ts';
import { type Entry, pending } from '../safety/entries.ts';
import type { LedgerFolder, StoredRun } from '../safety/ledger-folder.ts';
import { describeEntry, locatorOf } from '../safety/leftovers.ts';

/**
 * Marks leftovers of ended runs as gone, on the word of a user who checked the account, and prints each. Throws UsageError, and forgets nothing, if a name
 * matches nothing that is left: a card that is forgotten but exists is lost money.
 */
export async function forget(ledgers: LedgerFolder, names: readonly string[], say: (sentence: string) => void): Promise<void> {
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
      `Forgotten: ${describeEntry(entry)}, ${state} in run ${run.run}, begun at ${run.began}. If it still exists, void it yourself.`,
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
    ? `Nothing that is left is named ${shellWord(name)}, and nothing was forgotten. Use a name that the ledger command prints: a code or URL, or "Run …" for everything a run left.`
    : `${shellWord(name)} belongs to run ${by.run}, which still lives and cleans up itself. Nothing was forgotten.`;
