import type { Override } from '../../openapi/effective/overrides.ts';
import type { Client } from '../http/client.ts';
import type { Answer, Ask, Exchange, Outside } from '../http/exchange.ts';
import type { Receiver } from '../http/receiver.ts';
import type { Redactor } from '../http/redactor.ts';
import type { Ledger } from '../safety/ledger.ts';
import { describeAnswer } from './expect.ts';
import type { Profile } from './target.ts';
import { Blocked, NotSent, TransportError, Untested, Violation } from './verdict.ts';

/** What all checks of a run have in common. */
export interface Run {
  key: string;
  client: Client;
  redactor: Redactor;
  ledger: Ledger;
  profile: Profile;
  /** How the target's wire is known to differ from the contract. */
  wire?: readonly Override[];
  /** From which odd input is made. */
  seed: number;
  /** Where deliveries arrive, if they can. */
  receiver: Receiver | undefined;
  shared: Map<string, Making>;
}

/** Something made once, by the first check that needs it. One that its check left half made, or that broke off with a connection, is made again by the next. */
interface Making {
  trial: Trial;
  made: Promise<Shared<unknown>>;
  done: boolean;
  /** How often it was begun. */
  times: number;
}

/** Each time may leave a card to take away. */
const mostMakings = 3;

interface Shared<T> {
  value: T | undefined;
  failure: unknown;
  did: string[];
  exchanges: Exchange[];
  deliveries: string[];
}

/** The record of one clause's check: what it did, which control held, which facts it used. */
export class Trial {
  readonly did: string[] = [];
  readonly exchanges: Exchange[] = [];
  /** Answers to open questions that the test relies on. */
  readonly assumptions: string[] = [];
  readonly run: Run;
  readonly controls: string[] = [];
  /** Deliveries that the test waited for, in words. */
  readonly deliveries: string[] = [];
  /** What the verdict does not cover. */
  readonly notChecked: string[] = [];
  readonly #outer: Trial | undefined;
  /** The name of what it makes for several checks. */
  readonly #makes: string | undefined;
  #ended = false;

  constructor(run: Run, outer?: Trial, makes?: string) {
    this.run = run;
    this.#makes = makes;
    this.#outer = outer;
  }

  /** True once the check has its verdict or its time is up: an abandoned check, and what it was making for others, sends nothing more. */
  get isOver(): boolean {
    return this.#ended || (this.#outer?.isOver ?? false);
  }

  end(): void {
    this.#ended = true;
  }

  throwIfOver(): void {
    if (this.isOver) throw new TransportError('the deadline of this check is over');
  }

  /** Sends one request and writes down what was done and what came of it. */
  async send(what: string, ask: Ask): Promise<Answer> {
    const answer = await this.sendOfMany(ask);
    this.exchanges.push(answer.exchange);
    this.did.push(this.run.redactor.mask(`${what} → ${answer.status}`));
    return answer;
  }

  /** Sends one of so many requests that whoever sends them writes them down together. */
  async sendOfMany(ask: Ask): Promise<Answer> {
    this.throwIfOver();
    if (this.run.client.isShortOf(ask)) await this.run.ledger.lookUpRefused(this.run.client);
    this.throwIfOver();
    const makes = this.#makes === undefined ? {} : { makes: this.#makes };
    return this.run.client
      .send({ ...ask, ...makes }, () => this.isOver)
      .catch((error: unknown) => {
        if (error instanceof NotSent && ask.entry) this.run.ledger.cancel(ask.entry);
        throw error;
      });
  }

  /** The same of something that is no request of the service. */
  async sendOutside(what: string, ask: Outside): Promise<Answer> {
    this.throwIfOver();
    const answer = await this.run.client.outside(ask);
    this.exchanges.push(answer.exchange);
    this.did.push(this.run.redactor.mask(`${what} → ${answer.status}`));
    return answer;
  }

  /** Makes something once for all checks of the run; what was done for it stands in the record of each check that uses it. */
  async shared<T>(name: string, make: (trial: Trial) => Promise<T>): Promise<T> {
    let making = this.run.shared.get(name);
    if (!making || (making.trial.isOver && !making.done)) {
      making = begun(new Trial(this.run, this, name), make, (making?.times ?? 0) + 1);
      this.run.shared.set(name, making);
    }
    const { value, failure, did, exchanges, deliveries } = await making.made;
    for (const [index, exchange] of exchanges.entries()) {
      // Used twice, it was still done once.
      if (this.exchanges.includes(exchange)) continue;
      this.exchanges.push(exchange);
      this.did.push(did[index] ?? '');
    }
    for (const delivery of deliveries) if (!this.deliveries.includes(delivery)) this.deliveries.push(delivery);
    if (failure !== undefined) throw failure;
    return value as T;
  }

  /**
   * The same request with one thing put right. If it does not come out as it must, the refusal that the clause
   * is about would prove nothing, and the clause is untested.
   */
  async control<T>(what: string, check: () => Promise<T>): Promise<T> {
    try {
      const value = await check();
      if (!this.controls.includes(what)) this.controls.push(what);
      return value;
    } catch (error) {
      if (!(error instanceof Violation || error instanceof Blocked)) throw error;
      throw new Untested('control-failed', `the control did not hold: ${what}: ${error.message}`);
    }
  }

  /** Records an answer to an open question that the test relies on. */
  assumes(name: string, value: string): void {
    const assumption = `${name} = ${JSON.stringify(value)}`;
    if (!this.assumptions.includes(assumption)) this.assumptions.push(assumption);
  }

  /** Records a part of the clause that the verdict does not cover. */
  doesNotCheck(part: string): void {
    if (!this.notChecked.includes(part)) this.notChecked.push(part);
  }
}

function begun<T>(trial: Trial, make: (trial: Trial) => Promise<T>, times: number): Making {
  const making: Making = { trial, made: recorded(trial, make), done: false, times };
  void making.made.then(({ failure }) => {
    const mayWorkYet = failure instanceof TransportError && failure.cut && times < mostMakings;
    making.done = !trial.isOver && !mayWorkYet;
  });
  return making;
}

async function recorded<T>(trial: Trial, make: (trial: Trial) => Promise<T>): Promise<Shared<T>> {
  const { did, exchanges, deliveries } = trial;
  const record = { did, exchanges, deliveries };
  try {
    return { value: await make(trial), failure: undefined, ...record };
  } catch (failure) {
    return { value: undefined, failure, ...record };
  }
}

/** For arrangements: anything but 200 means that the check cannot be made. */
export function mustSucceed(answer: Answer, what: string): Answer {
  if (answer.status !== 200)
    throw new Blocked(`${what}: ${answer.exchange.method} ${answer.exchange.path} answered ${describeAnswer(answer)}`);
  return answer;
}
