import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { removeCard } from './card-cleanup.ts';
import { isNotReady, type Outcome } from './cleanup-requests.ts';
import { type Entry, isRecord, pending } from './entries.ts';
import { FindByMarker } from './find-by-marker.ts';
import { removeRecord } from './record-cleanup.ts';
import { reasonLeft, wholeLookupMissing } from './refusals.ts';

/** One attempt to remove an entry. */
interface Attempt {
  readonly outcome: Exclude<Outcome, 'unclear'>;
  /** A connection broke, or a gateway answered in place of the service. */
  readonly interrupted: boolean;
  readonly requests: readonly Exchange[];
}

/** Whether other evidence proves that an entry is absent, given what was asked for it. Called when no look-up can. */
type OtherProof = (entry: Entry, requests: readonly Exchange[]) => boolean | Promise<boolean>;

/**
 * Deletes and voids, newest first, everything that may still exist: other records before cards, so that no void is delivered to a webhook of the run.
 * What cannot be proven gone is marked as left, with the reason. An interrupted attempt is repeated once.
 *
 * `onSettled` is called for each entry; what it throws is thrown after all entries had their turn.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  onSettled: (entry: Entry) => void = () => undefined,
  otherProof: OtherProof = () => false,
): Promise<void> {
  const work = new Sweep(client, entries, onSettled, otherProof);
  const open = entries.filter(pending).toReversed();
  const interrupted = await work.tryAll([...open.filter(isRecord), ...open.filter((entry) => !isRecord(entry))]);
  await work.retry(interrupted);
  await work.retryUnanswered();
  if (work.failures.length > 0) throw work.failures[0];
}

class Sweep {
  readonly failures: unknown[] = [];
  readonly #client: Client;
  readonly #entries: readonly Entry[];
  readonly #onSettled: (entry: Entry) => void;
  readonly #otherProof: OtherProof;
  /** Absent now, but its request had no answer and may still be carried out. */
  readonly #unanswered: Entry[] = [];
  #markers: FindByMarker;

  constructor(client: Client, entries: readonly Entry[], onSettled: (entry: Entry) => void, otherProof: OtherProof) {
    this.#client = client;
    this.#entries = entries;
    this.#onSettled = onSettled;
    this.#otherProof = otherProof;
    this.#markers = new FindByMarker(client, entries);
  }

  /** Returns the entries whose removal was interrupted. */
  async tryAll(entries: readonly Entry[]): Promise<Entry[]> {
    const interrupted: Entry[] = [];
    for (const entry of entries) {
      const attempt = await this.#attempt(entry);
      if (attempt.outcome === 'left' && attempt.interrupted) interrupted.push(entry);
      else this.#settle(entry, attempt);
    }
    return interrupted;
  }

  /** Waits, then repeats interrupted removals; after the first that is interrupted again, the others are not tried. */
  async retry(entries: readonly Entry[]): Promise<void> {
    if (entries.length > 0) await this.#client.rest(Math.min(1_000, this.#client.lateAfter));
    this.#markers = new FindByMarker(this.#client, this.#entries);
    let isDown = false;
    for (const entry of entries) {
      const attempt: Attempt = isDown ? { outcome: 'left', interrupted: true, requests: [] } : await this.#attempt(entry);
      isDown = attempt.outcome === 'left' && attempt.interrupted;
      this.#settle(entry, attempt);
    }
  }

  /** Looks once more for entries whose request had no answer, after the time in which the service may still carry it out. */
  async retryUnanswered(): Promise<void> {
    for (const entry of this.#unanswered) {
      const wait = timeUntilCarriedOut(this.#client, entry);
      if (wait > 0) await this.#client.rest(wait);
      this.#markers = new FindByMarker(this.#client, this.#entries);
      this.#record(entry, await this.#attempt(entry));
    }
  }

  async #attempt(entry: Entry): Promise<Attempt> {
    const before = this.#client.cleaned.length;
    const removal =
      entry.kind === 'card'
        ? removeCard(this.#client, entry, this.#entries, this.#markers)
        : removeRecord(this.#client, entry, this.#entries, (other) => this.#notify(other));
    const outcome = await removal.catch((error: unknown) => (error instanceof TransportError ? 'lost' : 'left'));
    const requests = this.#client.cleaned.slice(before);
    if (outcome === 'lost') return { outcome: 'left', interrupted: true, requests };
    if (outcome === 'unclear' && (await this.#isProvenAbsent(entry, requests)))
      return { outcome: 'not-there', interrupted: false, requests };
    const interrupted = requests.some(({ status }) => isNotReady(status));
    return { outcome: outcome === 'unclear' ? 'left' : outcome, interrupted, requests };
  }

  async #isProvenAbsent(entry: Entry, requests: readonly Exchange[]): Promise<boolean> {
    if (wholeLookupMissing(entry, requests)) return true;
    return Promise.resolve(this.#otherProof(entry, requests)).catch(() => false);
  }

  #settle(entry: Entry, attempt: Attempt): void {
    const mayStillAppear = attempt.outcome === 'not-there' && isUnanswered(entry) && timeUntilCarriedOut(this.#client, entry) > 0;
    if (mayStillAppear) this.#unanswered.push(entry);
    else this.#record(entry, attempt);
  }

  #record(entry: Entry, { outcome, interrupted, requests }: Attempt): void {
    const wasDoubted = entry.state === 'doubted';
    entry.state = outcome === 'not-there' ? (wasDoubted ? 'refused' : 'gone') : outcome;
    delete entry.why;
    if (outcome === 'left') entry.why = reasonLeft(entry, requests, interrupted);
    this.#notify(entry);
  }

  #notify(entry: Entry): void {
    try {
      this.#onSettled(entry);
    } catch (failure) {
      this.failures.push(failure);
    }
  }
}

const isUnanswered = ({ state, made }: Entry) => state === 'asked' || (state === 'left' && !made);

/** Milliseconds until a request without an answer has surely been carried out, if it ever is. */
const timeUntilCarriedOut = ({ lateAfter }: Client, { sent = 0 }: Entry): number =>
  Math.min(sent + lateAfter - Date.now(), lateAfter);
