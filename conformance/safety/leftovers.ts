import type { Session } from '../core/session.ts';
import { findVanished } from './card-search.ts';
import { describeLeft, type Entry, isCard } from './entries.ts';
import type { LedgerFolder, Leftovers } from './ledger-folder.ts';
import { sweep } from './sweep.ts';

/** Removes the leftovers of ended runs, newest run first. If the removal of an entry is not proven, the entry stays in the ledger. */
export async function sweepLeftovers(folder: LedgerFolder, { runs }: Leftovers, { client, redactor }: Session): Promise<void> {
  for (const run of runs.toReversed()) {
    if (client.lostSince !== undefined) break;
    for (const entry of run.entries.filter(isCard)) redactor.learn(entry.code, `${entry.name} of run ${run.run}`);
    const reachable = run.entries.filter(({ outOfReach }) => !outOfReach);
    const file = folder.reopen(run);
    try {
      await sweep(client, reachable, (entry) => file.change(entry));
      for (const entry of await findVanished(client, reachable).catch(() => [])) {
        entry.state = 'gone';
        file.change(entry);
      }
    } finally {
      await file.close();
    }
  }
}

/** Returns a sentence for each run and reason, without codes. `wanted` chooses the entries. Default: all. */
export const describeLeftovers = ({ runs }: Leftovers, wanted: (entry: Entry) => boolean = () => true): string[] =>
  runs.flatMap(({ run, entries }) =>
    describeLeft(entries.filter(wanted)).map(
      ([who, why]) => `${who} of the earlier run ${run} (${why}). To try again, use sweep.`,
    ),
  );
