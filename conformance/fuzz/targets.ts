import { shortList } from '../core/card-list.ts';
import { expectSame, expectSuccess, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { byCode, cardIdField } from '../scenarios/adjustments.ts';
import { type Card, card, getByCode, voidByCode, voidById } from '../scenarios/cards.ts';
import { idleEvent } from '../scenarios/events.ts';
import { type BaseRequest, type OddRequest, written } from './base-request.ts';
import { type OperationInput, operationInput } from './operation-input.ts';
import { sendOddCreate, sendOddRegistration, tryRegistration, webhookRecords } from './records.ts';

/** An operation that odd requests are sent to. */
export interface FuzzTarget {
  /** POST /api/GiftCard/Create */
  readonly name: string;
  readonly input: OperationInput;
  /** An accepted request creates a record that the run must clean up. */
  readonly createsRecords: boolean;
  /** Created records can be found only by a value of this run. */
  readonly needsOwnValue: boolean;
  /** An accepted request may void or delete a record that somebody else made. */
  readonly deletesRecords: boolean;
  send(t: Trial, odd: OddRequest): Promise<Answer>;
  /** Replaces the watched card, if it is worn or has a long history. */
  renewCard(t: Trial, isWorn: boolean): Promise<void>;
  /** What a refusal must not change. */
  snapshot(t: Trial): Promise<unknown>;
}

/** Sends the control, a correct request, and returns the operation as a target. */
export async function fuzzTarget(t: Trial, operationId: string): Promise<FuzzTarget> {
  const watched = { card: await watchedCard(t) };
  const input = operationInput(operationId);
  const name = `${input.method} ${pathOf(input)}`;
  const base = await baseRequestOf(t, operationId);
  if (!hasOtherControl.has(operationId))
    await t.control(`${name} with nothing odd`, () => sendCorrect(t, operationId, name, base(t, watched.card)));
  const target: FuzzTarget = {
    ...{ name, input: base.input ?? input, createsRecords: false, needsOwnValue: false },
    deletesRecords: input.method !== 'GET' && input.path.includes('{'),
    send: (trial, odd) => trial.sendOfMany(odd.write(base(trial, watched.card))),
    snapshot: (trial) => cardSnapshot(trial, watched.card),
    async renewCard(trial, isWorn) {
      if (isWorn) watched.card = await card(trial, { balance: 1 });
    },
  };
  if (operationId === 'createGiftCard') return { ...target, createsRecords: true, send: sendOddCreate };
  if (operationId.startsWith('addAdjustment')) return renewedAfterEntries(target);
  if (operationId !== 'createWebhook') return target;
  const snapshot = async (trial: Trial) => [await cardSnapshot(trial, watched.card), await webhookRecords(trial)];
  return { ...target, createsRecords: true, needsOwnValue: true, send: sendOddRegistration, snapshot };
}

/** The control of all odd input: the target accepts correct requests about this card. */
function watchedCard(t: Trial): Promise<Card> {
  return t.control('a card that is created, adjusted and found', () =>
    t.shared('watched card', async (shared) => {
      const on = await card(shared, { balance: 1, notes: 'as created', customField1: 'as created' });
      expectSuccess(await byCode(shared, on, 0.25), 'an adjustment');
      expectSame(objectIn(await getByCode(shared, on.code)).id, on.id, 'its id');
      return on;
    }),
  );
}

/** The card with its history, and the first cards of the list. */
async function cardSnapshot(t: Trial, on: Card): Promise<unknown[]> {
  const get = async (ask: Ask, what: string) => mustSucceed(await t.sendOfMany(ask), what).json;
  const path = `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${encodeURIComponent(on.code)}`;
  return [await get({ method: 'GET', path }, 'the history of the watched card'), await get(shortList, 'the list')];
}

/** Replaces the card before its history gets long. */
function renewedAfterEntries(target: FuzzTarget, maxEntries = 15): FuzzTarget {
  let entries = 0;
  return {
    ...target,
    async renewCard(t, isWorn) {
      if (!isWorn && entries <= maxEntries) return;
      await target.renewCard(t, true);
      entries = 0;
    },
    async send(t, odd) {
      const answer = await target.send(t, odd);
      if (answer.status === 200) entries += 1;
      return answer;
    },
  };
}

const pathOf = ({ path }: OperationInput) => path.replace(/\/\{\w+\}$/, '');
const freshValue = (t: Trial) => t.run.ledger.fresh('GCSNONE');

type Parts = Partial<Pick<BaseRequest, 'segment' | 'query' | 'body'>>;

/** The request that each operation's odd requests are made from. Nobody minds when the target accepts it. */
const baseParts: Readonly<Record<string, (t: Trial, on: Card) => Parts>> = {
  getGiftCardByCode: (_, { code }) => ({ segment: encodeURIComponent(code) }),
  getGiftCardById: (_, { id }) => ({ segment: encodeURIComponent(id) }),
  getGiftCardsByEmail: () => ({ query: { emailAddress: 'nobody@example.com' } }),
  getGiftCardByAccountPlatformIdAndSourceId: (t) => ({ query: { accountPlatformId: freshValue(t), sourceId: freshValue(t) } }),
  listGiftCards: () => ({ query: { pageSize: '1' } }),
  listAdjustmentsByGiftCardCode: (_, { code }) => ({ segment: encodeURIComponent(code) }),
  listAdjustmentsByGiftCardId: (_, { id }) => ({ segment: encodeURIComponent(id) }),
  voidGiftCardByCode: (t) => ({ segment: freshValue(t) }),
  voidGiftCardById: (t) => ({ segment: freshValue(t) }),
  deleteWebhook: (t) => ({ segment: freshValue(t) }),
  createAutomationTriggerEvent: (t) => ({
    body: { event_name: freshValue(t), recipient_email: 'recipient@example.com', properties: { a: 'b' } },
  }),
  addAdjustmentByGiftCardCode: (t, { code }) => ({ body: { giftCardCode: code, ...adjustment(t) } }),
};

const adjustment = (t: Trial) => ({
  adjustmentAmount: 0.01,
  notes: 'odd input',
  actionedAtUtc: new Date().toISOString(),
  uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
});

interface BaseRequestMaker {
  (t: Trial, on: Card): BaseRequest;
  /** In place of the contract's, where the target names a field differently. */
  input?: OperationInput;
}

async function baseRequestOf(t: Trial, operationId: string): Promise<BaseRequestMaker> {
  const input = operationInput(operationId);
  const { method } = input;
  const maker =
    (parts: (t: Trial, on: Card) => Parts): BaseRequestMaker =>
    (trial, on) => ({ method, path: pathOf(input), ...parts(trial, on), ownValue: freshValue(trial) });
  if (operationId !== 'addAdjustmentByGiftCardId') return maker(baseParts[operationId] ?? (() => ({})));
  const idField = await cardIdField(t);
  const body = input.body.map((each) => (each.name === 'giftCardId' ? { ...each, name: idField } : each));
  const byId = maker((trial, { id }) => ({ body: { [idField]: id, ...adjustment(trial) } }));
  return Object.assign(byId, { input: { ...input, body } });
}

/** The watched card is created and adjusted. The other two may answer anything to a search that finds nothing. */
const hasOtherControl: ReadonlySet<string> = new Set([
  'createGiftCard',
  'addAdjustmentByGiftCardCode',
  'addAdjustmentByGiftCardId',
  'getGiftCardsByEmail',
  'getGiftCardByAccountPlatformIdAndSourceId',
]);

/** A correct request is accepted. A request that voids or deletes is about a record of this run. */
async function sendCorrect(t: Trial, operationId: string, name: string, base: BaseRequest): Promise<void> {
  switch (operationId) {
    case 'voidGiftCardByCode':
      return expectSuccess(await voidByCode(t, (await card(t)).code), 'it');
    case 'voidGiftCardById':
      return expectSuccess(await voidById(t, (await card(t)).id), 'it');
    case 'createAutomationTriggerEvent':
      return expectSuccess(await idleEvent(t, 'with nothing odd'), 'it');
    case 'createWebhook':
    case 'deleteWebhook':
      return tryRegistration(t);
    default:
      return expectSuccess(await t.send(name, written(base)), 'it');
  }
}
