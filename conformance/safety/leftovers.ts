import type { Client } from '../http/client.ts';
import type { Names } from '../http/redactor.ts';
import { type CardEntry, type Entry, pending } from './entries.ts';
import type { Keys } from './fingerprints.ts';
import type { KeptRun, LedgerFile } from './ledger-file.ts';
import { sweep } from './sweep.ts';
import { Vanished } from './target-reset.ts';

/** What earlier runs have left on the target, and what runs that still live have there, which is theirs. */
export interface Leftovers {
  readonly runs: readonly KeptRun[];
  /** Of runs that have ended. */
  readonly entries: readonly Entry[];
  readonly living: readonly KeptRun[];
}

export async function leftoversIn(file: LedgerFile, keys: Keys): Promise<Leftovers> {
  const { ended, living } = await file.sorted(keys);
  const runs = ended.filter(({ entries }) => entries.some(pending));
  return { runs, entries: runs.flatMap(({ entries }) => entries.filter(pending)), living };
}

/** Takes away what ended runs left, the latest run first. Entries that could not be proven gone stay as left. */
export async function sweepLeftovers(file: LedgerFile, { runs }: Leftovers, client: Client, names: Names): Promise<void> {
  const vanished = new Vanished(
    client,
    runs.flatMap(({ entries }) => entries),
  );
  for (const { run, entries } of runs.toReversed()) {
    for (const entry of entries) if (entry.kind === 'card') names.learn(entry.code, `${entry.name} of run ${run}`);
    await sweep(
      client,
      entries.filter(({ outOfReach }) => !outOfReach),
      (entry) => file.changed(run, entry),
      (entry, asked) => vanished.proves(entry, asked),
    );
  }
}

/** That part of the ledger cannot be read, and what to do about it; nothing where all of it can. */
export function damagedTold({ path, damaged }: Pick<LedgerFile, 'path' | 'damaged'>): string[] {
  if (damaged.length === 0) return [];
  const more = damaged.length > mostNumbers ? `, … (${damaged.length} in all)` : '';
  const [lines, them] = damaged.length === 1 ? ['Line', 'it'] : ['Lines', 'them'];
  const numbers = damaged.slice(0, mostNumbers).join(', ') + more;
  return [
    `${lines} ${numbers} of ${path} cannot be read, so that something may be left of which nobody knows. Look at ${them}, and delete ${them}.`,
  ];
}

const mostNumbers = 10;
/** So that the reason behind them is not cut off. */
const mostNames = 3;

/** For reports, which show no codes: what is still left of what there was, a sentence for each reason in a run. */
export const leftToldOf = ({ runs }: Leftovers, keys: Keys): string[] =>
  runs.flatMap(({ run, entries }) => {
    const left = entries.filter(pending).map((entry) => ({ entry, why: whyOf(entry, keys) }));
    return [...new Set(left.map(({ why }) => why))].map((why) => {
      const those = left.flatMap((each) => (each.why === why ? [each.entry] : []));
      const named = those.slice(0, mostNames).map((entry) => (entry.kind === 'card' ? entry.name : told(entry)));
      const more = those.length > named.length ? `, … (${those.length} in all)` : '';
      return `${named.join(', ')}${more} of the earlier run ${run} (${why}): sweep tries again.`;
    });
  });

/** Why it is left, without codes. */
export function whyOf({ outOfReach, account, why }: Entry, { profile }: Keys): string {
  if (!outOfReach) return why ?? 'nobody has looked yet';
  if (account === 'key' || account === 'other') return 'made with another key; give that one';
  return profile[account] === undefined
    ? `on the account of ${account}; give the profile that has it`
    : `made with another ${account} than this profile has; give that one`;
}

/** How people read of an entry that they may have to take away themselves. */
export const told = (entry: Entry): string =>
  entry.kind === 'card' ? `${entry.name} ${entry.code || sign(entry)}` : `${entry.what} ${entry.url}`;

/** By what somebody finds it on the target: its code or URL, its mark or its recipient. */
export const foundBy = (entry: Entry): string =>
  entry.kind === 'card' ? entry.code || (entry.recipient ?? entry.mark ?? '') : entry.url;

const sign = ({ mark, recipient }: CardEntry) =>
  recipient === undefined ? `with custom field 1 = ${mark}` : `issued to ${recipient}`;
