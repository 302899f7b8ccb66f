import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { removeCard } from './card-cleanup.ts';
import { type CardSearch, cardSearch } from './card-search.ts';
import { isMissing, isNotReady, type RemovalOutcome } from './cleanup-requests.ts';
import { type Entry, isCard, isPending, isRecord } from './entries.ts';
import { removeRecord } from './record-cleanup.ts';

type Store = (entry: Entry) => void;

/**
 * Deletes and voids, newest first, everything that may still exist: other records before cards, so that no void is delivered to a webhook of the run.
 * An entry that cannot be proven gone keeps its state and gets the reason.
 *
 * A second pass repeats interrupted attempts, and looks again for entries whose request had no answer: the service may have carried it out meanwhile.
 * `store` is called for each entry that changed; what it throws is thrown after both passes.
 */
export async function sweep(client: Client, entries: readonly Entry[], store: Store = () => undefined): Promise<void> {
  const failures: unknown[] = [];
  const tryToStore = (entry: Entry) => {
    try {
      store(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const pending = entries.filter(isPending).toReversed();
  let queue = [...pending.filter(isRecord), ...pending.filter(isCard)];
  for (const isLast of [false, true]) {
    const search = cardSearch(client, entries);
    const again: Entry[] = [];
    let wait = 0;
    for (const entry of queue) {
      const { outcome, isInterrupted } = await tryToRemove(client, entry, entries, search, tryToStore);
      const late = timeUntilCarriedOut(client, entry);
      if (!isLast && (outcome === 'left' ? isInterrupted : outcome === 'absent' && late > 0)) {
        again.push(entry);
        wait = Math.max(wait, late, Math.min(1_000, client.lateAfter));
      } else if (outcome !== 'left') {
        entry.state = outcome === 'gone' ? 'gone' : 'refused';
        tryToStore(entry);
      } else if (isLast && isInterrupted) break;
    }
    queue = again;
    if (wait > 0) await client.rate.wait(wait, 'rest');
  }
  if (failures.length > 0) throw failures[0];
}

/** One attempt to remove an entry. */
interface Attempt {
  readonly outcome: RemovalOutcome;
  /** A connection broke, or a gateway answered in place of the service. */
  readonly isInterrupted: boolean;
}

async function tryToRemove(
  client: Client,
  entry: Entry,
  entries: readonly Entry[],
  search: CardSearch,
  store: Store,
): Promise<Attempt> {
  const before = client.cleaned.length;
  const removal = isCard(entry) ? removeCard(client, entry, entries, search) : removeRecord(client, entry, entries, store);
  const result = await removal.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
  const requests = client.cleaned.slice(before);
  const isInterrupted = result === 'lost' || requests.some(({ status }) => isNotReady(status));
  entry.why = reasonLeft(entry, requests, isInterrupted);
  if (result === 'left' && isRefusedThroughout(entry, requests)) return { outcome: 'absent', isInterrupted };
  return { outcome: result === 'lost' ? 'left' : result, isInterrupted };
}

/** Returns the milliseconds after which the service has carried out a request without an answer, if it ever does. */
const timeUntilCarriedOut = ({ lateAfter }: Client, { state, sent = 0 }: Entry): number =>
  state === 'asked' ? Math.min(sent + lateAfter - Date.now(), lateAfter) : 0;

/** Reports whether the creation was refused, and each look-up too: the service lacks the endpoint, or accepts the key for nothing. */
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
  return `${state === 'created' ? 'it was created' : unanswered}, and ${last ? `${endpointOf(last)} answered ${last.status}` : unproven}`;
}

/** Returns method and path without a code or id. */
const endpointOf = ({ method, path }: Exchange): string => `${method} ${path.split(/[/?]/).slice(0, 4).join('/')}`;
