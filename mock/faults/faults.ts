import type { OperationId } from '../../openapi/generated/validators.js';
import { Chance, type ChanceState, Clock } from '../account/clock.ts';
import type { Input } from '../contract/contract.ts';
import { formatTime } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count } from '../state/value-types.ts';
import { type DeliveryRule, describeFault, type FaultRule, needsToken, type RequestRule, selects } from './rules.ts';
import {
  fingerprintOf,
  observe,
  type PostAnswer,
  type RequestStrike,
  type Verdict,
  verdictOn,
  verdictOnReceiver,
} from './verdicts.ts';

/** Strikes kept per rule; older ones are dropped. */
const MAX_STRIKES = 100;

/** A delivery that a fault struck. */
interface DeliveryStrike extends Verdict {
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
}

interface Entry<Rule extends FaultRule, Strike> {
  /** Distinguishes the two kinds of entries in a snapshot. */
  readonly on: Rule['on'];
  readonly id: string;
  readonly rule: Rule;
  /** Requests or deliveries that the rule is about, and those that it struck. */
  calls: number;
  hits: number;
  readonly strikes: Strike[];
}
type RequestEntry = Entry<RequestRule, RequestStrike>;
type DeliveryEntry = Entry<DeliveryRule, DeliveryStrike>;

/** The faults of an account as a snapshot keeps them. */
export interface FaultsState {
  /** The number of rules that were ever set. */
  readonly made: Count;
  readonly rules: readonly (RequestEntry | DeliveryEntry)[];
  readonly chance: ChanceState;
}

/** A fault that struck a request. */
export interface StruckRequest extends Pick<RequestEntry, 'id' | 'rule'> {
  readonly strike: RequestStrike;
  /** Functions that break off the answers that faults delay without a connection. */
  readonly heldBack?: Set<() => void>;
}

interface RequestStrikeView extends Verdict {
  readonly operation: OperationId;
  readonly struckAtUtc: string;
  /** The idempotency value of the request. */
  readonly about: string | null;
}

/** A rule with its effect so far. The verdict is `unused` without a strike, else the worst of its strikes. */
export type FaultView = FaultRule & {
  readonly id: string;
  readonly description: string;
  readonly calls: number;
  readonly hits: number;
  readonly verdict: Verdict['verdict'] | 'unused';
  readonly strikes: readonly (RequestStrikeView | DeliveryStrike)[];
};

/** The faults of an account, what they struck, and how the client or receiver handled it. They have their own randomness. */
export class Faults {
  #made = 0;
  #entries: (RequestEntry | DeliveryEntry)[] = [];
  #chance: Chance;
  readonly #machine = new Clock();

  constructor(seed: number, accountId: string) {
    this.#chance = Chance.seeded(seed, `faults of ${accountId}`);
  }

  add(rule: FaultRule): FaultView {
    const counters = { id: `fault-${++this.#made}`, calls: 0, hits: 0, strikes: [] };
    const entry = { ...counters, on: rule.on, rule } as RequestEntry | DeliveryEntry;
    this.#entries.push(entry);
    return this.#viewOf(entry);
  }

  /** In the order in which they were set. */
  all(): FaultView[] {
    return this.#entries.map((entry) => this.#viewOf(entry));
  }

  /** Removes a rule, or all without an ID, and returns their last views. IDs are not used again. */
  remove(id?: string): FaultView[] {
    const removed = this.all().filter((each) => id === undefined || each.id === id);
    this.#entries = this.#entries.filter((each) => id !== undefined && each.id !== id);
    return removed;
  }

  /** The first rule that strikes a request, if any. Every request also shows how the client handled earlier strikes. */
  strikeRequest(operation: OperationId, input: Input, now: number): StruckRequest | undefined {
    const entries = this.#entries.filter(isOnRequests);
    if (entries.length === 0) return undefined;
    const at = { at: now, real: this.#machine.now() };
    const fingerprint = fingerprintOf(operation, input);
    const strikes = entries.flatMap((each) => each.strikes);
    const isKnown = fingerprint.unique !== null && strikes.some(({ unique }) => unique === fingerprint.unique);
    for (const strike of strikes) observe(strike, fingerprint, at, isKnown);
    const entry = this.#select(entries, (rule) => (rule.operation ?? operation) === operation);
    if (!entry) return undefined;
    const next = { changed: false, repeatedAfter: null, other: null, listed: false, abandoned: false };
    const strike: RequestStrike = { ...fingerprint, ...at, ...next };
    keep(entry.strikes, strike);
    return { id: entry.id, rule: entry.rule, strike };
  }

  /** The first rule that strikes a delivery, if any. `decide` records the outcome. */
  strikeDelivery({ requestId, webhookId, topic }: Omit<DeliveryStrike, keyof Verdict>, hasToken: boolean) {
    const entries = this.#entries.filter((each): each is DeliveryEntry => !isOnRequests(each));
    const entry = this.#select(entries, (rule) => {
      if ((rule.topic ?? topic) !== topic || (rule.webhookId ?? webhookId) !== webhookId) return false;
      return hasToken || !needsToken(rule.fault);
    });
    if (!entry) return undefined;
    const strike: DeliveryStrike = {
      requestId,
      webhookId,
      topic,
      verdict: 'waiting',
      sentence: 'The delivery has no answer yet.',
    };
    keep(entry.strikes, strike);
    return { ...entry, strike };
  }

  /**
   * Records the receiver's answers to the posts that a fault changed or added. Without an answer that decides, the strike is withdrawn: the fault
   * strikes another delivery in its place.
   */
  decide(
    { rule, id, strike }: Pick<DeliveryEntry, 'rule' | 'id'> & { strike: DeliveryStrike },
    answers: readonly PostAnswer[],
  ): void {
    const entry = this.#entries.find((each): each is DeliveryEntry => each.id === id && !isOnRequests(each));
    const position = entry?.strikes.indexOf(strike) ?? -1;
    if (!entry || position < 0) return;
    const verdict = verdictOnReceiver(rule.fault, answers);
    if (verdict) entry.strikes[position] = { ...strike, ...verdict };
    else withdraw(entry, strike);
  }

  state(): FaultsState {
    return { made: this.#made, rules: structuredClone(this.#entries), chance: this.#chance.state() };
  }

  /** Strikes on deliveries that were under way are withdrawn, since nothing records their answers any more. */
  static from({ made, rules, chance }: FaultsState): Faults {
    const faults = new Faults(0, '');
    faults.#made = made;
    faults.#entries = structuredClone(rules) as (RequestEntry | DeliveryEntry)[];
    faults.#chance = Chance.from(chance);
    for (const entry of faults.#entries)
      if (!isOnRequests(entry)) for (const each of [...entry.strikes]) if (each.verdict === 'waiting') withdraw(entry, each);
    return faults;
  }

  /** Counts the call in each rule that it reaches; a call that one rule strikes does not reach those after it. */
  #select<E extends RequestEntry | DeliveryEntry>(entries: readonly E[], isAbout: (rule: E['rule']) => boolean): E | undefined {
    const found = entries.find((entry) => isAbout(entry.rule) && selects(entry.rule, ++entry.calls, this.#chance));
    if (found) found.hits++;
    return found;
  }

  #viewOf(entry: RequestEntry | DeliveryEntry): FaultView {
    const { id, rule, calls, hits } = entry;
    const strikes = isOnRequests(entry)
      ? entry.strikes.map((strike): RequestStrikeView => {
          const { operation, at, unique } = strike;
          return { operation, struckAtUtc: formatTime(at), about: unique, ...verdictOn(entry.rule, strike, this.#machine.now()) };
        })
      : entry.strikes;
    const verdicts = strikes.map(({ verdict }) => verdict);
    const worst = (['failed', 'waiting', 'passed'] as const).find((each) => verdicts.includes(each));
    return { id, description: describeFault(rule), ...rule, calls, hits, verdict: worst ?? 'unused', strikes };
  }
}

function isOnRequests(entry: RequestEntry | DeliveryEntry): entry is RequestEntry {
  return entry.on === 'request';
}

function keep<Strike>(strikes: Strike[], strike: Strike): void {
  strikes.push(strike);
  if (strikes.length > MAX_STRIKES) strikes.shift();
}

function withdraw(entry: DeliveryEntry, strike: DeliveryStrike): void {
  entry.strikes.splice(entry.strikes.indexOf(strike), 1);
  entry.calls--;
  entry.hits--;
}
