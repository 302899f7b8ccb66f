import type { Client } from '../http/client.ts';
import type { Redactor } from '../http/redactor.ts';
import { findVanished } from './card-search.ts';
import { describeLeft, isCard } from './entries.ts';
import type { LedgerFolder, Leftovers } from './ledger-folder.ts';
import { sweep } from './sweep.ts';

/** Removes what ended runs left, newest run first. An entry that cannot be proven gone stays. */
export async function sweepLeftovers(
  folder: LedgerFolder,
  { runs }: Leftovers,
  client: Client,
  redactor: Redactor,
): Promise<void> {
  for (const run of runs.toReversed()) {
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

/** Returns one sentence for each reason in a run, without codes. */
export const describeLeftovers = ({ runs }: Leftovers): string[] =>
  runs.flatMap(({ run, entries }) =>
    describeLeft(entries).map(([names, reason]) => `${names} of the earlier run ${run} (${reason}): sweep tries again.`),
  );
