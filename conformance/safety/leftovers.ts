import type { Client } from '../http/client.ts';
import type { Redactor } from '../http/redactor.ts';
import type { Keys } from './entries.ts';
import { type CardEntry, type Entry, pending } from './entries.ts';
import type { Damage, LedgerFolder, StoredRun } from './ledger-folder.ts';
import { sweep } from './sweep.ts';
import { TargetReset } from './target-reset.ts';

/** What earlier runs left on the target. */
export interface Leftovers {
  /** Runs that have ended and left something. */
  readonly runs: readonly StoredRun[];
  /** What they left. */
  readonly entries: readonly Entry[];
  /** Runs that still live and clean up after themselves. */
  readonly living: readonly StoredRun[];
}

export async function leftoversIn(ledgers: LedgerFolder, keys: Keys): Promise<Leftovers> {
  const { ended, living } = await ledgers.sorted(keys);
  const runs = ended.filter(({ entries }) => entries.some(pending));
  return { runs, entries: runs.flatMap(({ entries }) => entries.filter(pending)), living };
}

/** Removes what ended runs left, newest run first. An entry that cannot be proven gone stays. */
export async function sweepLeftovers(
  ledgers: LedgerFolder,
  { runs }: Leftovers,
  client: Client,
  redactor: Redactor,
): Promise<void> {
  const all = runs.flatMap(({ entries }) => entries);
  const reset = new TargetReset(client, all);
  for (const run of runs.toReversed()) {
    for (const entry of run.entries) if (entry.kind === 'card') redactor.learn(entry.code, `${entry.name} of run ${run.run}`);
    await sweep(
      client,
      run.entries.filter(({ outOfReach }) => !outOfReach),
      (entry) => ledgers.changed(run, entry),
      (entry, requests) => reset.proves(entry, requests),
    );
  }
  await ledgers.deleteClean();
}

/** Most line numbers and names in a sentence, so that the reason at its end stays readable. */
const MAX_LINES = 10;
const MAX_NAMES = 3;

/** One sentence for each damaged ledger file. */
export function describeDamage(damage: readonly Damage[]): string[] {
  return damage.map(({ file, lines }) => {
    const more = lines.length > MAX_LINES ? `, … (${lines.length} in all)` : '';
    const numbers = lines.slice(0, MAX_LINES).join(', ') + more;
    return `${file} is damaged at line ${numbers}: a card may be left that no ledger lists. Check the account, then delete these lines.`;
  });
}

/** For reports, which show no codes: one sentence for each reason in a run. */
export function describeLeftovers({ runs }: Leftovers, keys: Keys): string[] {
  return runs.flatMap(({ run, entries }) => {
    const left = entries.filter(pending).map((entry) => ({ entry, reason: reasonOf(entry, keys) }));
    return [...new Set(left.map(({ reason }) => reason))].map((reason) => {
      const same = left.flatMap((each) => (each.reason === reason ? [each.entry] : []));
      const names = same.slice(0, MAX_NAMES).map((entry) => (entry.kind === 'card' ? entry.name : describeEntry(entry)));
      const more = same.length > names.length ? `, … (${same.length} in all)` : '';
      return `${names.join(', ')}${more} of the earlier run ${run} (${reason}): sweep tries again.`;
    });
  });
}

/** Why an entry is left, without codes. */
export function reasonOf({ outOfReach, account, why }: Entry, { profile }: Keys): string {
  if (!outOfReach) return why ?? 'not looked up yet';
  if (account === 'key' || account === 'other') return 'created with another key; set that key';
  return profile[account] === undefined
    ? `on the account of ${account}; use the profile that has it`
    : `created with another ${account} than this profile has; set that one`;
}

/** An entry as the user may have to find it by hand, with its code. */
export const describeEntry = (entry: Entry): string =>
  entry.kind === 'card' ? `${entry.name} ${entry.code || describeMark(entry)}` : `${entry.what} ${entry.url}`;

/** The value that finds an entry on the target: its code or URL, its mark or its recipient. */
export const locatorOf = (entry: Entry): string =>
  entry.kind === 'card' ? entry.code || (entry.recipient ?? entry.mark ?? '') : entry.url;

const describeMark = ({ mark, recipient }: CardEntry) =>
  recipient === undefined ? `with custom field 1 = ${mark}` : `issued to ${recipient}`;
