import { shortList } from '../core/card-list.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { unknownIdLike } from '../http/structure.ts';
import { cardIdField, shortlyBefore } from './adjustments.ts';
import { sourceQuery } from './channel-cards.ts';
import { noteIdle, recipient } from './events.ts';

/** A request, and how it is refused besides: for names in it that are open and were not found, or for a record that is not there. */
export type Refusable = Ask & {
  readonly otherwise?: 400 | 404;
  /** Whom an event is for. */
  readonly recipient?: string;
};

/** One request for each endpoint whose path is given and that makes nothing, valid but for the key, and harmless should it be let in. */
export async function everyEndpoint(t: Trial, code: string, id: string | number): Promise<Refusable[]> {
  const field = await orUnknown(cardIdField(t));
  const source = await orUnknown(sourceQuery(t));
  const { platform, source: sourceId } = source?.names ?? { platform: 'accountPlatformId', source: 'sourceId' };
  const { ledger } = t.run;
  const nobody = recipient(t);
  const adjustment = () => ({
    adjustmentAmount: 0.25,
    actionedAtUtc: shortlyBefore(t),
    uniqueAdjustmentId: ledger.unique('GCS-A'),
  });
  const cardPath = (path: string, value: string | number) => `/api/${path}/${encodeURIComponent(value)}`;
  const get = (path: string, query?: Ask['query']): Ask => ({ method: 'GET', path, ...(query ? { query } : {}) });
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body });
  return [
    shortList,
    get(cardPath('GiftCard/GetByCode', code)),
    get(cardPath('GiftCard/GetById', id)),
    get('/api/GiftCard/GetByEmail', { emailAddress: 'recipient@example.com' }),
    {
      ...get('/api/GiftCard/GetByAccountPlatformIdAndSourceId', {
        [platform]: source?.values.platform ?? 'none',
        [sourceId]: 'none',
      }),
      ...(source ? {} : { otherwise: 400 }),
    },
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardCode', code)),
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardId', id)),
    get('/api/Company/Profile'),
    get('/api/Webhook/List'),
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: code, ...adjustment() }),
    {
      ...post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { [field ?? 'giftCardId']: id, ...adjustment() }),
      ...(field === undefined ? { otherwise: 400 } : {}),
    },
    { method: 'DELETE', path: cardPath('GiftCard/VoidByCode', ledger.fresh('GCSNONE')), otherwise: 404 },
    { method: 'DELETE', path: cardPath('GiftCard/VoidById', unknownIdLike(id)), otherwise: 404 },
    { method: 'DELETE', path: cardPath('Webhook/Delete', unknownIdLike(id)), otherwise: 404 },
    {
      ...post('/api/AutomationTriggerEvents', {
        event_name: ledger.fresh('gcs-none-'),
        recipient_email: nobody,
        properties: {},
      }),
      recipient: nobody,
    },
  ];
}

/** Sends one of them, by `send`. What an event may make in spite of all is found by whom it was for. */
export async function sendNoted(t: Trial, refusable: Refusable, send: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const { recipient: whom, otherwise: _, ...ask } = refusable;
  if (whom === undefined) return send(ask);
  const entry = t.run.ledger.openIssued(whom);
  const answer = await send({ ...ask, entry });
  noteIdle(t, entry, answer);
  return answer;
}

/** What is found out, or undefined where it cannot be. */
export async function orUnknown<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Untested || error instanceof Blocked) return undefined;
    throw error;
  }
}
