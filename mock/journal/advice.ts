import type { OperationId } from '../../openapi/generated/validators.js';
import { withNames } from '../contract/effective/names.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import type { Count, Timestamp } from '../state/value-types.ts';
import type { View } from '../state/view.ts';
import { type AdviceName, type AdviceRule, type AdvisedRequest, adviceRules } from './advice-rules.ts';
import type { JournalExchange, Note } from './entry.ts';

/** The number of an exchange and its time on the account's clock. */
interface Occurrence {
  readonly number: number;
  readonly at: Timestamp;
}

/** A client mistake. */
export interface Advice {
  readonly name: AdviceName;
  readonly count: number;
  readonly first: Occurrence;
  readonly last: Occurrence;
  /** The sentence about the last occurrence. */
  readonly seen: string;
}

const rules = (Object.entries(adviceRules) as [AdviceName, AdviceRule][]).filter(([, { check }]) => check);
const rulesByOperation = new Map<OperationId | undefined, typeof rules>();

/** Returns the rules of an operation. Every request needs the rules, so the function selects them once per operation. */
function rulesOf(operation: OperationId | undefined): typeof rules {
  const known = rulesByOperation.get(operation);
  if (known) return known;
  const selected = rules.filter(([, { on }]) => !on || (operation && on.includes(operation)));
  rulesByOperation.set(operation, selected);
  return selected;
}

/** Milliseconds within which an equal request may be a retry. */
const RETRY_WINDOW = 60_000;

/** Checks each request of an account against the advice rules, and counts the mistakes. */
export class AdviceLog {
  readonly #advice: Map<AdviceName, Advice>;
  /** The time at which each key was last remembered. */
  readonly #memory = new Map<string, number>();
  #previous: JournalExchange | undefined;

  constructor(advice: readonly Advice[] = []) {
    this.#advice = new Map(advice.map((each) => [each.name, each]));
  }

  advice(): readonly Advice[] {
    return [...this.#advice.values()];
  }

  add(name: AdviceName, seen: string, number: Count, at: number): void {
    const earlier = this.#advice.get(name);
    const last = { number, at };
    this.#advice.set(name, { name, seen, count: (earlier?.count ?? 0) + 1, first: earlier?.first ?? last, last });
  }

  /** Checks a request against the rules. Counts and returns the advice. `state` is undefined without an account. */
  check(exchange: JournalExchange, handled: HandledRequest, fromBrowser: boolean, state: View | undefined): readonly Note[] {
    const { number, at, operation } = exchange;
    const request: AdvisedRequest = {
      exchange,
      body: (handled.input?.body ?? {}) as AdvisedRequest['body'],
      parameters: handled.input?.parameters ?? {},
      changed: handled.cause !== undefined && handled.refusal === undefined,
      fromBrowser,
      state,
      previous: this.#previous,
      remember: (key: string) => this.#remember(key, at),
    };
    this.#previous = exchange;
    const notes: Note[] = [];
    for (const [name, { check }] of rulesOf(operation)) {
      const found = check?.(request);
      if (!found) continue;
      const seen = withNames(found, handled.operation?.names);
      this.add(name, seen, number, at);
      notes.push({ name, seen });
    }
    return notes;
  }

  #remember(key: string, at: number): boolean {
    if (key.length > 1000) return false;
    const earlier = this.#memory.get(key);
    this.#memory.set(key, at);
    if (this.#memory.size > 256) this.#memory.delete(this.#memory.keys().next().value as string);
    return earlier !== undefined && at - earlier < RETRY_WINDOW;
  }
}
