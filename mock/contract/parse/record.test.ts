import { describe, expect, test } from 'vitest';
import { sandboxOf } from '../../testing/fixture.ts';

describe('http.order.request-or-record', () => {
  const record = { 'http.order.request-or-record': 'record' } as const;

  test('the card is looked for under the name that the account has for it', () => {
    const { ask, create } = sandboxOf([{}], { behaviors: { ...record, 'adjustment.by-id.field': 'id' } });
    const { id } = create();
    const adjust = (body: unknown) => ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', body).status;
    expect([
      adjust({ id: 'none' }),
      adjust({ id }),
      adjust({}),
      adjust('{'),
      adjust('[]'),
      adjust('null'),
      adjust({ id: 5 }),
    ]).toEqual([404, 400, 400, 400, 400, 400, 400]);
  });

  test('what is read leniently is looked for as it is read', () => {
    const { ask } = sandboxOf([{}], { behaviors: { ...record, 'http.property-letter-case': 'ignored' } });
    const adjust = (body: unknown) => ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', body).status;
    expect([adjust({ GiftCardCode: 'NONE' }), adjust({ notes: 'NONE' })]).toEqual([404, 400]);
  });

  test('an operation on no card misses none, whatever its body names', () => {
    const { ask, sandbox } = sandboxOf([{}], { behaviors: record });
    const named = { giftCardId: 'none', giftCardCode: 'NONE' };
    const statuses = [
      ask('POST', '/api/GiftCard/Create', { balance: 'x', ...named }),
      ask('POST', '/api/Webhook/Create', { url: 5, ...named }),
      ask('POST', '/api/WebStoreCoupon/Create', named),
      ask('GET', '/api/GiftCard/List?pageSize=none', named),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400]);
    expect(sandbox.defects).toEqual([]);
  });

  test('a request that is no good for its headers is about the card of its path', () => {
    const { sandbox, account, create } = sandboxOf([{}], { behaviors: { ...record, 'http.version-headers': 'refused' } });
    const headers = { 'x-api-key': account.keys[0]?.key, 'api-version': '2' };
    const voided = (code: string, body?: Buffer) =>
      sandbox.handle({ method: 'DELETE', target: `/api/GiftCard/VoidByCode/${code}`, headers, body }).answer.status;
    expect([voided('NONE', Buffer.from('{}')), voided('NONE', Buffer.from('{'))]).toEqual([404, 404]);
    expect([voided('NONE'), voided(create().code)]).toEqual([404, 400]);
  });
});
