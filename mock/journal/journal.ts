import { describe } from '../faults/rules.ts';
import { Bounded } from '../outbound/bounded.ts';
import type { Cause } from '../outbound/cause.ts';
import type { EffectEvent } from '../outbound/effect-event.ts';
import type { Handled } from '../pipeline/context.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { Change } from '../state/change.ts';
import { type Touched, touchedBy } from '../state/change-summary.ts';
import type { ListingRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';
import { Advice, type Learned } from './advice.ts';
import { Adviser, type AdviserState } from './adviser.ts';
import { Answers } from './answers.ts';
import { type Entry, type Exchange, kept, keptBytes, LONGEST, lengthOf } from './entry.ts';
import { Heads } from './heads.ts';
import { hiddenInAddress } from './redaction/hide-in-address.ts';
import { hiddenInBody } from './redaction/hide-in-message.ts';

/** A card as it was brought to the channels, which has no other record. */
export interface Pushed {
  readonly cause: Cause;
  readonly giftCardId: string;
  readonly currency: string;
  readonly listings: readonly ListingRecord[];
}

/** A journal as a value, without what may not be seen: its last entries, since a snapshot is taken often and written in a hurry. */
export interface JournalState {
  readonly entries: readonly Entry[];
  readonly dropped: number;
  readonly pushes: readonly Pushed[];
  readonly pushesDropped: number;
  readonly advice: readonly Learned[];
  readonly adviser: AdviserState;
  readonly numbered: number;
}

/**
 * What happened to an account, and what its callers do that will hurt in production. It only looks: nothing that is answered depends on it. Recording
 * is on the way of every request, so it keeps what is there already; words are made by who reads (views.ts, chain.ts).
 */
export class Journal {
  readonly #entries: Bounded<Entry>;
  readonly #pushes = new Bounded<Pushed>(10_000, ({ listings }) => listings.length * LISTING);
  readonly #heads = new Heads();
  readonly #answers = new Answers();
  #advice = new Advice();
  #adviser = this.#newAdviser();
  /** Where it gives the numbers itself. */
  #numbered = 0;
  /** What the request that is being handled has changed so far. */
  #changing: { readonly id: number; readonly at: number; readonly touched: readonly Touched[] } | undefined;

  constructor(limit = 10_000) {
    this.#entries = new Bounded(limit, lengthOf);
  }

  /** The number of a request that belongs to no account, and so is not among its causes. */
  nextNumber(): number {
    return ++this.#numbered;
  }

  /** Told of every action at the control door that has a cause of its own, whether or not it comes to a decision. */
  acted({ id: number, what, at }: Cause): void {
    this.#entries.add({ kind: 'control', number, at, what, touched: NOTHING });
  }

  /**
   * Told of everything that changes just before it does, when `state` still says what was there before. What comes of an entry later, as a webhook
   * that is disabled, is noted with it; pushes are told of as effects.
   */
  decided(changes: readonly Change[], cause: Cause, state: View): void {
    const { id: number, kind, what, at } = cause;
    if (number <= (this.#entries.last?.number ?? 0)) {
      this.#add(changes, number, state);
      return;
    }
    const touched = changes.length === 0 ? NOTHING : touchedBy(changes, state);
    if (kind === 'request') this.#changing = { id: number, at, touched };
    else this.#entries.add({ kind, number, at, what, touched });
  }

  /** Of what the request that is being handled has changed, also where it was refused; undefined where it has changed nothing. */
  get changing(): Pick<Cause, 'id' | 'at'> | undefined {
    return this.#changing;
  }

  /** Notes changes with an entry that is there: what the control door decided, or what came later. */
  #add(changes: readonly Change[], number: number, state: View): void {
    const entry = this.#entries.numbered(number, (each) => each.number);
    if (!entry) return;
    const isDecision = entry.kind === 'control' && entry.touched === NOTHING;
    const more = touchedBy(isDecision ? changes : changes.filter(({ table }) => table !== 'listings'), state);
    if (more.length === 0) return;
    entry.touched = [...entry.touched, ...more];
    this.#entries.grown(entry);
  }

  /** Told of every request with its answer, under the number that it has among the causes; `state` is the account's, where the caller has one. */
  exchanged(
    request: ServiceRequest,
    handled: Handled,
    { id: number, at }: Pick<Cause, 'id' | 'at'>,
    milliseconds: number,
    state?: View,
  ): void {
    const { answer, operation, refusal, fault } = handled;
    const { method, target, body } = request;
    const { shown, fromBrowser } = this.#heads.of(request.headers);
    const text = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString('utf8');
    const exchange: Exchange = {
      kind: 'request',
      number,
      at,
      milliseconds,
      method,
      target: kept(target),
      headers: shown,
      body: body === 'too large' ? null : body && keptBytes(body),
      status: answer.status,
      mediaType: answer.headers['content-type'] ?? '',
      answer: this.#answers.of(text),
      answerCut: text.length > LONGEST,
      answerBytes: answer.bytes ?? Buffer.byteLength(text),
      operation: operation?.id,
      refusal: refusal?.code,
      fault: fault && describe(fault.rule),
      touched: this.#changing?.id === number ? this.#changing.touched : NOTHING,
      notes: NO_NOTES,
    };
    this.#changing = undefined;
    this.#adviser.look(exchange, handled, fromBrowser, state);
    this.#entries.add(exchange);
  }

  /** Told of every effect. Emails, deliveries and what was suppressed are kept elsewhere. */
  happened(happened: EffectEvent): void {
    if (happened.kind !== 'push') return;
    const { cause, card, listings } = happened;
    if (listings.length > 0) this.#pushes.add({ cause, giftCardId: card.id, currency: card.currency, listings });
  }

  /** Told of a webhook that was disabled by what came of a cause, at a moment of the account's clock. */
  disabled(webhookId: string, { id }: Cause, at: number): void {
    this.#advice.add('webhook-disabled', `The webhook ${webhookId} was disabled by its last failed delivery.`, id, at);
  }

  /** Oldest first. */
  entries(): readonly Entry[] {
    return this.#entries.all();
  }

  /** Oldest first. */
  pushes(): readonly Pushed[] {
    return this.#pushes.all();
  }

  /** In the order in which it was first given. */
  advice(): readonly Learned[] {
    return this.#advice.all();
  }

  /** How many of each are not kept any more. */
  get dropped(): { readonly entries: number; readonly pushes: number } {
    return { entries: this.#entries.dropped, pushes: this.#pushes.dropped };
  }

  #newAdviser(): Adviser {
    return new Adviser(this.#advice, (number) => {
      const entry = this.#entries.numbered(number, (each) => each.number);
      return entry?.kind === 'request' ? entry : undefined;
    });
  }

  state(): JournalState {
    const entries = this.entries();
    const pushes = this.pushes();
    return {
      entries: entries.slice(-IN_A_STATE).map(withoutSecrets),
      dropped: this.#entries.dropped + Math.max(0, entries.length - IN_A_STATE),
      pushes: pushes.slice(-IN_A_STATE),
      pushesDropped: this.#pushes.dropped + Math.max(0, pushes.length - IN_A_STATE),
      advice: this.advice(),
      adviser: this.#adviser.state(),
      numbered: this.#numbered,
    };
  }

  /** Puts back what `state` gave, in a journal that has nothing yet. */
  restore({ entries, dropped, pushes, pushesDropped, advice, adviser, numbered }: JournalState): void {
    this.#entries.restore(
      entries.map((entry) => ({ ...entry })),
      dropped,
    );
    this.#pushes.restore(pushes, pushesDropped);
    this.#advice = new Advice(advice);
    this.#adviser = this.#newAdviser();
    this.#adviser.restore(adviser);
    this.#numbered = numbered;
  }
}

const NOTHING: readonly Touched[] = Object.freeze([]);
const NO_NOTES: readonly [] = Object.freeze([]) as readonly [];

/** So many entries go into a state. */
const IN_A_STATE = 1_000;

/** A listing, in letters. */
const LISTING = 100;

function withoutSecrets(entry: Entry): Entry {
  if (entry.kind !== 'request') return entry;
  const { target, body, answer } = entry;
  return {
    ...entry,
    target: hiddenInAddress(target),
    body: body && { ...body, text: hiddenInBody(body.text) },
    answer: hiddenInBody(answer),
  };
}
