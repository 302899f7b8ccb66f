import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { ObservedExchange } from '../http/exchange.ts';
import { KnownAccount, type KnownCard } from './account.ts';
import { checkAdjustment } from './adjusting.ts';
import { byOf, cardNameIn, type Fields, type ObservedCall, parseCall } from './call.ts';
import { checkHistory, checkLookup, checkVoid } from './card-state.ts';
import { checkCreate } from './creating.ts';
import { type Finding, Findings, type OracleCheck } from './findings.ts';
import { checkList } from './list.ts';
import { recordAdjustment, recordCreate, recordLookup, recordResponse, recordVoid } from './record.ts';
import { checkAlone, type ResponseForm } from './responses.ts';

export type { Finding, ObservedExchange };

interface Expectation extends ResponseForm {
  readonly record?: (call: ObservedCall, account: KnownAccount) => void;
  /** Checks a call against the earlier exchanges. */
  readonly check?: (check: OracleCheck) => void;
}

const lookup = { body: 'card', record: recordLookup, check: checkLookup } as const;
const cardVoid = { body: 'any', record: recordVoid, check: checkVoid } as const;
const history = { body: 'json', check: checkHistory } as const;
const adjustment = { body: 'true', record: recordAdjustment, check: checkAdjustment } as const;

/** The stated rules of each operation. Coupons are missing, because the specification states no rules for coupons. */
const expectations: Readonly<Partial<Record<OperationId, Expectation>>> = {
  createGiftCard: { rule: 'gift-card.create.returns-200', body: 'card', record: recordCreate, check: checkCreate },
  getGiftCardByCode: { rule: 'gift-card.get-by-code.returns-the-card', ...lookup },
  getGiftCardById: { rule: 'gift-card.get-by-id.returns-the-card', ...lookup },
  getGiftCardsByEmail: { rule: 'gift-card.get-by-email.finds-cards-sent-to-recipient', body: 'any' },
  getGiftCardByAccountPlatformIdAndSourceId: { rule: 'gift-card.get-by-source.finds-channel-card', body: 'any' },
  listGiftCards: { rule: 'list.wraps-cards-and-total', body: 'list', check: checkList },
  voidGiftCardByCode: { rule: 'gift-card.void.by-code-voids', ...cardVoid },
  voidGiftCardById: { rule: 'gift-card.void.by-id-voids', ...cardVoid },
  listAdjustmentsByGiftCardCode: { rule: 'adjustment.history.by-code-shows-card-and-entries', ...history },
  listAdjustmentsByGiftCardId: { rule: 'adjustment.history.by-id-shows-card-and-entries', ...history },
  addAdjustmentByGiftCardCode: { rule: 'adjustment.returns-200', ...adjustment },
  addAdjustmentByGiftCardId: { rule: 'adjustment.returns-200', ...adjustment },
  createAutomationTriggerEvent: { rule: 'automation.returns-cards-and-runs', body: 'any' },
  getCompanyProfile: { rule: 'company.profile-succeeds', body: 'json' },
  listWebhooks: { rule: 'webhook.list.of-account', body: 'json' },
  createWebhook: { rule: 'webhook.create.returns-200', body: 'any' },
  deleteWebhook: { rule: 'webhook.delete.removes', body: 'any' },
};

/**
 * A model of the stated rules. The oracle observes the exchanges with one deployment, and sends nothing. It records an exchange when the response arrives.
 * It checks the exchange after all earlier requests have ended, because earlier requests may have influenced the response.
 */
export class Oracle {
  readonly #reader: Reader;
  readonly #findings: Findings;
  readonly #accounts = new Map<string, KnownAccount>();
  readonly #underWay = new Set<number>();
  /** Calls with a response that wait until earlier requests have ended. */
  readonly #waiting: { readonly call: ObservedCall; readonly account: KnownAccount | undefined }[] = [];
  #position = 0;
  #exchanges = 0;
  readonly #counter = { cards: 0 };

  /** If `isOnlyClient` is true, no other client changes the account. Findings that would be `possible` are then `violated`. */
  constructor({ reader = new Reader(standardDocument, []), isOnlyClient = false }: { reader?: Reader; isOnlyClient?: boolean }) {
    this.#reader = reader;
    this.#findings = new Findings(isOnlyClient);
  }

  get timesHeld(): ReadonlyMap<RuleName, number> {
    return this.#findings.timesHeld;
  }

  /** Returns a ticket for `observe`. If requests may overlap, call `begin` when a request is sent. */
  begin(): number {
    this.#position += 1;
    this.#underWay.add(this.#position);
    return this.#position;
  }

  /** Numbers the exchange (1, 2, …). Returns findings about the exchange, and about earlier exchanges that waited for overlapping requests. */
  observe(exchange: ObservedExchange): Finding[] {
    const { ticket: began = this.begin(), at, ms, response } = exchange;
    this.#underWay.delete(began);
    this.#position += 1;
    this.#exchanges += 1;
    const clock = Date.parse(response?.headers.date ?? '') || undefined;
    const span = { n: this.#exchanges, began, ended: this.#position, at, ms, clock };
    const parsed = parseCall(exchange, this.#reader);
    const call = parsed && { ...parsed, span };
    const account = call?.key === undefined ? undefined : this.#accountOf(call.key);
    if (call && account && call.outcome !== 'unsent') {
      recordResponse(call, account);
      expectations[call.operation]?.record?.(call, account);
    } else if (!call && mayChangeAnything(exchange)) this.#accounts.clear();
    if (call && response) this.#waiting.push({ call, account });
    this.#checkWaiting();
    return this.#findings.take();
  }

  /** Returns findings about a webhook delivery. Ignores deliveries about cards that the client did not create. */
  observeDelivery(payload: Fields): Finding[] {
    this.#findings.checked = this.#exchanges;
    for (const account of this.#accounts.values()) {
      const card = account.cardById(String(payload.GiftCardId));
      if (card?.creation) checkDelivery(payload, card, card.creation, account, this.#findings);
    }
    return this.#findings.take();
  }

  /** Returns the findings about waiting exchanges, and forgets all accounts. Call `end` if exchanges may have been missed, because they may have changed the accounts. */
  end(): Finding[] {
    this.#underWay.clear();
    this.#checkWaiting();
    this.#accounts.clear();
    return this.#findings.take();
  }

  #checkWaiting(): void {
    const first = Math.min(...this.#underWay);
    for (let next = this.#waiting[0]; next && next.call.span.ended < first; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#check(next.call, next.account);
    }
  }

  #check(call: ObservedCall, account: KnownAccount | undefined): void {
    this.#findings.checked = call.span.n;
    const expectation = expectations[call.operation];
    checkAlone(call, expectation, this.#findings);
    if (!account || !expectation) return;
    const name = cardNameIn(call);
    const card = account.onlyCard(byOf(call), name);
    expectation.check?.({ call, account, name, card, rule: expectation.rule, findings: this.#findings });
  }

  #accountOf(key: string): KnownAccount {
    const account = this.#accounts.get(key) ?? new KnownAccount(this.#counter);
    this.#accounts.set(key, account);
    return account;
  }
}

/** Reports whether a request outside the contract may have changed cards or clocks. A request to a control API may do so. */
const mayChangeAnything = ({ method, response, isUnsent }: ObservedExchange): boolean =>
  !isUnsent && !['GET', 'HEAD', 'OPTIONS'].includes(method) && (response === undefined || response.status < 400);

/** Checks a delivery about a card that the client created. */
function checkDelivery(
  payload: Fields,
  card: KnownCard,
  { span }: ObservedCall,
  account: KnownAccount,
  findings: Findings,
): void {
  const { Code, Currency, WebhookTopic, Status, Balance, IsStoreCredit } = payload;
  const what = `${String(WebhookTopic)} of ${card.name} has`;
  findings.check(Code === card.code, 'delivery.payload.code', `${what} another code.`, span);
  if (account.currency !== undefined) {
    const isRight = Currency === account.currency;
    findings.check(isRight, 'delivery.payload.currency', `${what} the currency ${String(Currency)}.`, span);
  }
  const storeCredit = `${what} IsStoreCredit ${String(IsStoreCredit)}.`;
  findings.check(IsStoreCredit === false, 'delivery.payload.store-credit', storeCredit, span);
  if (WebhookTopic !== 'giftcard/voided') return;
  const [status, balance] = [`${what} the status ${String(Status)}.`, `${what} the balance ${String(Balance)}.`];
  findings.check(Status === 'Voided', 'delivery.payload.status-after-event', status, span);
  findings.check(Balance === 0, 'delivery.payload.balance-after-event', balance, span);
}
