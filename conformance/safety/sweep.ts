import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { removeCard } from './card-cleanup.ts';
import { isNotReady, type Outcome } from './cleanup-requests.ts';
import { type Entry, isRecord, pending } from './entries.ts';
import { FindByMarker } from './find-by-marker.ts';
import { removeRecord } from './record-cleanup.ts';
import { isWholeLookupMissing, reasonLeft } from './refusals.ts';

/** One attempt to remove an entry. */
interface Attempt {
  readonly outcome: Exclude<Outcome, 'unclear'>;
  /** A connection broke, or a gateway answered in place of the service. */
  readonly isInterrupted: boolean;
  readonly requests: readonly Exchange[];
}

/** Whether other evidence proves that an entry is absent, given the requests of the attempt. Called when no look-up can. */
type OtherProof = (entry: Entry, requests: readonly Exchange[]) => boolean | Promise<boolean>;

/**
 * Deletes and voids, newest first, everything that may still exist: other records before cards, so that no void is delivered to a webhook of the run.
 * What cannot be proven gone is marked as left, with the reason.
 *
 * A second pass repeats interrupted attempts, and looks again for entries whose request had no answer: the service may have carried it out meanwhile.
 * `onSettled` is called for each entry; what it throws is thrown after both passes.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  onSettled: (entry: Entry) => void = () => undefined,
  otherProof: OtherProof = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  const notify = (entry: Entry) => {
    try {
      onSettled(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const open = entries.filter(pending).toReversed();
  const ordered = [...open.filter(isRecord), ...open.filter((entry) => !isRecord(entry))];

  let attempt = attempts(client, entries, notify, otherProof);
  const again: { entry: Entry; wait: number }[] = [];
  for (const entry of ordered) {
    const result = await attempt(entry);
    const wait = timeToRetry(client, entry, result);
    if (wait === undefined) settle(entry, result, notify);
    else again.push({ entry, wait });
  }

  const longest = Math.max(0, ...again.map(({ wait }) => wait));
  if (longest > 0) await client.rate.wait(longest, 'rest');
  attempt = attempts(client, entries, notify, otherProof);
  let isDown = false;
  for (const { entry } of again) {
    const result: Attempt = isDown ? { outcome: 'left', isInterrupted: true, requests: [] } : await attempt(entry);
    isDown = result.outcome === 'left' && result.isInterrupted;
    settle(entry, result, notify);
  }
  if (failures.length > 0) throw failures[0];
}

/** The function that tries to remove an entry. All its attempts share one search for cards without a known code. */
function attempts(client: Client, entries: readonly Entry[], notify: (entry: Entry) => void, otherProof: OtherProof) {
  const markers = new FindByMarker(client, entries);
  return async (entry: Entry): Promise<Attempt> => {
    const before = client.cleaned.length;
    const removal =
      entry.kind === 'card' ? removeCard(client, entry, entries, markers) : removeRecord(client, entry, entries, notify);
    const outcome = await removal.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
    const requests = client.cleaned.slice(before);
    if (outcome === 'lost') return { outcome: 'left', isInterrupted: true, requests };
    const isAbsent = async () =>
      isWholeLookupMissing(entry, requests) || (await Promise.resolve(otherProof(entry, requests)).catch(() => false));
    if (outcome === 'unclear' && (await isAbsent())) return { outcome: 'not-there', isInterrupted: false, requests };
    const isInterrupted = requests.some(({ status }) => isNotReady(status));
    return { outcome: outcome === 'unclear' ? 'left' : outcome, isInterrupted, requests };
  };
}

/** Milliseconds after which an entry needs another attempt; undefined if this one settles it. */
function timeToRetry({ lateAfter }: Client, { state, made, sent = 0 }: Entry, { outcome, isInterrupted }: Attempt) {
  const isUnanswered = state === 'asked' || (state === 'left' && !made);
  // By then the service has carried out the request, if it ever does.
  const late = isUnanswered ? Math.min(sent + lateAfter - Date.now(), lateAfter) : 0;
  if (outcome === 'left' && isInterrupted) return Math.max(late, Math.min(1_000, lateAfter));
  return outcome === 'not-there' && late > 0 ? late : undefined;
}

function settle(entry: Entry, { outcome, isInterrupted, requests }: Attempt, notify: (entry: Entry) => void): void {
  const wasDoubted = entry.state === 'doubted';
  entry.state = outcome === 'not-there' ? (wasDoubted ? 'refused' : 'gone') : outcome;
  delete entry.why;
  if (outcome === 'left') entry.why = reasonLeft(entry, requests, isInterrupted);
  notify(entry);
}
