import type { OperationId } from '../../openapi/generated/validators.js';
import { Chance, type ChanceState, systemTime } from '../account/clock.ts';
import type { Input } from '../contract/contract.ts';
import { formatTime } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count } from '../state/value-types.ts';
import { type DeliveryRule, describeFault, type FaultRule, needsToken, type RequestRule, selects } from './rules.ts';
import {
  fingerprintOf,
  firstVerdict,
  type PostAnswer,
  type RequestFingerprint,
  type RequestStrike,
  type Verdict,
  verdictAfter,
  verdictOnReceiver,
} from './verdicts.ts';

/** Each rule keeps this number of latest strikes. */
const MAX_STRIKES = 100;

/** A delivery that a fault struck, and the verdict on its receiver. */
interface DeliveryStrike {
  readonly on: 'delivery';
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
  verdict: Verdict['verdict'];
  sentence: string;
}

interface Entry {
  readonly id: string;
  readonly rule: FaultRule;
  /** The number of matching requests or deliveries that no earlier rule struck; `hits` counts the strikes. */
  calls: number;
  hits: number;
  readonly strikes: (RequestStrike | DeliveryStrike)[];
}

export interface FaultsState {
  /** The number of rules that were ever set. */
  readonly made: Count;
  readonly rules: readonly Entry[];
  readonly chance: ChanceState;
}

interface Struck<Rule extends FaultRule, Strike> {
  readonly id: string;
  readonly rule: Rule;
  readonly strike: Strike;
}
/** A fault that struck a request. */
export type StruckRequest = Struck<RequestRule, RequestStrike>;

/** A rule with its strikes so far. */
type FaultView = ReturnType<typeof viewOf>;

/**
 * The faults of an account, with a verdict on the client or receiver for each strike. Faults have their own random numbers, so that a fault does not
 * change the account's IDs and codes.
 */
export class Faults {
  #made = 0;
  #entries: Entry[] = [];
  #chance: Chance;

  constructor(seed: number, accountId: string) {
    this.#chance = Chance.seeded(seed, `faults of ${accountId}`);
  }

  add(rule: FaultRule): FaultView {
    const entry: Entry = { id: `fault-${++this.#made}`, rule, calls: 0, hits: 0, strikes: [] };
    this.#entries.push(entry);
    return viewOf(entry);
  }

  all(): FaultView[] {
    return this.#entries.map(viewOf);
  }

  /** Removes the rule with this ID. If `id` is undefined, removes all rules. Returns the last views of the removed rules. */
  remove(id?: string): FaultView[] {
    const removed = this.all().filter((each) => id === undefined || each.id === id);
    this.#entries = this.#entries.filter((each) => id !== undefined && each.id !== id);
    return removed;
  }

  /** Returns the first rule that strikes a request. The request also updates the verdicts on earlier strikes. */
  strikeRequest(operation: OperationId, input: Input, now: number): StruckRequest | undefined {
    const isAbout = (rule: FaultRule): rule is RequestRule =>
      rule.on === 'request' && (rule.operation === null || rule.operation === operation);
    if (!this.#entries.some(({ rule }) => rule.on === 'request')) return undefined;
    const fingerprint = fingerprintOf(operation, input);
    const real = systemTime();
    this.#observe(fingerprint, now, real);
    const strike = { on: 'request', ...fingerprint, struckAtUtc: formatTime(now), real, changed: false } as const;
    return this.#strike(isAbout, (rule): RequestStrike => ({ ...strike, ...firstVerdict(rule) }));
  }

  /** Returns the first rule that strikes a delivery. The verdict is `waiting` until `decide` is called. */
  strikeDelivery(
    { requestId, webhookId, topic }: Pick<DeliveryStrike, 'requestId' | 'webhookId' | 'topic'>,
    hasToken: boolean,
  ): Struck<DeliveryRule, DeliveryStrike> | undefined {
    const isAbout = (rule: FaultRule): rule is DeliveryRule =>
      rule.on === 'delivery' &&
      (rule.topic === null || rule.topic === topic) &&
      (rule.webhookId === null || rule.webhookId === webhookId) &&
      (hasToken || !needsToken(rule.fault));
    const undecided: Verdict = { verdict: 'waiting', sentence: 'The receiver has not answered yet.' };
    const strike: DeliveryStrike = { on: 'delivery', requestId, webhookId, topic, ...undecided };
    return this.#strike(isAbout, () => strike);
  }

  /** Sets the verdict from the receiver's answers to the posts that a fault changed or added. */
  decide({ rule, strike }: Struck<DeliveryRule, DeliveryStrike>, answers: readonly PostAnswer[]): void {
    Object.assign(strike, verdictOnReceiver(rule.fault, answers));
  }

  state(): FaultsState {
    return { made: this.#made, rules: structuredClone(this.#entries), chance: this.#chance.state() };
  }

  static from({ made, rules, chance }: FaultsState): Faults {
    const faults = new Faults(0, '');
    faults.#made = made;
    faults.#entries = structuredClone(rules) as Entry[];
    faults.#chance = Chance.from(chance);
    return faults;
  }

  #observe(request: RequestFingerprint, now: number, real: number): void {
    const struck = this.#entries.flatMap(({ rule, strikes }) =>
      strikes.flatMap((strike) => (rule.on === 'request' && strike.on === 'request' ? [{ rule, strike }] : [])),
    );
    const isKnown = request.about !== null && struck.some(({ strike }) => strike.about === request.about);
    for (const { rule, strike } of struck) {
      const since = Math.max(now - Date.parse(strike.struckAtUtc), real - strike.real);
      Object.assign(strike, verdictAfter(rule, strike, request, since, isKnown));
    }
  }

  /** Tries the matching rules in order until a rule strikes. Each tried rule counts the call, including the rule that strikes. */
  #strike<Rule extends FaultRule, Strike extends Entry['strikes'][number]>(
    isAbout: (rule: FaultRule) => rule is Rule,
    strikeOf: (rule: Rule) => Strike,
  ): Struck<Rule, Strike> | undefined {
    for (const entry of this.#entries) {
      const { id, rule, strikes } = entry;
      if (!isAbout(rule) || !selects(rule, ++entry.calls, this.#chance)) continue;
      entry.hits++;
      const strike = strikeOf(rule);
      strikes.push(strike);
      if (strikes.length > MAX_STRIKES) strikes.shift();
      return { id, rule, strike };
    }
    return undefined;
  }
}

/** Returns the view of a rule. Without a strike, the verdict is `unused`. Otherwise, the worst verdict of all strikes counts. */
function viewOf({ id, rule, calls, hits, strikes }: Entry) {
  const verdicts = strikes.map(({ verdict }) => verdict);
  const worst = (['failed', 'waiting', 'passed'] as const).find((each) => verdicts.includes(each));
  const shown = strikes.map(({ on: _, ...strike }) => {
    if (!('operation' in strike)) return strike;
    const { content: _content, real: _real, changed: _changed, ...view } = strike;
    return view;
  });
  return { id, description: describeFault(rule), ...rule, calls, hits, verdict: worst ?? ('unused' as const), strikes: shown };
}
