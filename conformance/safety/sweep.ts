import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { cardGone } from './card-cleanup.ts';
import { isNotReady, type Outcome } from './cleanup-requests.ts';
import { type Entry, pending } from './entries.ts';
import { Marks } from './find-by-marker.ts';
import { isRecord } from './own-records.ts';
import { recordGone } from './records-gone.ts';
import { lookIsMissing, whyLeft } from './refusals.ts';

/**
 * Deletes and voids, last first, what may still be there, other records before cards so that no void is delivered to a webhook of the run.
 * What cannot be proven gone, a second time where a connection broke or a gateway answered, is marked as left, and why; what was refused and is not there, as refused.
 * `settled` is told of each; what it throws is thrown once all of them had their turn. `proven` is asked where no look says whether it is there,
 * with what was answered: whether something else is proof enough.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  settled: (entry: Entry) => void = () => undefined,
  proven: (entry: Entry, asked: readonly Exchange[]) => boolean | Promise<boolean> = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  const tell = (entry: Entry) => {
    try {
      settled(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  let marks = new Marks(client, entries);
  const taken = async (entry: Entry): Promise<Tried> => {
    const before = client.cleaned.length;
    const taking = entry.kind === 'card' ? cardGone(client, entry, entries, marks) : recordGone(client, entry, entries, tell);
    const outcome = await taking.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
    const asked = client.cleaned.slice(before);
    const notReady = asked.some(({ status }) => isNotReady(status));
    if (outcome === 'lost') return { outcome: 'left', cameBetween: true, asked };
    const isProven = async () => lookIsMissing(entry, asked) || (await proven(entry, asked));
    if (outcome === 'unclear' && (await isProven().catch(() => false)))
      return { outcome: 'not-there', cameBetween: false, asked };
    return { outcome: outcome === 'unclear' ? 'left' : outcome, cameBetween: notReady, asked };
  };
  const note = (entry: Entry, { outcome, cameBetween, asked }: Tried) => {
    const was = entry.state;
    entry.state = outcome === 'not-there' ? (was === 'doubted' ? 'refused' : 'gone') : outcome;
    delete entry.why;
    if (outcome === 'left') entry.why = whyLeft(entry, asked, cameBetween);
    tell(entry);
  };
  const open = entries.filter(pending).toReversed();
  const [late, again]: [Entry[], Entry[]] = [[], []];
  const settle = (entry: Entry, tried: Tried) => {
    if (tried.outcome === 'not-there' && isUnanswered(entry) && untilSurelyArrived(client, entry) > 0) late.push(entry);
    else note(entry, tried);
  };
  for (const entry of [...open.filter(isRecord), ...open.filter((each) => !isRecord(each))]) {
    const tried = await taken(entry);
    if (tried.outcome === 'left' && tried.cameBetween) again.push(entry);
    else settle(entry, tried);
  }
  // What came between may have passed by then, if anything is between; where it has not, the rest is not tried again either.
  if (again.length > 0) await client.rest(Math.min(1_000, client.lateAfter));
  // A look at the lists that broke off is made anew.
  marks = new Marks(client, entries);
  let isDown = false;
  for (const entry of again) {
    const tried: Tried = isDown ? { outcome: 'left', cameBetween: true, asked: [] } : await taken(entry);
    isDown = tried.outcome === 'left' && tried.cameBetween;
    settle(entry, tried);
  }
  // What had no answer may be made after whoever asked for it has given up.
  for (const entry of late) {
    const wait = untilSurelyArrived(client, entry);
    if (wait > 0) await client.rest(wait);
    marks = new Marks(client, entries);
    note(entry, await taken(entry));
  }
  if (failures.length > 0) throw failures[0];
}

/** `cameBetween`: a connection broke, or somebody in front of the service answered in its place. */
interface Tried {
  readonly outcome: Exclude<Outcome, 'unclear'>;
  readonly cameBetween: boolean;
  /** What was asked for it. */
  readonly asked: readonly Exchange[];
}

/** Of one that is left, too, nobody may have had the answer. */
const isUnanswered = ({ state, made }: Entry) => state === 'asked' || (state === 'left' && !made);

/** Milliseconds until a request that had no answer has surely done what it does. */
const untilSurelyArrived = ({ lateAfter }: Client, { sent = 0 }: Entry): number =>
  Math.min(sent + lateAfter - Date.now(), lateAfter);
