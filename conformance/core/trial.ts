import type { RuleName } from '../../openapi/generated/rules.ts';
import { type Exchange, NeverSent, type TargetResponse, TransportError } from '../http/exchange.ts';
import type { ClockRequest, Profile } from '../http/target.ts';
import type { TargetRequest } from '../safety/effects.ts';
import type { Ledger } from '../safety/ledger.ts';
import { NotSent, Untested } from '../safety/policy.ts';
import { describeResponse, isSuccess } from './expect.ts';
import type { Arrival, Receiver } from './receiver.ts';
import type { Session } from './session.ts';
import { Blocked, type MissingDelivery, Violation } from './verdict.ts';

export interface Run extends Session {
  ledger: Ledger;
  /** The profile of the target, with a receiver if the target can reach one. */
  profile: Profile;
  seed: number;
  receiver: Receiver | undefined;
  shared: Map<string, SharedWork>;
  /** The missing deliveries that a rule without a pass depends on. */
  missing: Map<RuleName, readonly MissingDelivery[]>;
  /** Milliseconds by which the run has advanced the target's clock. */
  msAhead: number;
  /** The exchange whose response the test read last. */
  lastRead?: Exchange | undefined;
  /** Number of requests that the run had sent when the target's rate window was last emptied. */
  sentBeforeRelief: number;
}

/** Work that several tests share, such as creating a card. The first test that needs the work carries it out. */
interface SharedWork {
  trial: Trial;
  outcome: Promise<PromiseSettledResult<unknown>>;
  /** False if the test ended before the work, or if a connection broke. The next test then repeats the work. */
  isDone: boolean;
  attempts: number;
}

/** Maximum number of attempts at shared work if connections break. Each attempt may leave a card to clean up, so the number is small. */
const MAX_ATTEMPTS = 3;

/** A running test of a rule. A trial sends requests, and records steps and exchanges for the result. */
export class Trial {
  readonly did: string[] = [];
  readonly exchanges: Exchange[] = [];
  readonly assumptions = new Set<string>();
  readonly run: Run;
  readonly controls = new Set<string>();
  readonly deliveries: string[] = [];
  /** The deliveries that the test read after its last request. They are the evidence if the test fails. */
  lastDeliveries: readonly Arrival[] = [];
  readonly missing = new Set<MissingDelivery>();
  readonly notChecked = new Set<string>();
  readonly #work: { readonly name: string; readonly startedBy: Trial } | undefined;
  #hasEnded = false;

  /** `work` is the shared work that the trial carries out. */
  constructor(run: Run, work?: { readonly name: string; readonly startedBy: Trial }) {
    this.run = run;
    this.#work = work;
  }

  /** True once the test has a verdict or the deadline has passed. The test and its shared work then send nothing more. */
  get isOver(): boolean {
    return this.#hasEnded || (this.#work?.startedBy.isOver ?? false);
  }

  /** True if the run may create only a few cards. Tests then leave out checks that need a card of their own. */
  get isLimited(): boolean {
    return Number.isFinite(this.run.client.gate.policy.maxCreates);
  }

  /** Reports whether the test must leave out a part, because the run may create only a few cards. Notes the part for the report. */
  mustLeaveOut(part: string): boolean {
    if (this.isLimited) this.doesNotCheck(`${part}, because --max-creates limits the cards`);
    return this.isLimited;
  }

  get isReadOnly(): boolean {
    return this.run.client.gate.policy.mode === 'read-only';
  }

  end(): void {
    this.#hasEnded = true;
  }

  throwIfOver(): void {
    if (this.isOver) throw new NeverSent('the deadline of this check is over');
  }

  async send(what: string, request: TargetRequest): Promise<TargetResponse> {
    return this.#record(what, await this.sendOfMany(request));
  }

  /** Sends a request that the caller records. */
  async sendOfMany(request: TargetRequest): Promise<TargetResponse> {
    const { client, ledger } = this.run;
    try {
      this.throwIfOver();
      if (client.gate.isShortOf(request)) await ledger.lookUpRefused(client);
      const makes = this.#work ? { makes: this.#work.name } : {};
      const response = await client.send({ ...request, ...makes }, () => this.isOver);
      return withReads(response, () => (this.run.lastRead = response.exchange));
    } catch (error) {
      const isUnsent = error instanceof NotSent || error instanceof NeverSent;
      // If the entry is in another state, an earlier request may have created the record.
      if (isUnsent && request.entry?.state === 'requested') ledger.mark(request.entry, 'refused');
      throw error;
    }
  }

  async sendOutside(what: string, request: ClockRequest): Promise<TargetResponse> {
    this.throwIfOver();
    return this.#record(what, await this.run.client.outside(request));
  }

  #record(what: string, response: TargetResponse): TargetResponse {
    this.lastDeliveries = [];
    this.exchanges.push(response.exchange);
    this.did.push(this.run.redactor.mask(`${what} → ${response.status}`));
    return response;
  }

  /** Carries out work once for all tests of the run. Every test that uses the work records the work's requests. */
  async shared<T>(name: string, make: (trial: Trial) => Promise<T>): Promise<T> {
    let work = this.run.shared.get(name);
    if (!work || (work.trial.isOver && !work.isDone)) {
      work = startWork(new Trial(this.run, { name, startedBy: this }), make, (work?.attempts ?? 0) + 1);
      this.run.shared.set(name, work);
    }
    const outcome = await work.outcome;
    const { did, exchanges, deliveries } = work.trial;
    for (const [index, exchange] of exchanges.entries()) {
      if (this.exchanges.includes(exchange)) continue;
      this.exchanges.push(exchange);
      this.did.push(did[index] ?? '');
    }
    for (const delivery of deliveries) if (!this.deliveries.includes(delivery)) this.deliveries.push(delivery);
    if (outcome.status === 'fulfilled') return outcome.value as T;
    this.reliesOn([...work.trial.missing]);
    this.run.lastRead = exchanges.at(-1);
    throw outcome.reason;
  }

  /** Runs a control: a valid variant of the tested request. If the control fails, a rejection of the tested request proves nothing, so the rule is untested. */
  async control<T>(what: string, check: () => Promise<T>): Promise<T> {
    try {
      const value = await check();
      this.controls.add(what);
      return value;
    } catch (error) {
      if (!(error instanceof Violation || error instanceof Blocked)) throw error;
      throw new Untested('control-failed', `the control failed: ${what}: ${error.message}`);
    }
  }

  /** Returns the deliveries, and keeps them as evidence. */
  readDeliveries<T extends Arrival>(deliveries: readonly T[]): readonly T[] {
    this.lastDeliveries = deliveries;
    this.run.lastRead = undefined;
    return deliveries;
  }

  assumes(name: string, value: string): void {
    this.assumptions.add(`${name} = ${JSON.stringify(value)}`);
  }

  /** Names the missing deliveries that may make the next expectations fail. If one of them arrives before the run ends, the rule becomes untested. */
  reliesOn(missing: readonly MissingDelivery[]): void {
    for (const each of missing) this.missing.add(each);
  }

  doesNotCheck(part: string): void {
    this.notChecked.add(part);
  }
}

function startWork<T>(trial: Trial, make: (trial: Trial) => Promise<T>, attempts: number): SharedWork {
  const outcome = Promise.allSettled([make(trial)]).then(([settled]) => settled);
  const work: SharedWork = { trial, outcome, isDone: false, attempts };
  void outcome.then((settled) => {
    const isCut = settled.status === 'rejected' && settled.reason instanceof TransportError && settled.reason.cut;
    work.isDone = !trial.isOver && !(isCut && attempts < MAX_ATTEMPTS);
  });
  return work;
}

/** Returns the response to a request that prepares a test. If the status is not 200, throws Blocked. */
export function mustSucceed(response: TargetResponse, what: string): TargetResponse {
  if (!isSuccess(response))
    throw new Blocked(`${what}: ${response.exchange.method} ${response.exchange.path} returned ${describeResponse(response)}`);
  return response;
}

/** Returns a proxy. Each read of a property, at any depth, calls `onRead`. The same object always gets the same proxy. */
function withReads<T extends object>(value: T, onRead: () => void, proxies = new WeakMap<object, object>()): T {
  const get = (target: T, name: string | symbol) => {
    const inner: unknown = Reflect.get(target, name);
    // The report's copy of a response is not part of the response.
    if (name === 'exchange') return inner;
    onRead();
    return typeof inner === 'object' && inner !== null ? withReads(inner, onRead, proxies) : inner;
  };
  const proxy = proxies.get(value) ?? new Proxy(value, { get });
  proxies.set(value, proxy);
  return proxy as T;
}
