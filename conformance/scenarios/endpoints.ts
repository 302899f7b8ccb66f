import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { shortList } from '../safety/card-search.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { isRecord, type LedgerEntry } from '../safety/entries.ts';
import { adjustmentBody, adjustmentTime, cardIdField } from './adjustments.ts';
import { createBody, type TestCard } from './cards.ts';
import { channelLookup, channelPath } from './channels.ts';
import { orUndefined } from './controls.ts';
import { noteIdleEvent, recipient } from './events.ts';

/** A request to an endpoint with a known path. */
export type EndpointRequest = TargetRequest & {
  /** A status with which the target may reject even a request with a valid key: 400 if the run had to guess a name in the request, 404 if the record does not exist. */
  readonly otherwise?: 400 | 404;
  /** Records in the ledger what the request may create. Must be called before the request is sent. */
  readonly open?: (key?: string) => LedgerEntry;
};

/** Returns one request to each endpoint with a known path. Even if the target accepts all requests, one card is created, the given card is topped up, and nothing is voided or deleted. */
export async function everyEndpoint(t: Trial, { code, id }: Pick<TestCard, 'code' | 'id'>): Promise<EndpointRequest[]> {
  const field = await orUndefined(cardIdField(t));
  const channel = t.isLimited ? undefined : await orUndefined(channelLookup(t));
  const { ledger } = t.run;
  const actionedAtUtc = await adjustmentTime(t);
  const adjustment = (named: object) => adjustmentBody(t, named, 0.25, actionedAtUtc);
  const cardPath = (path: string, value: string | number) => `/api/${path}/${encodeURIComponent(value)}`;
  const get = (path: string, query?: TargetRequest['query']): TargetRequest => ({
    method: 'GET',
    path,
    ...(query ? { query } : {}),
  });
  const post = (path: string, body: unknown): TargetRequest => ({ method: 'POST', path: `/api/${path}`, body });
  const remove = (path: string, value: string | number) =>
    ({ method: 'DELETE', path: cardPath(path, value), otherwise: 404 }) as const;
  const to = recipient(t);
  const unmatched = { event_name: ledger.fresh('gcs-none-'), recipient_email: to, properties: {} };
  const newCode = ledger.fresh();
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
    post('GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment({ giftCardCode: code })),
    {
      ...post('GiftCardAdjustment/AddAdjustmentByGiftCardId', adjustment({ [field ?? 'giftCardId']: id })),
      ...(field === undefined ? { otherwise: 400 } : {}),
    },
    remove('GiftCard/VoidByCode', ledger.fresh('GCSNONE')),
    remove('GiftCard/VoidById', unknownIdLike(id)),
    remove('Webhook/Delete', unknownIdLike(id)),
    { ...post('AutomationTriggerEvents', unmatched), optional: true, open: (key) => ledger.openIssued(to, key) },
    { ...post('GiftCard/Create', createBody(t, { code: newCode })), open: (key) => ledger.open(newCode, key) },
  ];
}

/** Sends a request of `everyEndpoint`. Records in the ledger what the request may create. */
export async function sendRecorded(t: Trial, what: string, request: EndpointRequest): Promise<TargetResponse> {
  const { open, otherwise: _, ...sent } = request;
  if (!open) return t.send(what, sent);
  const entry = open(sent.key ?? undefined);
  const response = await t.send(what, { ...sent, entry });
  if (!isRecord(entry) && entry.recipient !== undefined) noteIdleEvent(t, entry, response);
  else t.run.ledger.recordResponse(entry, response);
  return response;
}
