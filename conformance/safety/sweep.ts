import { type Exchange, endpointOf, isMissing, isNotReady, TransportError } from '../http/exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import { removeCard } from './card-cleanup.ts';
import { cardSearch, findVanished } from './card-search.ts';
import type { RemovalOutcome, SweepContext } from './cleanup-requests.ts';
import type { Client } from './client.ts';
import { describeLeft, isCard, isPending, isRecord, type LedgerEntry } from './entries.ts';
import type { LedgerFolder, Leftovers } from './ledger-folder.ts';
import { removeRecord } from './record-cleanup.ts';

/**
 * Deletes and voids everything that may still exist, newest first. Webhooks come before cards, so that no void is delivered to a webhook of the run.
 * A second pass repeats interrupted attempts. It also looks again for entries whose request had no response, because the service may have been late.
 * If nothing proves the removal of an entry, stores the reason in `why`. Calls `store` for each changed entry, and throws the first error of `store` at the end.
 */
export async function sweep(client: Client, entries: readonly LedgerEntry[], store: SweepContext['store']): Promise<void> {
  const failures: unknown[] = [];
  const tryToStore = (entry: LedgerEntry) => {
    try {
      store(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const pending = entries.filter(isPending).toReversed();
  let queue = [...pending.filter(isRecord), ...pending.filter(isCard)];
  for (const isLast of [false, true]) {
    const context = { client, entries, search: cardSearch(client, entries), store: tryToStore };
    const again: LedgerEntry[] = [];
    let wait = 0;
    for (const entry of queue) {
      // No other removal can succeed if the target does not respond.
      if (entry !== queue[0] && client.lostSince !== undefined) break;
      const { outcome, isInterrupted } = await tryToRemove(context, entry);
      const late = timeUntilCarriedOut(client, entry);
      if (!isLast && (outcome === 'left' ? isInterrupted : outcome === 'absent' && late > 0)) {
        again.push(entry);
        wait = Math.max(wait, late, Math.min(1_000, client.lateAfter));
      } else if (outcome !== 'left') {
        entry.state = outcome === 'gone' ? 'gone' : 'refused';
        entry.removedAt = Date.now();
        tryToStore(entry);
      } else if (isLast && isInterrupted) break;
    }
    queue = again;
    if (client.lostSince !== undefined) break;
    if (wait > 0) await client.rate.wait(wait, 'rest');
  }
  if (failures.length > 0) throw failures[0];
}

/** Makes one attempt to remove an entry. If a connection broke or a gateway responded, `isInterrupted` is true. */
async function tryToRemove(
  context: SweepContext,
  entry: LedgerEntry,
): Promise<{ outcome: RemovalOutcome; isInterrupted: boolean }> {
  const { cleaned } = context.client;
  const before = cleaned.length;
  const removal = isCard(entry) ? removeCard(context, entry) : removeRecord(context, entry);
  const result = await removal.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
  const requests = cleaned.slice(before);
  if (result === 'lost') await context.client.checkResponses();
  const isInterrupted = result === 'lost' || requests.some(({ status }) => isNotReady(status));
  entry.why = reasonLeft(entry, requests, isInterrupted);
  if (result === 'left' && isRefusedThroughout(entry, requests)) return { outcome: 'absent', isInterrupted };
  return { outcome: result === 'lost' ? 'left' : result, isInterrupted };
}

/** Returns the milliseconds until a request without a response can no longer take effect. */
const timeUntilCarriedOut = ({ lateAfter }: Client, { state, sent = 0 }: LedgerEntry): number =>
  state === 'requested' ? Math.min(sent + lateAfter - Date.now(), lateAfter) : 0;

/** Reports whether the service refused the creation and each look-up, because it lacks the endpoints or refuses the key. */
function isRefusedThroughout({ state, responseStatus, key }: LedgerEntry, requests: readonly Exchange[]): boolean {
  const lookUps = requests.filter(({ method }) => method === 'GET');
  const isKeyRefused = (status: number | undefined) => key !== undefined && (status === 401 || status === 403);
  return (
    state === 'uncertain' &&
    lookUps.length > 0 &&
    lookUps.every(({ status }) => isMissing(status) || (isKeyRefused(responseStatus) && isKeyRefused(status)))
  );
}

/** Returns the reason why an entry may still exist: the response to its creation, and the failed look-up or deletion. Contains no codes. */
function reasonLeft({ state, responseStatus }: LedgerEntry, requests: readonly Exchange[], isInterrupted: boolean): string {
  const unconfirmed = responseStatus === undefined ? 'its creation had no response' : `its creation returned ${responseStatus}`;
  const creation = state === 'created' ? 'it was created' : unconfirmed;
  const last = requests.findLast(({ status }) => status < 200 || status >= 300) ?? requests.at(-1);
  const unproven = isInterrupted ? 'the look-up had no response' : 'no look-up shows whether it exists';
  const removal = requests.findLast((each) => each.method === 'DELETE' && each !== last);
  const before = removal ? `, ${endpointOf(removal)} returned ${removal.status}` : '';
  return `${creation}${before}, and ${last ? `${endpointOf(last)} returned ${last.status}` : unproven}`;
}

/** Removes the leftovers of ended runs, newest run first. If the removal of an entry is not proven, the entry stays in the ledger. */
export async function sweepLeftovers(
  folder: LedgerFolder,
  { runs }: Leftovers,
  { client, redactor }: { readonly client: Client; readonly redactor: Redactor },
): Promise<void> {
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
export const describeLeftovers = ({ runs }: Leftovers, wanted: (entry: LedgerEntry) => boolean = () => true): string[] =>
  runs.flatMap(({ run, entries }) =>
    describeLeft(entries.filter(wanted)).map(
      ([who, why]) => `${who} of the earlier run ${run} (${why}). To try again, use sweep.`,
    ),
  );
