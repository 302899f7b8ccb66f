import { describeAnswer } from '../core/expect.ts';
import { excerpt } from '../core/text.ts';
import type { Trial } from '../core/trial.ts';
import { TransportError, Violation } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves } from '../http/json-search.ts';
import { waitUntilStable } from '../scenarios/card-views.ts';
import type { OddRequest } from './odd-requests.ts';
import { oddRequests } from './odd-requests.ts';
import { type FuzzTarget, fuzzTarget } from './targets.ts';

interface InputFault {
  readonly odd: OddRequest;
  readonly expected: string;
  readonly got: string;
}

/** Most requests that shorten the one that failed. */
const maxShrinks = 120;
/** A service may cut off longer histories, so that a snapshot does not show a change. */
const maxEntries = 15;

/**
 * Sends the odd requests of an operation. Throws a Violation with the shortest request that fails: the target answers it with a server error, does not
 * answer it, or refuses it and changes something.
 */
export async function checkOddInput(t: Trial, operationId: string): Promise<void> {
  const { profile, seed, redactor } = t.run;
  const target = await fuzzTarget(t, operationId);
  const hasPlayMoney = profile.playMoney === true;
  const limits = {
    allowsLargeAmounts: hasPlayMoney,
    allowsAnyRecord: hasPlayMoney || !target.deletesRecords,
    allowsUnmarked: !target.createsRecords || (hasPlayMoney && !target.needsOwnValue),
  };
  if (target.needsOwnValue) t.doesNotCheck('bodies without a value of this run');
  else if (!limits.allowsUnmarked)
    t.doesNotCheck('bodies without a value of this run, and large amounts (playMoney in the profile)');
  const checker = new InputChecker(t, target, await StableSnapshot.of(t, target));
  for (const group of oddRequests(target.input, limits, seed)) {
    const first = await checker.findFault(group);
    if (!first) continue;
    const { odd, expected, got } = await checker.shorten(first);
    const answer = checker.lastAnswer(odd);
    if (answer) t.exchanges.push(answer.exchange);
    t.did.push(redactor.mask(`${target.name} with ${odd.description} → ${answer?.status ?? 'no answer'}`));
    throw new Violation(expected, `${got} (seed ${seed})`);
  }
  t.did.push(`sent ${checker.sent} odd requests (seed ${seed})`);
}

type Values = ReadonlyMap<string, unknown>;

/** The values of a target's snapshot by their paths, without values that change by themselves, such as a signed link. */
class StableSnapshot {
  readonly #t: Trial;
  readonly #target: FuzzTarget;
  #stablePaths: ReadonlySet<string> = new Set();

  private constructor(t: Trial, target: FuzzTarget) {
    this.#t = t;
    this.#target = target;
  }

  static async of(t: Trial, target: FuzzTarget): Promise<StableSnapshot> {
    const snapshot = new StableSnapshot(t, target);
    const [one, other] = [await snapshot.take(), await snapshot.take()];
    snapshot.#stablePaths = new Set([...one.keys()].filter((path) => one.get(path) === other.get(path)));
    return snapshot;
  }

  async take(): Promise<Values> {
    return new Map(leaves(await this.#target.snapshot(this.#t)).map(({ path, value }) => [path, value]));
  }

  /** The first difference, in words. */
  difference(before: Values, after: Values): string | undefined {
    const isCompared = (path: string) => this.#stablePaths.has(path) || !before.has(path);
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const path = paths.find((each) => isCompared(each) && before.get(each) !== after.get(each));
    if (path === undefined) return undefined;
    const show = (value: unknown) =>
      value === undefined ? 'nothing' : excerpt(this.#t.run.redactor.mask(JSON.stringify(value)), 60);
    return `${path} was ${show(before.get(path))} and is ${show(after.get(path))}`;
  }
}

class InputChecker {
  sent = 0;
  readonly #t: Trial;
  readonly #target: FuzzTarget;
  readonly #snapshot: StableSnapshot;
  readonly #answers = new WeakMap<OddRequest, Answer>();
  /** Entries that the target added to the history of the watched card. */
  #entries = 0;

  constructor(t: Trial, target: FuzzTarget, snapshot: StableSnapshot) {
    this.#t = t;
    this.#target = target;
    this.#snapshot = snapshot;
  }

  lastAnswer(odd: OddRequest): Answer | undefined {
    return this.#answers.get(odd);
  }

  /**
   * Sends all requests between two snapshots. If the target accepts some, sends the others again, because only a
   * refusal must change nothing. If the snapshots differ, sends halves until one request is left.
   */
  async findFault(group: readonly OddRequest[]): Promise<InputFault | undefined> {
    if (this.#entries > maxEntries) await this.#renewCard();
    const { fault, refused, difference } = await this.#sendAll(group, await this.#snapshot.take());
    if (fault) return fault;
    if (refused.length < group.length) return refused.length === 0 ? undefined : this.findFault(refused);
    if (difference === undefined) return undefined;
    const [only, second] = group;
    if (only && !second) return this.#confirm(only);
    const middle = Math.ceil(group.length / 2);
    return (await this.#findFaultInHalf(group.slice(0, middle))) ?? (await this.#findFaultInHalf(group.slice(middle)));
  }

  /** Each half has a card of its own: a second request that sets the same value changes nothing. */
  async #findFaultInHalf(half: readonly OddRequest[]): Promise<InputFault | undefined> {
    await this.#makeStableCard();
    return this.findFault(half);
  }

  /** The target may have changed something by itself. A fault is certain if the request causes a change twice more. */
  async #confirm(odd: OddRequest): Promise<InputFault | undefined> {
    let confirmed: InputFault | undefined;
    for (let again = 0; again < 2; again += 1) {
      const { fault, refused, difference } = await this.#sendAll([odd], await this.#makeStableCard());
      if (fault) return fault;
      if (refused.length === 0 || difference === undefined) return undefined;
      const expected = `the refusal of ${odd.description} to change nothing`;
      confirmed = { odd, expected, got: `${this.lastAnswer(odd)?.status}, and ${difference}` };
    }
    return confirmed;
  }

  /** Replaces the watched card, and waits until the target has finished its background work on it. */
  async #makeStableCard(): Promise<Values> {
    await this.#renewCard();
    const isSame = (one: Values, other: Values) => this.#snapshot.difference(one, other) === undefined;
    return waitUntilStable(() => this.#snapshot.take(), isSame);
  }

  async #renewCard(): Promise<void> {
    await this.#target.renewCard(this.#t);
    this.#entries = 0;
  }

  async #sendAll(group: readonly OddRequest[], before: Values) {
    const { ledger } = this.#t.run;
    const since = ledger.all.length;
    const refused: OddRequest[] = [];
    for (const odd of group) {
      const fault = await this.#findServerFault(odd);
      if (fault) return { fault, refused, difference: undefined };
      const { status = 0 } = this.lastAnswer(odd) ?? {};
      if (status >= 400 && status < 500) refused.push(odd);
      if (status === 200 && this.#target.addsEntries) this.#entries += 1;
    }
    const isRefused = refused.length === group.length;
    const difference = isRefused ? this.#snapshot.difference(before, await this.#snapshot.take()) : undefined;
    // The snapshot has the newest cards and all webhooks. If it is unchanged, no request of the group created a record.
    if (isRefused && difference === undefined) ledger.markNoneCreated(since);
    return { fault: undefined, refused, difference };
  }

  /** Tries shorter requests until none of them fails. */
  async shorten(first: InputFault): Promise<InputFault> {
    let [best, tries, isShorter] = [first, 0, true];
    while (isShorter) {
      isShorter = false;
      for (const odd of best.odd.shorter?.() ?? []) {
        tries += 1;
        const fault = tries > maxShrinks ? undefined : await this.findFault([odd]);
        if (!fault) continue;
        [best, isShorter] = [fault, true];
        break;
      }
    }
    return best;
  }

  async #findServerFault(odd: OddRequest): Promise<InputFault | undefined> {
    const answer = (await this.#send(odd)) ?? (await this.#send(odd));
    const expected = `an answer below 500 to ${this.#target.name} with ${odd.description}`;
    if (!answer) return { odd, expected, got: 'no answer, twice' };
    this.#answers.set(odd, answer);
    // 501 is right for a method that the server does not have.
    const isFault = answer.status >= 500 && !(answer.status === 501 && odd.description.startsWith('the method'));
    return isFault ? { odd, expected, got: describeAnswer(answer) } : undefined;
  }

  /** Undefined: no answer, and the request may be sent again because it creates nothing. */
  async #send(odd: OddRequest): Promise<Answer | undefined> {
    this.sent += 1;
    try {
      return await this.#target.send(this.#t, odd);
    } catch (error) {
      if (!(error instanceof TransportError) || this.#t.isOver || this.#target.createsRecords) throw error;
      return undefined;
    }
  }
}
