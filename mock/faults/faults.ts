import type { OperationId } from '../../openapi/generated/validators.js';
import { RandomSource, type RandomState, systemTime } from '../account/clock.ts';
import type { Input } from '../contract/contract.ts';
import { formatTime } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count } from '../state/value-types.ts';
import { type DeliveryRule, describeFault, type FaultRule, needsToken, type RequestRule, selects } from './rules.ts';
import {
  type FaultVerdict,
  fingerprintOf,
  firstVerdict,
  type PostResponse,
  type RequestFingerprint,
  type RequestMatch,
  verdictAfter,
  verdictOnReceiver,
} from './verdicts.ts';

/** Each rule keeps this number of latest matches. */
const MAX_MATCHES = 100;

/** A delivery that a fault matched, and the verdict on its receiver. */
interface DeliveryMatch {
  readonly on: 'delivery';
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
  verdict: FaultVerdict['verdict'];
  sentence: string;
}

interface Entry {
  readonly id: string;
  readonly rule: FaultRule;
  /** The number of requests or deliveries that the rule is about, and that no earlier rule matched. `hits` counts the matches. */
  calls: number;
  hits: number;
  readonly matches: (RequestMatch | DeliveryMatch)[];
}

export interface FaultsState {
  /** The number of rules that were ever set. */
  readonly made: Count;
  readonly rules: readonly Entry[];
  readonly random: RandomState;
}

interface MatchedFault<Rule extends FaultRule, Match> {
  readonly id: string;
  readonly rule: Rule;
  readonly match: Match;
}
/** A fault that matched a request, with its match. */
export type MatchedRequest = MatchedFault<RequestRule, RequestMatch>;

/** A rule with its matches so far. */
type FaultView = ReturnType<typeof viewOf>;

/**
 * The faults of an account, with a verdict on the client or receiver for each match. Faults have their own random numbers, so that a fault does not
 * change the account's IDs and codes.
 */
export class Faults {
  #made = 0;
  #entries: Entry[] = [];
  #random: RandomSource;

  constructor(seed: number, accountId: string) {
    this.#random = RandomSource.seeded(seed, `faults of ${accountId}`);
  }

  add(rule: FaultRule): FaultView {
    const entry: Entry = { id: `fault-${++this.#made}`, rule, calls: 0, hits: 0, matches: [] };
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

  /** Returns the first rule that matches a request. The request also updates the verdicts on earlier matches. */
  matchRequest(operation: OperationId, input: Input, now: number): MatchedRequest | undefined {
    const isAbout = (rule: FaultRule): rule is RequestRule =>
      rule.on === 'request' && (rule.operation === null || rule.operation === operation);
    if (!this.#entries.some(({ rule }) => rule.on === 'request')) return undefined;
    const fingerprint = fingerprintOf(operation, input);
    const real = systemTime();
    this.#observe(fingerprint, now, real);
    const match = { on: 'request', ...fingerprint, matchedAtUtc: formatTime(now), real, changed: false } as const;
    return this.#match(isAbout, (rule): RequestMatch => ({ ...match, ...firstVerdict(rule) }));
  }

  /** Returns the first rule that matches a delivery. The verdict is `waiting` until `decide` is called. */
  matchDelivery(
    { requestId, webhookId, topic }: Pick<DeliveryMatch, 'requestId' | 'webhookId' | 'topic'>,
    hasToken: boolean,
  ): MatchedFault<DeliveryRule, DeliveryMatch> | undefined {
    const isAbout = (rule: FaultRule): rule is DeliveryRule =>
      rule.on === 'delivery' &&
      (rule.topic === null || rule.topic === topic) &&
      (rule.webhookId === null || rule.webhookId === webhookId) &&
      (hasToken || !needsToken(rule.fault));
    const undecided: FaultVerdict = { verdict: 'waiting', sentence: 'The receiver has not responded yet.' };
    const match: DeliveryMatch = { on: 'delivery', requestId, webhookId, topic, ...undecided };
    return this.#match(isAbout, () => match);
  }

  /** Sets the verdict from the receiver's responses to the posts that a fault changed or added. */
  decide({ rule, match }: MatchedFault<DeliveryRule, DeliveryMatch>, responses: readonly PostResponse[]): void {
    Object.assign(match, verdictOnReceiver(rule.fault, responses));
  }

  state(): FaultsState {
    return { made: this.#made, rules: structuredClone(this.#entries), random: this.#random.state() };
  }

  static from({ made, rules, random }: FaultsState): Faults {
    const faults = new Faults(0, '');
    faults.#made = made;
    faults.#entries = structuredClone(rules) as Entry[];
    faults.#random = RandomSource.from(random);
    return faults;
  }

  #observe(request: RequestFingerprint, now: number, real: number): void {
    const requestMatches = this.#entries.flatMap(({ rule, matches }) =>
      matches.flatMap((match) => (rule.on === 'request' && match.on === 'request' ? [{ rule, match }] : [])),
    );
    const isKnown = request.about !== null && requestMatches.some(({ match }) => match.about === request.about);
    for (const { rule, match } of requestMatches) {
      const since = Math.max(now - Date.parse(match.matchedAtUtc), real - match.real);
      Object.assign(match, verdictAfter(rule, match, request, since, isKnown));
    }
  }

  /** Tries the rules that are about a call, in order, until a rule matches. Each tried rule counts the call, including the rule that matches. */
  #match<Rule extends FaultRule, Match extends Entry['matches'][number]>(
    isAbout: (rule: FaultRule) => rule is Rule,
    matchOf: (rule: Rule) => Match,
  ): MatchedFault<Rule, Match> | undefined {
    for (const entry of this.#entries) {
      const { id, rule, matches } = entry;
      if (!isAbout(rule) || !selects(rule, ++entry.calls, this.#random)) continue;
      entry.hits++;
      const match = matchOf(rule);
      matches.push(match);
      if (matches.length > MAX_MATCHES) matches.shift();
      return { id, rule, match };
    }
    return undefined;
  }
}

/** Returns the view of a rule. Without a match, the verdict is `unused`. Otherwise, the worst verdict of all matches counts. */
function viewOf({ id, rule, calls, hits, matches }: Entry) {
  const verdicts = matches.map(({ verdict }) => verdict);
  const worst = (['failed', 'waiting', 'passed'] as const).find((each) => verdicts.includes(each));
  const shown = matches.map(({ on: _, ...match }) => {
    if (!('operation' in match)) return match;
    const { content: _content, real: _real, changed: _changed, ...view } = match;
    return view;
  });
  return { id, description: describeFault(rule), ...rule, calls, hits, verdict: worst ?? ('unused' as const), matches: shown };
}
