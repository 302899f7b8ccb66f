import { describeFault } from '../faults/rules.ts';
import { BoundedLog } from '../outbound/bounded-log.ts';
import type { Cause } from '../outbound/cause.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import type { Persist } from '../state/persist.ts';
import type { View } from '../state/view.ts';
import { type Advice, AdviceLog } from './advice.ts';
import { type ChangeSummary, NO_CHANGES } from './change-summary.ts';
import { entryLength, type JournalEntry, type JournalExchange, MAX_KEPT, truncateBody, truncateText } from './entry.ts';
import { HeaderCache, redactUrls } from './redaction.ts';

/** The part of a journal that a snapshot keeps. Because snapshots are taken often, they leave out old entries. */
export interface JournalState {
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  readonly advice: readonly Advice[];
}

const MAX_IN_STATE = 1_000;
const NO_NOTES: readonly never[] = Object.freeze([]);

/**
 * The exchanges of an account, the changes of each exchange, and advice for clients. Every request waits until the journal has recorded its exchange.
 * To save time, the journal builds its texts only when a client reads the journal (views.ts, chain.ts).
 */
export class Journal {
  readonly #entries: BoundedLog<JournalEntry>;
  readonly #headers = new HeaderCache();
  #adviceLog = new AdviceLog();
  #longResponse = '';

  constructor(persist: Persist = () => {}) {
    this.#entries = new BoundedLog(entryLength, (number, entry) => persist('journal', number, entry));
  }

  /** The number of the newest entry, counted from 1. */
  get lastNumber(): number {
    return this.#entries.last?.number ?? 0;
  }

  /**
   * Creates a cause, which gets the number of the next entry. `giftCardId` is the card of a due event. An action of the control API is recorded
   * immediately, even if it changes nothing. Due events are recorded with their changes, and requests with their responses.
   */
  cause(kind: Cause['kind'], what: string, at: number, giftCardId?: string): Cause {
    const id = this.lastNumber + 1;
    if (kind === 'control') this.#entries.add({ kind, number: id, at, what, touched: NO_CHANGES });
    return { id, kind, what, at, giftCardId };
  }

  /** Records what a due event has changed, or what an action or a failed delivery has changed since its entry was made. */
  changed({ id: number, kind, what, at, giftCardId }: Cause, touched: readonly ChangeSummary[]): void {
    if (kind === 'clock' && number > this.lastNumber) {
      this.#entries.add({ kind, number, at, what, giftCardId, touched });
      return;
    }
    const entry = touched.length > 0 && this.#entries.findLast((each) => each.number === number);
    if (!entry) return;
    entry.touched = [...entry.touched, ...touched];
    this.#entries.update(entry);
  }

  /** Records a request with its changes and its response. `state` is undefined without an account. */
  exchanged(
    request: ServiceRequest,
    handled: HandledRequest,
    { id: number, at }: Cause,
    milliseconds: number,
    state?: View,
  ): void {
    const { response, operation, refusal, fault } = handled;
    const { method, target, body } = request;
    const { shown, fromBrowser } = this.#headers.of(request.headers);
    const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString('utf8');
    const exchange: JournalExchange = {
      kind: 'request',
      number,
      at,
      milliseconds,
      method,
      target: redactUrls(truncateText(target)),
      headers: shown,
      body: body === 'too large' ? null : body && truncateBody(body),
      status: response.status,
      mediaType: response.headers['content-type'] ?? '',
      response: this.#responseToKeep(text),
      responseBytes: response.bytes ?? Buffer.byteLength(text),
      responseCut: text.length > MAX_KEPT,
      operation: operation?.id,
      refusal: refusal?.code,
      fault: fault && describeFault(fault.rule),
      touched: handled.touched,
      notes: NO_NOTES,
    };
    exchange.notes = this.#adviceLog.check(exchange, handled, fromBrowser, state);
    this.#entries.add(exchange);
  }

  /** Returns the text to keep. To save memory, consecutive long responses that are equal share one copy. */
  #responseToKeep(text: string): string {
    if (text.length <= MAX_KEPT) return text;
    if (text.slice(0, MAX_KEPT) !== this.#longResponse) this.#longResponse = truncateText(text);
    return this.#longResponse;
  }

  disabled(webhookId: string, { id }: Cause, at: number): void {
    this.#adviceLog.add('webhook-disabled', `The webhook ${webhookId} was disabled by its last failed delivery.`, id, at);
  }

  /** Returns the entries, oldest first. */
  entries(): readonly JournalEntry[] {
    return this.#entries.all();
  }

  advice(): readonly Advice[] {
    return this.#adviceLog.advice();
  }

  get dropped(): number {
    return this.#entries.dropped;
  }

  state(): JournalState {
    const entries = this.entries();
    const dropped = this.dropped + Math.max(0, entries.length - MAX_IN_STATE);
    return { entries: entries.slice(-MAX_IN_STATE), dropped, advice: this.advice() };
  }

  /** Restores the state. The journal must be empty. */
  restore({ entries, dropped, advice }: JournalState): void {
    this.#entries.restore({ kept: entries, dropped });
    this.#adviceLog = new AdviceLog(advice);
  }
}
