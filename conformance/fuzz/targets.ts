import { bodySchemaOf, isObject, operationsOf, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { shortList } from '../core/card-list.ts';
import { expectSame, expectSuccess, objectIn } from '../core/expect.ts';
import { type Operation, operations } from '../core/operations.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { byCode, cardIdField } from '../scenarios/adjustments.ts';
import { type Card, card, getByCode, voidByCode, voidById } from '../scenarios/cards.ts';
import { idleEvent } from '../scenarios/events.ts';
import { type BaseRequest, type InputLimits, type OddRequest, type OperationInput, requestFrom } from './odd-requests.ts';
import { sendOddCreate, sendOddRegistration, tryRegistration, webhookRecords } from './records.ts';

/** An operation that odd requests are sent to. */
export interface FuzzTarget {
  /** POST /api/GiftCard/Create */
  readonly name: string;
  readonly input: OperationInput;
  readonly limits: InputLimits;
  /** An accepted request creates a record that the run must clean up. */
  readonly createsRecords: boolean;
  send(t: Trial, odd: OddRequest): Promise<Answer>;
  /** Replaces the watched card. */
  renewCard(t: Trial): Promise<void>;
  /** The values that a refusal must not change. */
  snapshot(t: Trial): Promise<unknown>;
}

/** Sends the control, a correct request, and returns the operation as a target. */
export async function fuzzTarget(t: Trial, operationId: string): Promise<FuzzTarget> {
  let watched = await makeWatchedCard(t);
  const { parts = () => ({}), control } = fuzzedOperations[operationId] ?? {};
  const operation = operations.find(({ id }) => id === operationId) as Operation;
  const method = operation.method as BaseRequest['method'];
  const path = operation.prefix.replace(/\/$/, '');
  const name = `${method} ${path}`;
  // The name of the field with the ID is open.
  const idField = operationId === 'addAdjustmentByGiftCardId' ? await cardIdField(t) : 'giftCardId';
  const baseRequest = (trial: Trial): BaseRequest => ({
    method,
    path,
    ownValue: freshValue(trial),
    ...parts(trial, watched, idField),
  });
  const sendBase = async () => expectSuccess(await t.send(name, requestFrom(baseRequest(t))), 'it');
  const send = sends[operationId];
  if (control !== 'watched card') await t.control(`${name} with nothing odd`, control ? () => control(t) : sendBase);
  return {
    name,
    input: {
      method,
      hasSegment: operation.parameter !== undefined,
      query: operation.query,
      body: bodyNames(operationId).map((each) => (each === 'giftCardId' ? idField : each)),
    },
    limits: limitsOf(t, operationId, method === 'DELETE'),
    createsRecords: send !== undefined,
    send: send ?? ((trial, odd) => trial.sendOfMany(odd.apply(baseRequest(trial)))),
    async renewCard(trial) {
      watched = await card(trial, { balance: 1 });
    },
    snapshot: async (trial) => [
      ...(await cardSnapshot(trial, watched)),
      operationId === 'createWebhook' ? await webhookRecords(trial) : undefined,
    ],
  };
}

/** The names of the properties of the operation's body. */
function bodyNames(operationId: string): string[] {
  const operation = operationsOf(standardDocument).find(({ id }) => id === operationId);
  const schema = bodySchemaOf(standardDocument, operation?.node.requestBody);
  return isObject(schema) ? Object.keys(Object(resolve(standardDocument, schema).properties)) : [];
}

/** How to send what creates a record. */
const sends: Readonly<Record<string, FuzzTarget['send']>> = {
  createGiftCard: sendOddCreate,
  createWebhook: sendOddRegistration,
};

/** A request may name any record, create any card, or have any amount only if the account has no real money. */
function limitsOf(t: Trial, operationId: string, deletesRecords: boolean): InputLimits {
  const hasPlayMoney = t.run.profile.playMoney === true;
  const isWebhook = operationId === 'createWebhook';
  const allowsUnmarked = !(operationId in sends) || (hasPlayMoney && !isWebhook);
  if (isWebhook) t.doesNotCheck('bodies without a value of this run');
  else if (!allowsUnmarked) t.doesNotCheck('bodies without a value of this run, and large amounts (playMoney in the profile)');
  return { allowsLargeAmounts: hasPlayMoney, allowsAnyRecord: hasPlayMoney || !deletesRecords, allowsUnmarked };
}

/** The control of all odd input: the target accepts correct requests about this card. */
function makeWatchedCard(t: Trial): Promise<Card> {
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

const freshValue = (t: Trial) => t.run.ledger.fresh('GCSNONE');
const unknownRecord = (t: Trial) => ({ segment: freshValue(t) });
const byCardCode = { parts: (_: Trial, { code }: Card) => ({ segment: encodeURIComponent(code) }) };
const byCardId = { parts: (_: Trial, { id }: Card) => ({ segment: encodeURIComponent(id) }) };

const adjustment = (t: Trial) => ({
  adjustmentAmount: 0.01,
  notes: 'odd input',
  actionedAtUtc: new Date().toISOString(),
  uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
});

interface FuzzedOperation {
  /** Parts of the request that the odd requests are made from. It does no harm if the target accepts it. */
  readonly parts?: (t: Trial, on: Card, idField: string) => Partial<Pick<BaseRequest, 'segment' | 'query' | 'body'>>;
  /**
   * Sends a correct request in place of this one, about a record of this run. `watched card`: the run has created and adjusted it. The two searches may
   * answer anything if they find nothing.
   */
  readonly control?: ((t: Trial) => Promise<void>) | 'watched card';
}

const fuzzedOperations: Readonly<Record<string, FuzzedOperation>> = {
  createGiftCard: { control: 'watched card' },
  getGiftCardByCode: byCardCode,
  getGiftCardById: byCardId,
  getGiftCardsByEmail: { parts: () => ({ query: { emailAddress: 'unknown@example.com' } }), control: 'watched card' },
  getGiftCardByAccountPlatformIdAndSourceId: {
    parts: (t) => ({ query: { accountPlatformId: freshValue(t), sourceId: freshValue(t) } }),
    control: 'watched card',
  },
  listGiftCards: { parts: () => ({ query: { pageSize: '1' } }) },
  listAdjustmentsByGiftCardCode: byCardCode,
  listAdjustmentsByGiftCardId: byCardId,
  addAdjustmentByGiftCardCode: {
    parts: (t, { code }) => ({ body: { giftCardCode: code, ...adjustment(t) } }),
    control: 'watched card',
  },
  addAdjustmentByGiftCardId: {
    parts: (t, { id }, idField) => ({ body: { [idField]: id, ...adjustment(t) } }),
    control: 'watched card',
  },
  voidGiftCardByCode: {
    parts: unknownRecord,
    control: async (t) => expectSuccess(await voidByCode(t, (await card(t)).code), 'it'),
  },
  voidGiftCardById: {
    parts: unknownRecord,
    control: async (t) => expectSuccess(await voidById(t, (await card(t)).id), 'it'),
  },
  createWebhook: { control: tryRegistration },
  deleteWebhook: { parts: unknownRecord, control: tryRegistration },
  createAutomationTriggerEvent: {
    parts: (t) => ({ body: { event_name: freshValue(t), recipient_email: 'recipient@example.com', properties: { a: 'b' } } }),
    control: async (t) => expectSuccess(await idleEvent(t, 'with nothing odd'), 'it'),
  },
};
