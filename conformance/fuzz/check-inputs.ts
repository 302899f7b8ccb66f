import { keepBelowLimit } from '../core/clock.ts';
import { describeResponse } from '../core/expect.ts';
import { excerpt } from '../core/text.ts';
import type { Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import { NeverSent, type TargetResponse, TransportError } from '../http/exchange.ts';
import { leaves } from '../http/json-search.ts';
import { waitUntilStable } from '../scenarios/card-views.ts';
import type { OddRequest } from './odd-requests.ts';
import { type FuzzTarget, fuzzTarget } from './targets.ts';

interface InputFault {
  readonly odd: OddRequest;
  readonly expected: string;
  readonly got: string;
  readonly response: InputResponse;
}

/** A response, or the request alone with status 0 if the target responded to neither the request nor its repeat. */
type InputResponse = Pick<TargetResponse, 'status' | 'exchange'>;

/** Maximum number of requests between two snapshots. */
const groupSize = 30;
/** Maximum number of requests that are sent to shorten a failing request. */
const maxShrinks = 120;

/**
 * Sends the odd requests of an operation. A request fails if the target returns a server error or does not respond. A request also fails if the target
 * refuses the request but changes something. Throws a Violation with the shortest failing request.
 */
export async function checkOddInput(t: Trial, operationId: string): Promise<void> {
  const { seed, redactor } = t.run;
  const target = await fuzzTarget(t, operationId);
  // An odd request of another operation may have broken the look-ups of the card that all operations share.
  const volatile = await volatilePaths(target).catch(() => target.renewCard().then(() => volatilePaths(target)));
  const checker = new InputChecker(t, target, volatile);
  for (let start = 0; start < target.requests.length; start += groupSize) {
    const first = await checker.findFault(target.requests.slice(start, start + groupSize));
    if (!first) continue;
    const { odd, expected, got, response } = await checker.shorten(first);
    t.exchanges.push(response.exchange);
    t.did.push(redactor.mask(`${target.name} with ${odd.description} → ${response.status || 'no response'}`));
    throw new Violation(expected, `${got} (seed ${seed})`);
  }
  t.did.push(`sent ${target.requests.length} odd requests (seed ${seed})`);
}

/** Values that a refusal must not change, by path. */
type Snapshot = ReadonlyMap<string, unknown>;

const snapshotOf = async (target: FuzzTarget): Promise<Snapshot> =>
  new Map(leaves(await target.snapshot()).map(({ path, value }) => [path, value]));

const snapshotOrError = (target: FuzzTarget) => snapshotOf(target).catch((error: Error) => error);

/** Returns the paths of values that change without a request, such as a signed link. */
async function volatilePaths(target: FuzzTarget): Promise<ReadonlySet<string>> {
  const [one, other] = [await snapshotOf(target), await snapshotOf(target)];
  return new Set([...one.keys()].filter((path) => one.get(path) !== other.get(path)).map(withoutIndexes));
}

const withoutIndexes = (path: string) => path.replaceAll(/\/\d+(?=\/|$)/g, '/*');

class InputChecker {
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
   * Sends a group of requests between two snapshots. If the target accepts some requests, sends only the refused requests again, because an accepted request
   * may change something. If the snapshots differ, checks each request alone.
   */
  async findFault(group: readonly OddRequest[]): Promise<InputFault | undefined> {
    const { ledger } = this.#t.run;
    const before = await snapshotOf(this.#target);
    const since = ledger.all.length;
    const refused: OddRequest[] = [];
    for (const odd of group) {
      const response = await this.#send(odd);
      const broken = this.#serverFault(odd, response);
      if (broken) return broken;
      if (response.status >= 400) refused.push(odd);
    }
    const after = await snapshotOrError(this.#target);
    if (after instanceof Error) return this.#findBreaking(group, after);
    if (refused.length < group.length) return refused.length === 0 ? undefined : this.findFault(refused);
    if (this.#difference(before, after) === undefined) {
      // The snapshot has the newest cards and all webhooks. If the snapshot is unchanged, no request of the group created a record.
      ledger.markNoneCreated(since);
      return undefined;
    }
    for (const odd of group) {
      const fault = await this.#findChange(odd);
      if (fault) return fault;
    }
    return undefined;
  }

  /** Returns the request after which the target can no longer respond to the look-ups. Throws `error` if no request alone has this effect. */
  async #findBreaking(group: readonly OddRequest[], error: Error): Promise<InputFault> {
    for (const odd of error instanceof NeverSent ? [] : group) {
      await this.#target.renewCard();
      const response = await this.#send(odd);
      const after = await snapshotOrError(this.#target);
      if (after instanceof Error)
        return { odd, expected: `look-ups to succeed after ${odd.description}`, got: after.message, response };
    }
    throw error;
  }

  /** Checks one request with two new cards. Only a change in both cases counts, because the target may change something without a request. */
  async #findChange(odd: OddRequest): Promise<InputFault | undefined> {
    let fault: InputFault | undefined;
    for (let again = 0; again < 2; again += 1) {
      await this.#target.renewCard();
      // The target may still change the new card in the background.
      const before = await waitUntilStable(
        () => snapshotOf(this.#target),
        (one, other) => this.#difference(one, other) === undefined,
      );
      const response = await this.#send(odd);
      const broken = this.#serverFault(odd, response);
      if (broken) return broken;
      const difference = this.#difference(before, await snapshotOf(this.#target));
      if (response.status < 400 || difference === undefined) return undefined;
      const expected = `the refusal of ${odd.description} to change nothing`;
      fault = { odd, expected, got: `${response.status}, and ${difference}`, response };
    }
    return fault;
  }

  /** Returns a shorter request with a fault. If the shorter requests cannot be checked, returns the given fault, because the fault may have broken the target. */
  async shorten(fault: InputFault): Promise<InputFault> {
    for (const odd of fault.odd.shorter?.() ?? []) {
      this.#shrinks += 1;
      if (this.#shrinks > maxShrinks || this.#t.run.client.lostSince !== undefined) return fault;
      const shorter = await this.findFault([odd]).catch(() => fault);
      if (shorter === fault) return fault;
      if (shorter) return this.shorten(shorter);
    }
    return fault;
  }

  #difference(before: Snapshot, after: Snapshot): string | undefined {
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const path = paths.find((each) => !this.#volatile.has(withoutIndexes(each)) && before.get(each) !== after.get(each));
    const show = (value: unknown) => excerpt(this.#t.run.redactor.mask(JSON.stringify(value) ?? 'nothing'), 60);
    return path === undefined ? undefined : `${path} was ${show(before.get(path))} and is ${show(after.get(path))}`;
  }

  /** Returns a fault for a server error and for a missing response. A server may return 501 to an unknown method. */
  #serverFault(odd: OddRequest, response: InputResponse): InputFault | undefined {
    const isUnknownMethod = response.status === 501 && odd.description.startsWith('the method');
    if (isUnknownMethod || (response.status !== 0 && response.status < 500)) return undefined;
    const expected = `a status below 500 for ${this.#target.name} with ${odd.description}`;
    return { odd, expected, got: response.status === 0 ? 'no response, twice' : describeResponse(response), response };
  }

  /** Sends a request, and once more if there is no response. Cleanup finds the records of both requests. */
  async #send(odd: OddRequest, isRepeat = false): Promise<InputResponse> {
    try {
      await keepBelowLimit(this.#t.run);
      return await this.#target.send(odd);
    } catch (error) {
      if (!(error instanceof TransportError) || !error.exchange || this.#t.isOver) throw error;
      if (isRepeat) return { status: 0, exchange: error.exchange };
      // A request that could not be sent did not end the server. The repeat may be unsent because the first request ended the server.
      if (error instanceof NeverSent) throw error;
      return this.#send(odd, true);
    }
  }
}
