import { shellWord } from '../report/escape.ts';
import { type Entry, pending } from '../safety/entries.ts';
import type { KeptRun, LedgerFile } from '../safety/ledger-file.ts';
import { foundBy, told } from '../safety/leftovers.ts';
import { UsageError } from './usage-error.ts';

/**
 * Enters of what ended runs have left that it is gone, because somebody says so who can see it, and says each once that stands in the ledger. Throws
 * UsageError, and forgets nothing, where a name is not that of anything left: a card that is there and forgotten is money of which nobody knows.
 */
export function forget(file: LedgerFile, names: readonly string[], say: (sentence: string) => void): Promise<void> {
  return file.undisturbed(async () => {
    const { ended, living } = await file.sorted();
    const chosen = new Map<Entry, KeptRun>();
    for (const name of names) {
      const found = called(name, ended);
      if (found.length === 0) throw new UsageError(unknown(name, called(name, living)[0]?.run));
      for (const { entry, run } of found) chosen.set(entry, run);
    }
    for (const [entry, { run, began }] of chosen) {
      const { state } = entry;
      entry.state = 'gone';
      file.changed(run, entry);
      say(
        `Forgotten: ${told(entry)}, ${state} in run ${run}, begun at ${began}. Should it be there all the same, only you can take it away.`,
      );
    }
  });
}

/** What is left under a name: as the ledger tells it, by the code or URL alone, or all of a run. */
const called = (name: string, runs: readonly KeptRun[]): { readonly entry: Entry; readonly run: KeptRun }[] =>
  runs.flatMap((run) =>
    run.entries
      .filter((entry) => pending(entry) && [told(entry), foundBy(entry), `Run ${run.run}`].includes(name))
      .map((entry) => ({ entry, run })),
  );

const unknown = (name: string, by: KeptRun | undefined): string =>
  by === undefined
    ? `Nothing is left that is called ${shellWord(name)}, and nothing was forgotten. Say it as the ledger without --forget tells it: a code or URL, or "Run …" for all that one has left.`
    : `${shellWord(name)} is of run ${by.run}, which is still under way and takes it away itself. Nothing was forgotten.`;
