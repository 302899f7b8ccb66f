import type { Ask } from '../client.ts';
import type { Trial } from '../trial.ts';

/** One request for each endpoint whose path is given and that makes nothing, valid but for the key, and harmless should it be let in. */
export function everyEndpoint(t: Trial, code: string, id: string | number): Ask[] {
  const { ledger } = t.run;
  const adjustment = () => ({
    adjustmentAmount: 0.25,
    actionedAtUtc: new Date().toISOString(),
    uniqueAdjustmentId: ledger.fresh('GCS-A'),
  });
  const cardPath = (path: string, value: string | number) => `/api/${path}/${encodeURIComponent(value)}`;
  const get = (path: string, query?: Ask['query']): Ask => ({ method: 'GET', path, ...(query ? { query } : {}) });
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body });
  return [
    get('/api/GiftCard/List', { pageSize: 1 }),
    get(cardPath('GiftCard/GetByCode', code)),
    get(cardPath('GiftCard/GetById', id)),
    get('/api/GiftCard/GetByEmail', { emailAddress: 'recipient@example.com' }),
    get('/api/GiftCard/GetByAccountPlatformIdAndSourceId', { accountPlatformId: 'none', sourceId: 'none' }),
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardCode', code)),
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardId', id)),
    get('/api/Company/Profile'),
    get('/api/Webhook/List'),
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: code, ...adjustment() }),
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { giftCardId: id, ...adjustment() }),
    { method: 'DELETE', path: cardPath('GiftCard/VoidByCode', ledger.fresh('GCSNONE')) },
    { method: 'DELETE', path: cardPath('GiftCard/VoidById', crypto.randomUUID()) },
    { method: 'DELETE', path: cardPath('Webhook/Delete', crypto.randomUUID()) },
    post('/api/AutomationTriggerEvents', {
      event_name: ledger.fresh('gcs-none-'),
      recipient_email: 'recipient@example.com',
      properties: {},
    }),
  ];
}
