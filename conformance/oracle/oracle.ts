import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ObservedExchange } from '../http/exchange.ts';
import { Account } from './account.ts';
import { checkAlone } from './answers.ts';
import { type Call, parseCall } from './call.ts';
import { expectations } from './expectations.ts';
import { type Finding, Findings } from './findings.ts';
import { recordAnswer } from './record.ts';

export type { Finding, ObservedExchange };

export interface OracleOptions {
  /** How to read the wire of a contract variant; default: the contract as it is. */
  readonly reader?: Reader;
  /** No other client acts on the account, so that every `possible` finding is `violated`. Default: false. */
  readonly isOnlyClient?: boolean;
}

export interface Oracle {
  /** Call when a request is sent, if another one may be sent before its answer arrives. */
  begin(): number;
  /** Numbers the exchange (1, 2, …). Returns findings about it, and about earlier exchanges that waited for overlapping requests. */
  observe(exchange: ObservedExchange): Finding[];
  /** Returns the findings about exchanges that still wait, and forgets everything. Call it when time has passed unobserved. */
  end(): Finding[];
  /** How often each clause held. */
  readonly timesHeld: ReadonlyMap<ClauseName, number>;
}

/** A model of what the specification states. It observes the exchanges of any client of one deployment, and sends nothing. */
export function createOracle({ reader = new Reader(standardDocument, []), isOnlyClient = false }: OracleOptions = {}): Oracle {
  return new Model(reader, new Findings(isOnlyClient));
}

interface Waiting {
  /** Position of the answer in the order of all requests and answers. */
  readonly ended: number;
  readonly call: Call | undefined;
  readonly account: Account | undefined;
}

/**
 * The model records each exchange when it ends. It checks the exchange when no request is under way that began before: then everything that may have
 * influenced the answer is recorded.
 */
class Model implements Oracle {
  readonly #reader: Reader;
  readonly #findings: Findings;
  readonly #accounts = new Map<string, Account>();
  readonly #underWay = new Set<number>();
  readonly #waiting: Waiting[] = [];
  #position = 0;
  #exchanges = 0;
  #cards = 0;

  constructor(reader: Reader, findings: Findings) {
    this.#reader = reader;
    this.#findings = findings;
  }

  get timesHeld(): ReadonlyMap<ClauseName, number> {
    return this.#findings.timesHeld;
  }

  begin(): number {
    this.#position += 1;
    this.#underWay.add(this.#position);
    return this.#position;
  }

  observe(exchange: ObservedExchange): Finding[] {
    const { ticket: began = this.begin(), at, ms, answer } = exchange;
    this.#underWay.delete(began);
    this.#position += 1;
    this.#exchanges += 1;
    const ended = this.#position;
    const clock = Date.parse(answer?.headers.date ?? '');
    const span = { n: this.#exchanges, began, ended, at, ms, clock: Number.isNaN(clock) ? undefined : clock };
    const parsed = parseCall(exchange, this.#reader);
    const call = parsed && { ...parsed, span };
    const account = call?.key === undefined ? undefined : this.#accountOf(call.key);
    if (call && account && call.outcome !== 'unsent') {
      recordAnswer(call, account);
      expectations[call.operation]?.record?.(call, account);
    } else if (!call && mayChangeAnything(exchange)) this.#accounts.clear();
    this.#waiting.push({ ended, call: answer && call, account });
    this.#checkWaiting();
    return this.#findings.take();
  }

  end(): Finding[] {
    this.#underWay.clear();
    this.#checkWaiting();
    this.#accounts.clear();
    return this.#findings.take();
  }

  #checkWaiting(): void {
    const first = Math.min(...this.#underWay);
    for (let next = this.#waiting[0]; next && next.ended < first; next = this.#waiting[0]) {
      this.#waiting.shift();
      if (next.call) this.#check(next.call, next.account);
    }
  }

  #check(call: Call, account: Account | undefined): void {
    this.#findings.checked = call.span.n;
    checkAlone(call, this.#findings);
    const expectation = expectations[call.operation];
    if (account && expectation) expectation.check?.(call, account, this.#findings, expectation.clause);
  }

  #accountOf(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    const account = new Account(() => {
      this.#cards += 1;
      return this.#cards;
    });
    this.#accounts.set(key, account);
    return account;
  }
}

/** A request that is not a call of the contract, such as one to a control API, may change cards and clocks. */
const mayChangeAnything = ({ method, answer, isUnsent }: ObservedExchange): boolean =>
  !isUnsent && !['GET', 'HEAD', 'OPTIONS'].includes(method) && (answer === undefined || answer.status < 400);
