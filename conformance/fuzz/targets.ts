import { expectSame, expectSuccess, objectIn } from '../core/expect.ts';
import { type EndpointOperation, serviceOperations } from '../core/operations.ts';
import { mustSucceed, Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { shortList } from '../safety/card-search.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { adjustByCode, adjustmentBody, cardIdField } from '../scenarios/adjustments.ts';
import { createBody, createCard, getByCode, type TestCard, voidByCode, voidById } from '../scenarios/cards.ts';
import { idleEvent } from '../scenarios/events.ts';
import { quietUrl, register, removeAll } from '../scenarios/webhooks.ts';
import { type BaseRequest, type InputLimits, type OddRequest, oddRequests, requestFrom } from './odd-requests.ts';

export interface FuzzTarget {
  /** Method and path, such as "POST /api/GiftCard/Create". */
  readonly name: string;
  readonly requests: readonly OddRequest[];
  send(odd: OddRequest): Promise<TargetResponse>;
  renewCard(): Promise<void>;
  /** Returns the values that a refusal must not change. */
  snapshot(): Promise<unknown>;
}

/** Sends a correct request as the control. Returns the operation as a fuzz target. */
export async function fuzzTarget(t: Trial, operationId: string): Promise<FuzzTarget> {
  let watched = await makeWatchedCard(t);
  const { parts = () => ({}), control, send } = fuzzedOperations[operationId] ?? {};
  const operation = serviceOperations.find(({ id }) => id === operationId) as EndpointOperation;
  const name = `${operation.method} ${operation.prefix.replace(/\/$/, '')}`;
  // The specification does not name the field with the ID.
  const idField = operationId === 'addAdjustmentByGiftCardId' ? await cardIdField(t) : 'giftCardId';
  const baseRequest = (): BaseRequest => ({ ownValue: freshValue(t), ...parts(t, watched, idField) });
  const sendBase = async () => expectSuccess(await t.send(name, requestFrom(operation, baseRequest())), 'the request');
  if (control !== false) await t.control(`${name} with nothing odd`, control ? () => control(t) : sendBase);
  const body = operation.body.map((each) => (each === 'giftCardId' ? idField : each));
  return {
    name,
    requests: oddRequests(operation, body, limitsOf(t, operation, send !== undefined), t.run.seed),
    async send(odd) {
      if (send) return send(t, operation, odd);
      const base = baseRequest();
      return t.sendOfMany(requestFrom(operation, base, odd.parts(base)));
    },
    async renewCard() {
      watched = await createCard(t, { balance: 1 });
    },
    snapshot: async () => [
      ...(await cardSnapshot(t, watched)),
      operationId === 'createWebhook'
        ? await read(t, { method: 'GET', path: '/api/Webhook/List' }, 'listing webhooks')
        : undefined,
    ],
  };
}

/** Returns the limits. Only if the account has play money, requests may delete any record, create any card and have any amount. */
function limitsOf(t: Trial, { id, method }: EndpointOperation, createsRecords: boolean): InputLimits {
  const hasPlayMoney = t.run.profile.playMoney === true;
  const isWebhook = id === 'createWebhook';
  const allowsUnmarked = !createsRecords || (hasPlayMoney && !isWebhook);
  if (isWebhook) t.doesNotCheck('bodies that would create webhooks that cleanup cannot find');
  else if (!allowsUnmarked)
    t.doesNotCheck('large amounts, and bodies that would create cards that cleanup cannot find (needs playMoney)');
  return { allowsLargeAmounts: hasPlayMoney, allowsAnyRecord: hasPlayMoney || method !== 'DELETE', allowsUnmarked };
}

/** Creates the card that is compared before and after odd requests. As the control, sends correct requests about this card. */
function makeWatchedCard(t: Trial): Promise<TestCard> {
  return t.control('a card that is created, adjusted and found', () =>
    t.shared('watched card', async (shared) => {
      const on = await createCard(shared, { balance: 1, notes: 'as created', customField1: 'as created' });
      expectSuccess(await adjustByCode(shared, on, 0.25), 'an adjustment');
      expectSame(objectIn(await getByCode(shared, on.code)).id, on.id, 'ID of the card');
      return on;
    }),
  );
}

const read = async (t: Trial, request: TargetRequest, what: string) => mustSucceed(await t.sendOfMany(request), what).json;

async function cardSnapshot(t: Trial, on: TestCard): Promise<unknown[]> {
  const path = `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${encodeURIComponent(on.code)}`;
  return [await read(t, { method: 'GET', path }, 'the history of the watched card'), await read(t, shortList, 'the list')];
}

const freshValue = (t: Trial) => t.run.ledger.fresh('GCSNONE');
const unknownRecord = (t: Trial) => ({ segment: freshValue(t) });
const byCardCode = { parts: (_: Trial, { code }: TestCard) => ({ segment: encodeURIComponent(code) }) };
const byCardId = { parts: (_: Trial, { id }: TestCard) => ({ segment: encodeURIComponent(id) }) };

const adjustmentOf = (t: Trial, named: object) => ({ body: adjustmentBody(t, named, 0.01, new Date().toISOString()) });

interface FuzzedOperation {
  /** Returns the parts of a correct request. The request does no harm if the target accepts it. */
  readonly parts?: (t: Trial, on: TestCard, idField: string) => Omit<BaseRequest, 'ownValue'>;
  /** Sends a correct request about a record of this run as the control. Default: the request of `parts`. If false, the watched card is the control. */
  readonly control?: ((t: Trial) => Promise<void>) | false;
  /** Sends a request that may create a record. Default: sends the request, without an entry in the ledger. */
  readonly send?: typeof sendOddCreate;
}

const cardVoid = (send: (t: Trial, on: TestCard) => Promise<TargetResponse>): FuzzedOperation => ({
  parts: unknownRecord,
  control: async (t) => expectSuccess(await send(t, await createCard(t)), 'the request'),
});

const fuzzedOperations: Readonly<Record<string, FuzzedOperation>> = {
  createGiftCard: { control: false, send: sendOddCreate },
  getGiftCardByCode: byCardCode,
  getGiftCardById: byCardId,
  getGiftCardsByEmail: { parts: () => ({ query: { emailAddress: 'unknown@example.com' } }), control: false },
  getGiftCardByAccountPlatformIdAndSourceId: {
    parts: (t) => ({ query: { accountPlatformId: freshValue(t), sourceId: freshValue(t) } }),
    control: false,
  },
  listGiftCards: { parts: () => ({ query: { pageSize: '1' } }) },
  listAdjustmentsByGiftCardCode: byCardCode,
  listAdjustmentsByGiftCardId: byCardId,
  addAdjustmentByGiftCardCode: { parts: (t, { code }) => adjustmentOf(t, { giftCardCode: code }), control: false },
  addAdjustmentByGiftCardId: { parts: (t, { id }, idField) => adjustmentOf(t, { [idField]: id }), control: false },
  voidGiftCardByCode: cardVoid((t, { code }) => voidByCode(t, code)),
  voidGiftCardById: cardVoid((t, { id }) => voidById(t, id)),
  createWebhook: { control: tryRegistration, send: sendOddRegistration },
  deleteWebhook: { parts: unknownRecord, control: tryRegistration },
  createAutomationTriggerEvent: {
    parts: (t) => ({ body: { event_name: freshValue(t), recipient_email: 'recipient@example.com', properties: { a: 'b' } } }),
    control: async (t) => expectSuccess(await idleEvent(t, 'with nothing odd'), 'the request'),
  },
};

/** Sends an odd create. Cleanup finds the card by its code. If the code is odd, cleanup finds the card by a mark in a custom field. */
async function sendOddCreate(t: Trial, operation: EndpointOperation, odd: OddRequest): Promise<TargetResponse> {
  const { ledger } = t.run;
  t.throwIfOver();
  const isUncoded = odd.field === 'code' || odd.isUnmarked === true;
  const entry = isUncoded ? ledger.openUncoded() : ledger.open(ledger.fresh(), undefined);
  const body = createBody(t, isUncoded ? { customField1: entry.mark } : { code: entry.code });
  const base = { body, ownValue: ledger.fresh() };
  const response = await t.sendOfMany({ ...requestFrom(operation, base, odd.parts(base)), entry });
  ledger.recordResponse(entry, response);
  const { code } = (response.json ?? {}) as { code?: unknown };
  if (response.status !== 200 || typeof code !== 'string' || code === entry.code) return response;
  if (!isUncoded) ledger.recordResponse(ledger.open(code, undefined), response);
  // If the code does not fit into a path, cleanup finds the card by its id.
  else if (/^[\w-]{4,}$/.test(code)) ledger.setCode(entry, code);
  return response;
}

async function tryRegistration(t: Trial): Promise<void> {
  const url = await quietUrl(t);
  expectSuccess((await register(t, url)).response, 'registering a webhook');
  await removeAll(t, [url]);
}

/** Registers a webhook at an address that no name server knows. Deletes the webhook at once. */
async function sendOddRegistration(t: Trial, operation: EndpointOperation, odd: OddRequest): Promise<TargetResponse> {
  const { ledger } = t.run;
  t.throwIfOver();
  const ownValue = ledger.fresh();
  const url = `https://conformance.invalid/${ownValue}`;
  const description = `odd input ${ownValue}`;
  const base = { body: { url, description }, ownValue };
  // An odd URL may be the URL of another webhook. Cleanup then finds the new webhook by its description.
  const entry = ledger.openWebhook(url, undefined, description);
  const response = await t.sendOfMany({ ...requestFrom(operation, base, odd.parts(base)), entry });
  ledger.recordResponse(entry, response);
  // The steps of the rule do not show these requests, because they follow each odd request.
  if (response.status < 300 || response.status >= 500) await removeAll(new Trial(t.run), [url]);
  return response;
}
