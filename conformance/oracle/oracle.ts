import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { Account } from './account.ts';
import { checkCurrency, checkEvent, checkKey } from './account-wide.ts';
import { checkAdjustment } from './adjusting.ts';
import { checkAnswer } from './answers.ts';
import { type Call, callOf, type ObservedExchange, splitTarget } from './call.ts';
import { checkLookup, checkVoid } from './cards.ts';
import { checkCreate } from './creating.ts';
import { type Finding, Findings } from './findings.ts';

export type { Finding, ObservedExchange };

import { checkHistory } from './history.ts';
import { checkList } from './list.ts';
import { Rate } from './rate.ts';
import { isAdjustment, isHistory, isLookup, isVoid, record } from './record.ts';
import { checkRequest } from './requests.ts';
import type { Span } from './span.ts';
import { checkWebhooks } from './webhooks.ts';

export interface OracleOptions {
  /** How to read the wire of a contract variant; default: the contract as it is. */
  readonly reader?: Reader;
  /** Nobody else acts on the account, so that every `possible` finding is `violated`. Default: false. */
  readonly onlyClient?: boolean;
}

export interface Oracle {
  /** Call when a request is sent, if another one may be sent before its answer arrives. */
  begin(): number;
  /** Numbers the exchange (1, 2, …) and returns what is found now: about this exchange, and about earlier ones that waited for overlapping requests. */
  observe(exchange: ObservedExchange): Finding[];
  /** Returns the findings about exchanges that still wait, and forgets everything: what follows is of another time. */
  end(): Finding[];
  /** How often each clause held. */
  readonly held: ReadonlyMap<ClauseName, number>;
}

/** A model of what the specification states, fed with the exchanges of any client of one deployment. It sends nothing. */
export function createOracle({ reader = new Reader(standardDocument, []), onlyClient = false }: OracleOptions = {}): Oracle {
  return new Model(reader, new Findings(onlyClient));
}

interface Waiting {
  readonly span: Span;
  readonly exchange: ObservedExchange;
  readonly call: Call | undefined;
  readonly account: Account | undefined;
}

/** Each exchange is recorded when it ends, and checked when no request is under way that began before: then all that may have influenced it is recorded. */
class Model implements Oracle {
  readonly #reader: Reader;
  readonly #findings: Findings;
  readonly #accounts = new Map<string, Account>();
  readonly #underWay = new Set<number>();
  readonly #waiting: Waiting[] = [];
  #rate = new Rate();
  #sequence = 0;
  #exchanges = 0;
  #cards = 0;

  constructor(reader: Reader, findings: Findings) {
    this.#reader = reader;
    this.#findings = findings;
  }

  get held(): ReadonlyMap<ClauseName, number> {
    return this.#findings.held;
  }

  begin(): number {
    this.#sequence += 1;
    this.#underWay.add(this.#sequence);
    return this.#sequence;
  }

  observe(exchange: ObservedExchange): Finding[] {
    const { ticket: began = this.begin(), at, ms, answer } = exchange;
    this.#underWay.delete(began);
    this.#sequence += 1;
    this.#exchanges += 1;
    const clock = Date.parse(answer?.headers.date ?? '');
    const span = { n: this.#exchanges, began, ended: this.#sequence, at, ms, clock: Number.isNaN(clock) ? undefined : clock };
    const call = callOf(exchange, span, this.#reader);
    const account = call?.key === undefined ? undefined : this.#accountOf(call.key);
    if (!exchange.isUnsent) this.#rate.record({ span, key: call?.key, status: answer?.status ?? 0 });
    if (call && account) record(call, account);
    else if (!call && mayChangeAnything(exchange)) this.#accounts.clear();
    this.#waiting.push({ span, exchange, call, account });
    this.#checkWaiting();
    return this.#findings.take();
  }

  end(): Finding[] {
    this.#underWay.clear();
    this.#checkWaiting();
    this.#accounts.clear();
    this.#rate = new Rate();
    return this.#findings.take();
  }

  #checkWaiting(): void {
    const first = Math.min(...this.#underWay);
    for (let next = this.#waiting[0]; next && next.span.ended < first; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#check(next);
    }
  }

  #check({ span, exchange, call, account }: Waiting): void {
    const { method, target, answer } = exchange;
    const findings = this.#findings;
    const [path] = splitTarget(target);
    if (!answer || !/^\/api\//i.test(path)) return;
    if (!call) {
      if (method !== 'HEAD' && method !== 'OPTIONS' && !/Coupon/i.test(path))
        findings.client(`${method} to a path under /api/ that is not an endpoint of the service.`, span.n);
      return;
    }
    this.#rate.check({ span, key: call.key, status: call.status }, findings);
    checkKey(call, account, findings);
    checkRequest(call, findings);
    checkAnswer(call, this.#reader, findings);
    if (!account) return;
    checkCurrency(call, account, findings);
    checkerOf(call.operation)?.(call, account, findings);
  }

  #accountOf(key: string): Account {
    const known = this.#accounts.get(key);
    const account =
      known ??
      new Account(() => {
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

type Checker = (call: Call, account: Account, findings: Findings) => void;

function checkerOf(operation: string): Checker | undefined {
  if (operation === 'createGiftCard') return checkCreate;
  if (isAdjustment(operation)) return checkAdjustment;
  if (isVoid(operation)) return checkVoid;
  if (isLookup(operation)) return checkLookup;
  if (isHistory(operation)) return checkHistory;
  if (operation === 'listGiftCards') return checkList;
  if (operation === 'listWebhooks') return checkWebhooks;
  return operation === 'createAutomationTriggerEvent' ? checkEvent : undefined;
}
