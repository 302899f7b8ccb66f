import type { OperationId } from '../../openapi/generated/validators.js';
import { Chance, type ChanceState, Clock } from '../account/clock.ts';
import type { Input } from '../contract/contract.ts';
import { time } from '../domain/calendar.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count } from '../domain/tagged-types.ts';
import { type PostAnswer, verdictOnReceiver } from './delivery-verdict.ts';
import { fingerprintOf, observe, type RequestStrike, type Verdict, verdictOn } from './request-verdict.ts';
import { type DeliveryRule, describe, type FaultRule, needsToken, type RequestRule, selects } from './rules.ts';

/** Strikes kept per rule; older ones are dropped. */
const MAX_STRIKES = 100;

/** A delivery that a fault struck. */
interface DeliveryStrike extends Verdict {
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
}

interface Entry<Rule extends FaultRule, Strike> {
  /** Tells the two kinds of entries apart in a snapshot. */
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
  /** How many rules were ever set. */
  readonly made: Count;
  readonly rules: readonly (RequestEntry | DeliveryEntry)[];
  readonly chance: ChanceState;
}

/** A fault that struck a request. */
export interface StruckRequest extends Pick<RequestEntry, 'id' | 'rule'> {
  readonly strike: RequestStrike;
  /** Functions that break off the answers that faults hold back without a connection. */
  readonly heldBack?: Set<() => void>;
}

/** A fault that struck a delivery. */
interface StruckDelivery extends Pick<DeliveryEntry, 'id' | 'rule'> {
  readonly requestId: string;
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
    const entry: RequestEntry | DeliveryEntry =
      rule.on === 'request' ? { ...counters, on: rule.on, rule } : { ...counters, on: rule.on, rule };
    this.#entries.push(entry);
    return this.#viewOf(entry);
  }

  /** In the order in which they were set. */
  all(): FaultView[] {
    return this.#entries.map((entry) => this.#viewOf(entry));
  }

  /** Removes a rule and returns its last view; undefined if there is no such rule. */
  remove(id: string): FaultView | undefined {
    const found = this.all().find((each) => each.id === id);
    this.#entries = this.#entries.filter((each) => each.id !== id);
    return found;
  }

  /** Removes all rules and returns their last views; IDs are not used again. */
  clear(): FaultView[] {
    const removed = this.all();
    this.#entries = [];
    return removed;
  }

  /** The first rule that strikes a request, if any. Every request also shows how the client handled earlier strikes. */
  strikeRequest(operation: OperationId, input: Input, now: number): StruckRequest | undefined {
    const entries = this.#entries.filter(isOnRequests);
    if (entries.length === 0) return undefined;
    const moment = { now, real: this.#machine.now() };
    const fingerprint = fingerprintOf(operation, input);
    const strikes = entries.flatMap((each) => each.strikes);
    const isKnown = fingerprint.unique !== null && strikes.some(({ unique }) => unique === fingerprint.unique);
    for (const strike of strikes) observe(strike, fingerprint, moment, isKnown);
    const entry = this.#select(entries, ({ operation: only }) => only === null || only === operation);
    if (!entry) return undefined;
    const next = { changed: false, repeatedAfter: null, other: null, listed: false, abandoned: false };
    const strike: RequestStrike = { ...fingerprint, at: now, real: moment.real, ...next };
    keep(entry.strikes, strike);
    return { id: entry.id, rule: entry.rule, strike };
  }

  /** The first rule that strikes a delivery, if any. */
  strikeDelivery(
    { requestId, webhookId, topic }: Omit<DeliveryStrike, keyof Verdict>,
    hasToken: boolean,
  ): StruckDelivery | undefined {
    const entries = this.#entries.filter((each): each is DeliveryEntry => !isOnRequests(each));
    const entry = this.#select(entries, (rule) => {
      if ((rule.topic ?? topic) !== topic || (rule.webhookId ?? webhookId) !== webhookId) return false;
      return hasToken || !needsToken(rule.fault);
    });
    if (!entry) return undefined;
    const { id, rule, strikes } = entry;
    keep(strikes, { requestId, webhookId, topic, ...verdictOnReceiver(rule.fault, []) });
    return { id, rule, requestId };
  }

  /** Records the receiver's answers to the posts that a fault changed or added. */
  answered({ id, rule, requestId }: StruckDelivery, answers: readonly PostAnswer[]): void {
    const entry = this.#entries.find((each) => each.id === id);
    if (!entry || isOnRequests(entry)) return;
    const position = entry.strikes.findLastIndex((strike) => strike.requestId === requestId);
    const strike = entry.strikes[position];
    if (strike) entry.strikes[position] = { ...strike, ...verdictOnReceiver(rule.fault, answers) };
  }

  state(): FaultsState {
    return { made: this.#made, rules: structuredClone(this.#entries), chance: this.#chance.state() };
  }

  static from({ made, rules, chance }: FaultsState): Faults {
    const faults = new Faults(0, '');
    faults.#made = made;
    faults.#entries = structuredClone(rules) as (RequestEntry | DeliveryEntry)[];
    faults.#chance = Chance.from(chance);
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
          return { operation, struckAtUtc: time(at), about: unique, ...verdictOn(entry.rule, strike, this.#machine.now()) };
        })
      : entry.strikes;
    const verdicts = strikes.map(({ verdict }) => verdict);
    const worst = (['failed', 'waiting', 'passed'] as const).find((each) => verdicts.includes(each));
    return { id, description: describe(rule), ...rule, calls, hits, verdict: worst ?? 'unused', strikes };
  }
}

function isOnRequests(entry: RequestEntry | DeliveryEntry): entry is RequestEntry {
  return entry.rule.on === 'request';
}

function keep<Strike>(strikes: Strike[], strike: Strike): void {
  strikes.push(strike);
  if (strikes.length > MAX_STRIKES) strikes.shift();
}
