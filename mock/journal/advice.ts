import type { Timestamp } from '../domain/tagged-types.ts';
import type { HandledRequest } from '../pipeline/context.ts';
import type { View } from '../state/view.ts';
import { type AdviceName, type AdvisedRequest, adviceRules } from './advice-rules.ts';
import type { Exchange } from './entry.ts';

/** What a request did that hurts in production. */
export interface Note {
  readonly name: AdviceName;
  /** A sentence. */
  readonly seen: string;
}

/** The number of an exchange and its time on the account's clock. */
interface Occurrence {
  readonly number: number;
  readonly at: Timestamp;
}

/** One habit, however often it was seen. */
export interface Advice {
  readonly name: AdviceName;
  readonly count: number;
  readonly first: Occurrence;
  readonly last: Occurrence;
  /** What was seen last. */
  readonly seen: string;
}

/** Within this time, in milliseconds, a request may be a retry of an equal one. */
const RETRY_WINDOW = 60_000;

const names = Object.keys(adviceRules) as AdviceName[];

/** Checks each request of an account against the advice rules, and counts what it finds. */
export class Adviser {
  readonly #advice = new Map<AdviceName, Advice>();
  readonly #memory = new Map<string, number>();
  #previous: Exchange | undefined;
  #inARow = 0;
  #limited: Exchange | undefined;
  /** Equal notes are shared, since a client mostly repeats its habits. */
  #notes: readonly Note[] = [];

  constructor(advice: readonly Advice[] = []) {
    for (const each of advice) this.#advice.set(each.name, each);
  }

  /** In the order in which each was first seen. */
  all(): readonly Advice[] {
    return [...this.#advice.values()];
  }

  /** Counts a habit. */
  add(name: AdviceName, seen: string, number: number, at: number): void {
    const earlier = this.#advice.get(name);
    const last = { number, at };
    this.#advice.set(name, { name, seen, count: (earlier?.count ?? 0) + 1, first: earlier?.first ?? last, last });
  }

  /** Adds its notes to the exchange; `state` is the account's, if one is known. */
  check(exchange: Exchange, { input, cause }: HandledRequest, fromBrowser: boolean, state: View | undefined): void {
    this.#countInARow(exchange);
    const { number, at, operation } = exchange;
    const start = exchange.target.indexOf('?');
    const request: AdvisedRequest = {
      exchange,
      body: (input?.body ?? NO_BODY) as AdvisedRequest['body'],
      query: start < 0 ? NO_QUERY : new URLSearchParams(exchange.target.slice(start)),
      changed: cause !== undefined,
      fromBrowser,
      state,
      inARow: this.#inARow,
      sinceLimited: this.#sinceLimited(exchange),
      remember: (key) => this.#remember(key, at),
    };
    const notes: Note[] = [];
    for (const name of names) {
      const { on, check } = adviceRules[name];
      if (!check || (on && !(operation && on.includes(operation)))) continue;
      const seen = check(request);
      if (!seen) continue;
      this.add(name, seen, number, at);
      notes.push({ name, seen });
    }
    if (notes.length > 0) exchange.notes = this.#notes = areEqual(notes, this.#notes) ? this.#notes : notes;
  }

  #countInARow(exchange: Exchange): void {
    const previous = this.#previous;
    this.#previous = exchange;
    const isRepeat = previous && isSame(previous, exchange) && previous.refusal === exchange.refusal;
    this.#inARow = isRepeat && exchange.at - previous.at < RETRY_WINDOW ? this.#inARow + 1 : 1;
  }

  #sinceLimited(exchange: Exchange): number | undefined {
    const limited = this.#limited;
    this.#limited = exchange.refusal === 'rate.exceeded' ? exchange : undefined;
    return limited && isSame(limited, exchange) ? Math.max(0, exchange.at - limited.at) : undefined;
  }

  /** Keys past the size limit are not remembered. */
  #remember(key: string, at: number): boolean {
    if (key.length > 1000) return false;
    const earlier = this.#memory.get(key);
    this.#memory.set(key, at);
    if (this.#memory.size > 256) this.#memory.delete(this.#memory.keys().next().value as string);
    return earlier !== undefined && at - earlier < RETRY_WINDOW;
  }
}

const NO_BODY = {};
const NO_QUERY = new URLSearchParams();

function isSame(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && one.target === other.target && one.body?.text === other.body?.text;
}

function areEqual(some: readonly Note[], others: readonly Note[]): boolean {
  return some.length === others.length && some.every(({ name, seen }, n) => name === others[n]?.name && seen === others[n]?.seen);
}
