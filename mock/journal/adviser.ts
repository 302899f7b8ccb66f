import { clauseValues } from '../../openapi/generated/clauses.ts';
import { type Names, withNames } from '../contract/effective/names.ts';
import { isJsonType } from '../contract/parse/body.ts';
import type { Handled } from '../pipeline/context.ts';
import type { View } from '../state/view.ts';
import type { Advice } from './advice.ts';
import { type Before, beforeOf, isSame } from './before.ts';
import { type Body, isNothing, lookAtBody, lookAtTime, type Tell } from './bodies.ts';
import type { Exchange } from './entry.ts';
import type { LessonName, Note } from './lessons.ts';
import { Recent } from './recent.ts';
import { hasSecret } from './redaction/hide-in-message.ts';

/** So soon after a 429 nobody has waited. In milliseconds. */
const NO_WAIT = 1_000;
/** What is asked for again within this time may be a retry, and what is asked for so often is polled. In milliseconds. */
const SHORT = 60_000;
const POLLED = 30;
const REJECTED = 3;

/** What an adviser remembers of earlier requests, as a value. */
export interface AdviserState {
  readonly last: Before | null;
  readonly inARow: number;
  readonly limited: Before | null;
  readonly created: readonly (readonly [key: string, Created])[];
  readonly adjusted: readonly (readonly [key: string, at: number])[];
  readonly walks: readonly (readonly [key: string, Walk])[];
}

/** When a card was created, and whether with a unique ID. */
interface Created {
  readonly at: number;
  readonly isNamed: boolean;
}

/** Whether page 0 was asked for, or the number of the exchange that asked for page 1 without it. */
type Walk = 'from 0' | number;

/** Looks at each exchange of an account once, remembering little, and says what in it will hurt in production. */
export class Adviser {
  readonly #advice: Advice;
  /** The request before this one, and how many of the same came in a row. */
  #last: Exchange | Before | undefined;
  #inARow = 0;
  /** The last notes that were made; whoever does the same all the time shares them. */
  #notes: readonly Note[] = [];
  /** The last request that got a 429. */
  #limited: Exchange | Before | undefined;
  /** By all that tells cards apart but the unique ID. */
  readonly #created = new Recent<Created>();
  readonly #adjusted = new Recent<number>();
  /** Over the list, by their filters. */
  readonly #walks = new Recent<Walk>();
  readonly #find: (number: number) => Exchange | undefined;

  /** `find` answers an earlier exchange, as long as it is kept. */
  constructor(advice: Advice, find: (number: number) => Exchange | undefined) {
    this.#advice = advice;
    this.#find = find;
  }

  /** Notes on the exchange what it teaches. `state` is the account's, where the caller has one. */
  look(exchange: Exchange, handled: Handled, fromBrowser: boolean, state: View | undefined): void {
    const notes: Note[] = [];
    const names = handled.operation?.names;
    const tell: Tell = (name, seen) => notes.push(this.#advice.add(name, withNames(seen, names), exchange.number, exchange.at));
    if (fromBrowser) tell('key-in-browser', 'The request carries headers that only browsers send.');
    const query = exchange.target.indexOf('?');
    if (query >= 0 && hasSecret(exchange.target.slice(query + 1)))
      tell('key-in-query', 'The query has a parameter that is named like a secret.');
    this.#lookForRow(exchange, tell);
    if (this.#limited || exchange.refusal === 'rate.exceeded') this.#lookForWait(exchange, tell);
    if (exchange.operation === 'listGiftCards') this.#lookAtPages(exchange, names, tell);
    else if (handled.input?.body !== undefined) this.#lookAtDeed(exchange, handled, state, tell);
    if (notes.length > 0) exchange.notes = this.#notes = sameNotes(notes, this.#notes) ? this.#notes : notes;
  }

  #lookForRow(exchange: Exchange, tell: Tell): void {
    const last = this.#last;
    this.#last = exchange;
    if (!last || !isSame(last, exchange) || last.refusal !== exchange.refusal || exchange.at - last.at >= SHORT) {
      this.#inARow = 1;
      return;
    }
    const count = ++this.#inARow;
    if (exchange.status === 400 && exchange.refusal !== undefined && count === REJECTED)
      tell('rejection-repeated', `The same request was rejected ${count} times in a row.`);
    if (count % POLLED === 0 && (exchange.operation === 'getGiftCardByCode' || exchange.operation === 'getGiftCardById'))
      tell('card-polled', `The same card was asked for ${count} times in a row, never a minute apart.`);
  }

  #lookForWait(exchange: Exchange, tell: Tell): void {
    const limited = this.#limited;
    const waited = limited ? exchange.at - limited.at : 0;
    if (limited && isSame(limited, exchange) && waited >= 0 && waited < NO_WAIT)
      tell('rate-no-wait', `The request came again ${waited} ms after it was answered with 429.`);
    this.#limited = exchange.refusal === 'rate.exceeded' ? exchange : undefined;
  }

  #lookAtDeed(exchange: Exchange, { operation, input, cause }: Handled, state: View | undefined, tell: Tell): void {
    if (!operation) return;
    const body = input?.body as Body;
    lookAtType(exchange.headers['content-type'], tell);
    lookAtBody(operation.id, body, tell);
    if (!cause) return; // what was refused, or struck by a fault, did nothing
    switch (operation.id) {
      case 'createGiftCard':
        if (isNothing(body.uniqueId)) tell('create-without-unique-id', 'A card was created without a uniqueId.');
        this.#lookForSecondCard(exchange, body, tell);
        return;
      case 'addAdjustmentByGiftCardCode':
      case 'addAdjustmentByGiftCardId':
        this.#lookAtAdjustment(exchange, body, tell);
        return;
      case 'createAutomationTriggerEvent':
        if (isNothing(body.idempotency_key))
          tell('automation-without-idempotency-key', 'An event came without an idempotency_key.');
        return;
      case 'createWebhook':
        lookAtWebhook(body, state, tell);
    }
  }

  /** Only cards that are for somebody or something are told apart; whoever makes a heap of anonymous ones retries nothing. */
  #lookForSecondCard({ at }: Exchange, body: Body, tell: Tell): void {
    const { uniqueId, recipientEmailAddress, recipientName, customField1, customField2, customField3 } = body;
    if (
      isNothing(recipientEmailAddress) &&
      isNothing(recipientName) &&
      isNothing(customField1) &&
      isNothing(customField2) &&
      isNothing(customField3)
    )
      return;
    const { balance, code, giftMessage, giftScheduledForUtc, expiresAtUtc, notes } = body;
    const key = [
      balance,
      recipientEmailAddress,
      recipientName,
      code,
      customField1,
      customField2,
      customField3,
      giftMessage,
      giftScheduledForUtc,
      expiresAtUtc,
      notes,
    ].join('\n');
    const before = this.#created.replace(key, { at, isNamed: !isNothing(uniqueId) });
    if (before === undefined || at - before.at >= SHORT) return;
    const without = isNothing(uniqueId) && !before.isNamed;
    tell(
      without ? 'create-repeated-without-unique-id' : 'create-new-unique-id-per-try',
      without
        ? 'The same card for the same recipient was created again, without uniqueId.'
        : 'The same card for the same recipient was created again under another uniqueId.',
    );
  }

  #lookAtAdjustment({ at, operation, touched }: Exchange, body: Body, tell: Tell): void {
    const after = touched.find(({ table }) => table === 'cards');
    const { balance = 0, balanceBefore } = after?.card ?? {};
    if (operation === 'addAdjustmentByGiftCardCode' && balance < 0 && balance < (balanceBefore ?? 0))
      tell('adjustment-negative-balance', `A redemption by code left the card ${after?.id} with less than nothing.`);
    const key = `${after?.id}\n${body.adjustmentAmount}\n${body.actionedAtUtc}\n${body.notes}`;
    const earlier = this.#adjusted.replace(key, at);
    if (earlier !== undefined && at - earlier < SHORT)
      tell(
        'adjustment-new-unique-id-per-try',
        'The same amount, actioned at the same moment, came again for the card under another uniqueAdjustmentId.',
      );
  }

  #lookAtPages(exchange: Exchange, names: Names | undefined, tell: Tell): void {
    const query = new URLSearchParams(exchange.target.split('?')[1] ?? '');
    const given = (name: string) => query.get(names?.get(name) ?? name);
    const [size, page, since] = [given('pageSize'), given('pageNumber'), given('since')];
    if (since !== null) lookAtTime('since', since, tell);
    if (size !== null && Number(size) > clauseValues['list.page-size-maximum'])
      tell('list-page-size-over-maximum', `pageSize is ${size.slice(0, 20)}.`);
    const walk = `${size}\n${since}\n${given('includeAll')}`;
    if (page === null || page === '0') {
      const before = this.#walks.replace(walk, 'from 0');
      if (before !== undefined && before !== 'from 0') this.#withdraw(before, 'list-pages-from-one');
    } else if (page === '1' && this.#walks.get(walk) === undefined) {
      this.#walks.replace(walk, exchange.number);
      tell('list-pages-from-one', 'Page 1 was asked for, and page 0 never.');
    }
  }

  #withdraw(from: number, name: LessonName): void {
    const exchange = this.#find(from);
    if (exchange) exchange.notes = exchange.notes.filter((note) => note.name !== name);
    this.#advice.withdraw(name);
  }

  state(): AdviserState {
    return {
      last: beforeOf(this.#last),
      inARow: this.#inARow,
      limited: beforeOf(this.#limited),
      created: this.#created.all(),
      adjusted: this.#adjusted.all(),
      walks: this.#walks.all(),
    };
  }

  restore({ last, inARow, limited, created, adjusted, walks }: AdviserState): void {
    this.#last = last ?? undefined;
    this.#inARow = inARow;
    this.#limited = limited ?? undefined;
    this.#created.restore(created);
    this.#adjusted.restore(adjusted);
    this.#walks.restore(walks);
  }
}

function lookAtType(type: string | undefined, tell: Tell): void {
  if (isJsonType(type)) return;
  tell(
    'body-not-called-json',
    type === undefined ? 'A JSON body came without a content type.' : `A JSON body was called ${type.slice(0, 60)}.`,
  );
}

function lookAtWebhook({ url, requestHeaderVerificationToken }: Body, state: View | undefined, tell: Tell): void {
  if (isNothing(requestHeaderVerificationToken))
    tell('webhook-without-token', 'A webhook was created without a requestHeaderVerificationToken.');
  let enabled = 0;
  for (const webhook of state?.webhooks() ?? []) if (webhook.enabled && webhook.url === url) enabled++;
  if (enabled > 1) tell('webhook-same-url-again', `The URL now has ${enabled} enabled webhooks.`);
}

function sameNotes(some: readonly Note[], others: readonly Note[]): boolean {
  return some.length === others.length && some.every((note, index) => note === others[index]);
}
