import type { Client } from '../client.ts';
import { cardGone } from './cards-gone.ts';
import { type Entry, pending } from './entries.ts';
import { Marks } from './marks.ts';
import { isRecord } from './own-records.ts';
import { recordGone } from './records-gone.ts';
import type { Outcome } from './taking.ts';

/**
 * Deletes and voids, last first, what may still be there, other records before cards so that no void is delivered to a webhook of the run.
 * What cannot be proven gone is marked as left; what was refused and is not there, as refused. `settled` is told of each; what it throws is thrown once
 * all of them had their turn.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  settled: (entry: Entry) => void = () => undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const tell = (entry: Entry) => {
    try {
      settled(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const marks = new Marks(client);
  const taken = (entry: Entry): Promise<Outcome> =>
    (entry.kind === 'card' ? cardGone(client, entry, entries, marks) : recordGone(client, entry, entries, tell)).catch(
      (): Outcome => 'left',
    );
  const note = (entry: Entry, outcome: Outcome) => {
    const was = entry.state;
    entry.state = outcome === 'not-there' ? (was === 'doubted' ? 'refused' : 'gone') : outcome;
    tell(entry);
  };
  const open = entries.filter(pending).toReversed();
  const late: Entry[] = [];
  for (const entry of [...open.filter(isRecord), ...open.filter((each) => !isRecord(each))]) {
    const outcome = await taken(entry);
    if (outcome === 'not-there' && isUnanswered(entry) && untilSurelyArrived(client, entry) > 0) late.push(entry);
    else note(entry, outcome);
  }
  // What had no answer may be made after whoever asked for it has given up.
  for (const entry of late) {
    const wait = untilSurelyArrived(client, entry);
    if (wait > 0) await client.rest(wait);
    note(entry, await taken(entry));
  }
  if (failures.length > 0) throw failures[0];
}

/** Of one that is left, too, nobody may have had the answer. */
const isUnanswered = ({ state, made }: Entry) => state === 'asked' || (state === 'left' && !made);

/** Milliseconds until a request that had no answer has surely done what it does. */
const untilSurelyArrived = ({ lateAfter }: Client, { sent = 0 }: Entry): number =>
  Math.min(sent + lateAfter - Date.now(), lateAfter);
