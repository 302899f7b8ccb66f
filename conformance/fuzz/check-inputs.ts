import { describeAnswer } from '../core/expect.ts';
import { excerpt } from '../core/text.ts';
import type { Trial } from '../core/trial.ts';
import { TransportError, Violation } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves } from '../http/json-search.ts';
import { waitUntilStable } from '../scenarios/card-views.ts';
import { type OddRequest, oddRequests } from './odd-requests.ts';
import { type FuzzTarget, fuzzTarget } from './targets.ts';

interface InputFault {
  readonly odd: OddRequest;
  readonly expected: string;
  readonly got: string;
  readonly answer: Answer | undefined;
}

/** Requests that are sent between two looks at the watched card. */
const groupSize = 30;
/** Most requests that shorten the one that failed. */
const maxShrinks = 120;

/**
 * Sends the odd requests of an operation. Throws a Violation with the shortest request that fails: the target answers it with a server error, does not
 * answer it, or refuses it and changes something.
 */
export async function checkOddInput(t: Trial, operationId: string): Promise<void> {
  const { seed, redactor } = t.run;
  const target = await fuzzTarget(t, operationId);
  const checker = new InputChecker(t, target, await volatilePaths(t, target));
  const all = oddRequests(target.input, target.limits, seed);
  for (let start = 0; start < all.length; start += groupSize) {
    const first = await checker.findFault(all.slice(start, start + groupSize));
    if (!first) continue;
    const { odd, expected, got, answer } = await checker.shorten(first);
    if (answer) t.exchanges.push(answer.exchange);
    t.did.push(redactor.mask(`${target.name} with ${odd.description} → ${answer?.status ?? 'no answer'}`));
    throw new Violation(expected, `${got} (seed ${seed})`);
  }
  t.did.push(`sent ${checker.sent} odd requests (seed ${seed})`);
}

/** Values that a refusal must not change, by path. */
type Snapshot = ReadonlyMap<string, unknown>;

const snapshotOf = async (t: Trial, target: FuzzTarget): Promise<Snapshot> =>
  new Map(leaves(await target.snapshot(t)).map(({ path, value }) => [path, value]));

/** The paths, in any entry of a list, of values that change by themselves, such as a signed link. */
async function volatilePaths(t: Trial, target: FuzzTarget): Promise<ReadonlySet<string>> {
  const [one, other] = [await snapshotOf(t, target), await snapshotOf(t, target)];
  return new Set([...one.keys()].filter((path) => one.get(path) !== other.get(path)).map(withoutIndexes));
}

const withoutIndexes = (path: string) => path.replaceAll(/\/\d+(?=\/|$)/g, '/*');

class InputChecker {
  sent = 0;
  readonly #t: Trial;
  readonly #target: FuzzTarget;
  readonly #volatile: ReadonlySet<string>;
  #shrinks = 0;

  constructor(t: Trial, target: FuzzTarget, volatile: ReadonlySet<string>) {
    this.#t = t;
    this.#target = target;
    this.#volatile = volatile;
  }

  /**
   * Sends all requests between two snapshots. If the target accepts some, sends the others again, because only a refusal must change nothing. If the
   * snapshots differ, sends halves until one request is left.
   */
  async findFault(group: readonly OddRequest[]): Promise<InputFault | undefined> {
    const { ledger } = this.#t.run;
    const before = await snapshotOf(this.#t, this.#target);
    const since = ledger.all.length;
    const refused: OddRequest[] = [];
    for (const odd of group) {
      const answer = await this.#send(odd);
      if (!answer || isServerFault(odd, answer)) return this.#serverFault(odd, answer);
      if (answer.status >= 400) refused.push(odd);
    }
    if (refused.length < group.length) return refused.length === 0 ? undefined : this.findFault(refused);
    if ((await this.#differenceFrom(before)) === undefined) {
      // The snapshot has the newest cards and all webhooks. If it is unchanged, no request of the group created a record.
      ledger.markNoneCreated(since);
      return undefined;
    }
    const [only, second] = group;
    if (only && !second) return this.#findChange(only);
    const middle = Math.ceil(group.length / 2);
    for (const half of [group.slice(0, middle), group.slice(middle)]) {
      // A second request that sets the same value changes nothing, so each half has a card of its own.
      await this.#target.renewCard(this.#t);
      const fault = await this.findFault(half);
      if (fault) return fault;
    }
    return undefined;
  }

  /** The target may have changed something by itself. A fault is certain if the request causes a change to two new cards. */
  async #findChange(odd: OddRequest): Promise<InputFault | undefined> {
    let fault: InputFault | undefined;
    for (let again = 0; again < 2; again += 1) {
      await this.#target.renewCard(this.#t);
      // The target may work on the new card in the background.
      const before = await waitUntilStable(
        () => snapshotOf(this.#t, this.#target),
        (one, other) => this.#difference(one, other) === undefined,
      );
      const answer = await this.#send(odd);
      if (!answer || isServerFault(odd, answer)) return this.#serverFault(odd, answer);
      const difference = answer.status < 400 ? undefined : await this.#differenceFrom(before);
      if (difference === undefined) return undefined;
      const expected = `the refusal of ${odd.description} to change nothing`;
      fault = { odd, expected, got: `${answer.status}, and ${difference}`, answer };
    }
    return fault;
  }

  /** Tries shorter requests until none of them fails. */
  async shorten(fault: InputFault): Promise<InputFault> {
    for (const odd of fault.odd.shorter?.() ?? []) {
      this.#shrinks += 1;
      if (this.#shrinks > maxShrinks) return fault;
      const shorter = await this.findFault([odd]);
      if (shorter) return this.shorten(shorter);
    }
    return fault;
  }

  async #differenceFrom(before: Snapshot): Promise<string | undefined> {
    return this.#difference(before, await snapshotOf(this.#t, this.#target));
  }

  /** The first difference, in words. */
  #difference(before: Snapshot, after: Snapshot): string | undefined {
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const path = paths.find((each) => !this.#volatile.has(withoutIndexes(each)) && before.get(each) !== after.get(each));
    const show = (value: unknown) => excerpt(this.#t.run.redactor.mask(JSON.stringify(value) ?? 'nothing'), 60);
    return path === undefined ? undefined : `${path} was ${show(before.get(path))} and is ${show(after.get(path))}`;
  }

  #serverFault(odd: OddRequest, answer: Answer | undefined): InputFault {
    const expected = `an answer below 500 to ${this.#target.name} with ${odd.description}`;
    return { odd, expected, got: answer ? describeAnswer(answer) : 'no answer, twice', answer };
  }

  /** Undefined: no answer, twice. A request that may create something is sent once. */
  async #send(odd: OddRequest, isRepeat = false): Promise<Answer | undefined> {
    this.sent += 1;
    try {
      return await this.#target.send(this.#t, odd);
    } catch (error) {
      if (!(error instanceof TransportError) || this.#t.isOver || this.#target.createsRecords) throw error;
      return isRepeat ? undefined : this.#send(odd, true);
    }
  }
}

/** 501 is right for a method that the server does not have. */
const isServerFault = ({ description }: OddRequest, { status }: Answer): boolean =>
  status >= 500 && !(status === 501 && description.startsWith('the method'));
