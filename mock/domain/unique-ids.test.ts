import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';

const CREATE = '/api/GiftCard/Create';

describe('unique IDs', () => {
  test(`idempotency.create.refuses-repeat, idempotency.create.original-unchanged: the first card is unchanged, even if the repeat has other values`, () => {
    const { send, create } = sandboxOf();
    const first = create({ uniqueId: 'order-1', code: 'FIRST-1' });
    for (const repeat of [{ balance: 25 }, { balance: 1, code: 'SECOND-1' }, { balance: 25, code: 'FIRST-1' }]) {
      const { status, mediaType, body } = send('POST', CREATE, { ...repeat, uniqueId: 'order-1' });
      expect([status, mediaType]).toEqual([400, 'text/plain']);
      expect(body).toContain('already been created for the unique ID order-1');
    }
    expect(send('GET', '/api/GiftCard/List').body).toEqual({ giftCards: [first], totalCount: 1 });
    expect(send('GET', '/api/GiftCard/GetByCode/FIRST-1').body).toEqual(first);
  });

  test('idempotency.create.unique-id-optional, idempotency.create.checked-per-account: cards without one are not repeats, and another account can use the same', () => {
    const { sandbox, send, create } = sandboxOf([{}, { id: 'two' }]);
    create();
    create({ uniqueId: null });
    create({ uniqueId: 'order-1' });
    const key = sandbox.accounts.get('two')?.keys[0]?.key as string;
    expect(send('POST', CREATE, { balance: 7, uniqueId: 'order-1' }, key).status).toBe(200);
    expect(send('GET', '/api/GiftCard/List').body.totalCount).toBe(3);
  });

  test('are exact, stay used after a void, and are independent of those of adjustments', () => {
    const { send, create, adjust, at } = sandboxOf();
    const { code } = create({ uniqueId: 'Order-1' });
    create({ uniqueId: 'order-1' });
    create({ uniqueId: ' Order-1' });
    expect(adjust(code, 1, { uniqueAdjustmentId: 'Order-1' }).status).toBe(200);
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    at(NOON + 1000 * 86_400_000);
    expect(send('POST', CREATE, { balance: 1, uniqueId: 'Order-1' }).status).toBe(400);
  });

  test('are not used up by a refused request', () => {
    const { send, create } = sandboxOf();
    create({ code: 'TAKEN-1' });
    expect(send('POST', CREATE, { balance: 1, code: 'TAKEN-1', uniqueId: 'order-1' }).status).toBe(400);
    expect(create({ uniqueId: 'order-1' }).uniqueId).toBe('order-1');
  });
});
