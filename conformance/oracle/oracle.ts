import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { ObservedExchange } from '../http/exchange.ts';
import { Account } from './account.ts';
import { checkAdjustment } from './adjusting.ts';
import { type AnswerForm, checkAlone } from './answers.ts';
import { type Call, parseCall } from './call.ts';
import { checkHistory, checkLookup, checkVoid } from './card-state.ts';
import { checkCreate } from './creating.ts';
import { type Finding, Findings } from './findings.ts';
import { checkList } from './list.ts';
import { recordAdjustment, recordAnswer, recordCreate, recordLookup, recordVoid } from './record.ts';

export type { Finding, ObservedExchange };

export interface OracleOptions {
  /** How to read the wire of a contract variant; default: the contract as it is. */
  readonly reader?: Reader;
  /** No other client acts on the account, so that every `possible` finding is `violated`. Default: false. */
  readonly isOnlyClient?: boolean;
}

interface Expectation extends AnswerForm {
  /** Notes the effect of a call on the account. */
  readonly record?: (call: Call, account: Account) => void;
  /** Checks a call against what the account is known to have. */
  readonly check?: (call: Call, account: Account, findings: Findings, clause: ClauseName) => void;
}

const lookup = { body: 'card', record: recordLookup, check: checkLookup } as const;
const cardVoid = { body: 'any', record: recordVoid, check: checkVoid } as const;
const history = { body: 'json', check: checkHistory } as const;
const adjustment = { body: 'true', record: recordAdjustment, check: checkAdjustment } as const;

/** What the specification states about each operation. It states nothing about coupons. */
const expectations: Readonly<Partial<Record<OperationId, Expectation>>> = {
  createGiftCard: { clause: 'gift-card.create.answers-200', body: 'card', record: recordCreate, check: checkCreate },
  getGiftCardByCode: { clause: 'gift-card.get-by-code.returns-the-card', ...lookup },
  getGiftCardById: { clause: 'gift-card.get-by-id.returns-the-card', ...lookup },
  getGiftCardsByEmail: { clause: 'gift-card.get-by-email.finds-cards-sent-to-recipient', body: 'any' },
  getGiftCardByAccountPlatformIdAndSourceId: { clause: 'gift-card.get-by-source.finds-channel-card', body: 'any' },
  listGiftCards: { clause: 'list.wraps-cards-and-total', body: 'list', check: checkList },
  voidGiftCardByCode: { clause: 'gift-card.void.by-code-voids', ...cardVoid },
  voidGiftCardById: { clause: 'gift-card.void.by-id-voids', ...cardVoid },
  listAdjustmentsByGiftCardCode: { clause: 'adjustment.history.by-code-shows-card-and-entries', ...history },
  listAdjustmentsByGiftCardId: { clause: 'adjustment.history.by-id-shows-card-and-entries', ...history },
  addAdjustmentByGiftCardCode: { clause: 'adjustment.answers-200', ...adjustment },
  addAdjustmentByGiftCardId: { clause: 'adjustment.answers-200', ...adjustment },
  createAutomationTriggerEvent: { clause: 'automation.answers-cards-and-runs', body: 'any' },
  getCompanyProfile: { clause: 'company.profile-answers', body: 'json' },
  listWebhooks: { clause: 'webhook.list.of-account', body: 'json' },
  createWebhook: { clause: 'webhook.create.answers-200', body: 'any' },
  deleteWebhook: { clause: 'webhook.delete.removes', body: 'any' },
};

interface Waiting {
  /** Position of the answer in the order of all requests and answers. */
  readonly ended: number;
  readonly call: Call | undefined;
  readonly account: Account | undefined;
}

/**
 * A model of what the specification states. It observes the exchanges of any client of one deployment, and sends nothing. It records each exchange when it
 * ends. It checks the exchange when no request is under way that began before: then everything that may have influenced the answer is recorded.
 */
export class Oracle {
  readonly #reader: Reader;
  readonly #findings: Findings;
  readonly #accounts = new Map<string, Account>();
  readonly #underWay = new Set<number>();
  readonly #waiting: Waiting[] = [];
  #position = 0;
  #exchanges = 0;
  #cards = 0;

  constructor({ reader = new Reader(standardDocument, []), isOnlyClient = false }: OracleOptions = {}) {
    this.#reader = reader;
    this.#findings = new Findings(isOnlyClient);
  }

  /** How often each clause held. */
  get timesHeld(): ReadonlyMap<ClauseName, number> {
    return this.#findings.timesHeld;
  }

  /** Call when a request is sent, if another one may be sent before its answer arrives. */
  begin(): number {
    this.#position += 1;
    this.#underWay.add(this.#position);
    return this.#position;
  }

  /** Numbers the exchange (1, 2, …). Returns findings about it, and about earlier exchanges that waited for overlapping requests. */
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

  /** Returns the findings about exchanges that still wait, and forgets everything. Call it when time has passed unobserved. */
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
    const expectation = expectations[call.operation];
    checkAlone(call, expectation, this.#findings);
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
