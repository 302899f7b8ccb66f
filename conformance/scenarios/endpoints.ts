import { shortList } from '../core/card-list.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { adjustmentTime, cardIdField } from './adjustments.ts';
import { channelLookup, channelPath } from './channels.ts';
import { noteIdleEvent, recipient } from './events.ts';

/** A request to an endpoint, and another reason for which the target may reject it: unknown names in it (400), or a missing record (404). */
export type EndpointRequest = Ask & {
  readonly otherwise?: 400 | 404;
  /** The recipient of an event. */
  readonly recipient?: string;
};

/** One request to each endpoint with a known path that creates nothing. They are valid except for the key, and harmless if they are accepted. */
export async function everyEndpoint(t: Trial, code: string, id: string | number): Promise<EndpointRequest[]> {
  const field = await orUndefined(cardIdField(t));
  const channel = await orUndefined(channelLookup(t));
  const { ledger } = t.run;
  const unmatched = recipient(t);
  const adjustment = () => ({
    adjustmentAmount: 0.25,
    actionedAtUtc: adjustmentTime(t),
    uniqueAdjustmentId: ledger.unique('GCS-A'),
  });
  const cardPath = (path: string, value: string | number) => `/api/${path}/${encodeURIComponent(value)}`;
  const get = (path: string, query?: Ask['query']): Ask => ({ method: 'GET', path, ...(query ? { query } : {}) });
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body });
  const remove = (path: string, value: string | number): EndpointRequest => ({
    method: 'DELETE',
    path: cardPath(path, value),
    otherwise: 404,
  });
  const event = { event_name: ledger.fresh('gcs-none-'), recipient_email: unmatched, properties: {} };
  return [
    shortList,
    get(cardPath('GiftCard/GetByCode', code)),
    get(cardPath('GiftCard/GetById', id)),
    get('/api/GiftCard/GetByEmail', { emailAddress: 'recipient@example.com' }),
    channel ? get(channelPath, channel.query) : { ...get(channelPath, { accountPlatformId: 'none' }), otherwise: 400 },
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardCode', code)),
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardId', id)),
    get('/api/Company/Profile'),
    get('/api/Webhook/List'),
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: code, ...adjustment() }),
    {
      ...post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { [field ?? 'giftCardId']: id, ...adjustment() }),
      ...(field === undefined ? { otherwise: 400 } : {}),
    },
    remove('GiftCard/VoidByCode', ledger.fresh('GCSNONE')),
    remove('GiftCard/VoidById', unknownIdLike(id)),
    remove('Webhook/Delete', unknownIdLike(id)),
    { ...post('/api/AutomationTriggerEvents', event), recipient: unmatched },
  ];
}

/** Sends one of them with `send`. The ledger records the recipient of an event before the request, so that cleanup finds the cards if it issues some. */
export async function sendRecorded(t: Trial, request: EndpointRequest, send: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const { recipient: to, otherwise: _, ...ask } = request;
  if (to === undefined) return send(ask);
  const entry = t.run.ledger.openIssued(to);
  const answer = await send({ ...ask, entry });
  noteIdleEvent(t, entry, answer);
  return answer;
}

/** The result, or undefined if it is Untested or Blocked. */
export async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Untested || error instanceof Blocked) return undefined;
    throw error;
  }
}
