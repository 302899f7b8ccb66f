import { withNames } from '../contract/effective/names.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import type { Count, Timestamp } from '../state/value-types.ts';
import type { View } from '../state/view.ts';
import { type AdviceName, type AdvisedRequest, adviceRules, RETRY_WINDOW } from './advice-rules.ts';
import { type Exchange, isSameRequest, type Note } from './entry.ts';

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
  /** The last finding. */
  readonly seen: string;
}

const checks = (Object.keys(adviceRules) as AdviceName[]).flatMap((name) => {
  const { on, check } = adviceRules[name];
  return check ? [{ name, on, check }] : [];
});
/** The checks of each operation that has its own. They are selected once, since every request needs them. */
const checksByOperation = new Map(
  [...new Set(checks.flatMap(({ on = [] }) => on))].map((id) => [id, checks.filter(({ on }) => on?.includes(id) ?? true)]),
);
const generalChecks = checks.filter(({ on }) => on === undefined);
const NOTHING = Object.freeze({});

/** Checks each request of an account against the advice rules, and counts what it finds. */
export class Adviser {
  readonly #advice: Map<AdviceName, Advice>;
  /** When each key was remembered last. */
  readonly #memory = new Map<string, number>();
  #previous: Exchange | undefined;
  /** How often `#previous` came, each time within a minute and with the same refusal. */
  #repeats = 0;

  constructor(advice: readonly Advice[] = []) {
    this.#advice = new Map(advice.map((each) => [each.name, each]));
  }

  /** In the order in which each was first seen. */
  advice(): readonly Advice[] {
    return [...this.#advice.values()];
  }

  /** Counts a habit. */
  add(name: AdviceName, seen: string, number: Count, at: number): void {
    const earlier = this.#advice.get(name);
    const last = { number, at };
    this.#advice.set(name, { name, seen, count: (earlier?.count ?? 0) + 1, first: earlier?.first ?? last, last });
  }

  /** Returns what the rules find in a request; `state` is the account's, if one is known. */
  check(exchange: Exchange, handled: HandledRequest, fromBrowser: boolean, state: View | undefined): readonly Note[] {
    const { number, at, operation } = exchange;
    const previous = this.#previous;
    this.#follow(exchange);
    const request: AdvisedRequest = {
      exchange,
      body: (handled.input?.body ?? NOTHING) as AdvisedRequest['body'],
      parameters: handled.input?.parameters ?? NOTHING,
      changed: handled.cause !== undefined,
      fromBrowser,
      state,
      previous,
      repeats: this.#repeats,
      remember: (key: string) => this.#remember(key, at),
    };
    const notes: Note[] = [];
    for (const { name, check } of (operation && checksByOperation.get(operation)) ?? generalChecks) {
      const found = check(request);
      if (!found) continue;
      const seen = withNames(found, handled.operation?.names);
      this.add(name, seen, number, at);
      notes.push({ name, seen });
    }
    return notes;
  }

  #follow(exchange: Exchange): void {
    const previous = this.#previous;
    const isRepeat =
      previous !== undefined &&
      previous.refusal === exchange.refusal &&
      exchange.at - previous.at < RETRY_WINDOW &&
      isSameRequest(previous, exchange);
    this.#repeats = isRepeat ? this.#repeats + 1 : 1;
    this.#previous = exchange;
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
