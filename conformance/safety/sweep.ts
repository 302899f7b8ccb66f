import { operations } from '../core/operations.ts';
import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { removeCard } from './card-cleanup.ts';
import { CardSearch } from './card-search.ts';
import { isMissing, isNotReady } from './cleanup-requests.ts';
import { type Entry, isCard, isPending, isRecord } from './entries.ts';
import { removeRecord } from './record-cleanup.ts';

/**
 * Deletes and voids, newest first, everything that may still exist: other records before cards, so that no void is delivered to a webhook of the run.
 * An entry that cannot be proven gone keeps its state and gets the reason.
 *
 * A second pass repeats interrupted attempts, and looks again for entries whose request had no answer: the service may have carried it out meanwhile.
 * `store` is called for each entry that changed; what it throws is thrown after both passes.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  store: (entry: Entry) => void = () => undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const tryToStore = (entry: Entry) => {
    try {
      store(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const pass = async (queue: readonly Entry[], isLast: boolean) => {
    const search = new CardSearch(client, entries);
    const again: Entry[] = [];
    let wait = 0;
    for (const entry of queue) {
      const attempt = await tryToRemove(client, entry, entries, search, tryToStore);
      const delay = isLast ? undefined : timeToRetry(client, entry, attempt);
      if (delay !== undefined) {
        again.push(entry);
        wait = Math.max(wait, delay);
      } else if (attempt.outcome !== 'left') {
        entry.state = attempt.outcome === 'gone' ? 'gone' : 'refused';
        tryToStore(entry);
      } else if (isLast && attempt.isInterrupted) break;
    }
    return { again, wait };
  };
  const pending = entries.filter(isPending).toReversed();
  const { again, wait } = await pass([...pending.filter(isRecord), ...pending.filter(isCard)], false);
  if (wait > 0) await client.rate.wait(wait, 'rest');
  await pass(again, true);
  if (failures.length > 0) throw failures[0];
}

/** One attempt to remove an entry. */
interface Attempt {
  readonly outcome: 'gone' | 'absent' | 'left';
  /** A connection broke, or a gateway answered in place of the service. */
  readonly isInterrupted: boolean;
}

async function tryToRemove(
  client: Client,
  entry: Entry,
  entries: readonly Entry[],
  search: CardSearch,
  store: (entry: Entry) => void,
): Promise<Attempt> {
  const before = client.cleaned.length;
  const removal = isCard(entry) ? removeCard(client, entry, entries, search) : removeRecord(client, entry, entries, store);
  const result = await removal.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
  const requests = client.cleaned.slice(before);
  const isInterrupted = result === 'lost' || requests.some(({ status }) => isNotReady(status));
  entry.why = reasonLeft(entry, requests, isInterrupted);
  if (result === 'unclear' && isRefusedThroughout(entry, requests)) return { outcome: 'absent', isInterrupted };
  return { outcome: result === 'gone' || result === 'absent' ? result : 'left', isInterrupted };
}

/** Milliseconds after which an entry needs another attempt; undefined if this one settles it. */
function timeToRetry({ lateAfter }: Client, { state, sent = 0 }: Entry, { outcome, isInterrupted }: Attempt): number | undefined {
  // By then the service has carried out a request without an answer, if it ever does.
  const late = state === 'asked' ? Math.min(sent + lateAfter - Date.now(), lateAfter) : 0;
  if (outcome === 'left' && isInterrupted) return Math.max(late, Math.min(1_000, lateAfter));
  return outcome === 'absent' && late > 0 ? late : undefined;
}

/** Whether the creation was refused, and each look-up too: the service lacks the endpoint, or accepts the key for nothing. */
function isRefusedThroughout({ state, answered, key }: Entry, requests: readonly Exchange[]): boolean {
  const looks = requests.filter(({ method }) => method === 'GET');
  const isKeyRefused = (status: number | undefined) => key !== undefined && (status === 401 || status === 403);
  return (
    state === 'doubted' &&
    looks.length > 0 &&
    looks.every(({ status }) => isMissing(status) || (isKeyRefused(answered) && isKeyRefused(status)))
  );
}

/** Returns why the sweep could not clean up an entry: the answer to its creation, and the look-up or deletion that failed. No code of a card is in it. */
function reasonLeft({ state, answered }: Entry, requests: readonly Exchange[], isInterrupted: boolean): string {
  const unanswered = answered === undefined ? 'its creation had no answer' : `its creation answered ${answered}`;
  const last = requests.findLast(({ status }) => status < 200 || status >= 300) ?? requests.at(-1);
  const unproven = isInterrupted ? 'the look-up had no answer' : 'no look-up shows whether it exists';
  return `${state === 'created' ? 'it was created' : unanswered}, and ${last ? `${operationOf(last)} answered ${last.status}` : unproven}`;
}

/** The operation's path in the contract, because a real path contains codes. */
function operationOf({ method, path }: Exchange): string {
  const [bare = ''] = path.split('?');
  const known = operations.find((each) => each.method === method && each.exactly.test(bare));
  return `${method} ${known?.path ?? bare}`;
}
