import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';

const CREATE = '/api/GiftCard/Create';

describe('voiding', () => {
  test.each([
    ['gift-card.void.by-code-voids', (card: { code: string }) => `VoidByCode/${card.code}`],
    ['gift-card.void.by-id-voids', (card: { id: string }) => `VoidById/${card.id}`],
  ])('%s, gift-card.void.zeroes-balance, gift-card.void.still-found: the card is found, with a balance of zero', (_, path) => {
    const { send, create } = sandboxOf();
    const card = create({ code: 'VOID-ME' });
    const { status, body } = send('DELETE', `/api/GiftCard/${path(card)}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...card, status: 'Voided', balance: 0 });
    expect(send('GET', '/api/GiftCard/GetByCode/VOID-ME').body).toEqual(body);
    expect(send('GET', `/api/GiftCard/GetById/${card.id}`).body).toEqual(body);
  });

  test.each([
    ['Active', { initialValue: 5 }],
    ['Redeemed', { initialValue: 5, adjustments: [{ amount: -5 }] }],
    ['Redeemed below zero', { initialValue: 5, adjustments: [{ amount: -7 }] }],
    ['Expired', { initialValue: 5, status: 'Expired' as const }],
    ['Scheduled', { initialValue: 5, status: 'Scheduled' as const }],
    ['voucher', { initialValue: 5, kind: 'voucher' as const }],
    ['store credit', { initialValue: 5, kind: 'store-credit' as const }],
  ])('gift-card.void.any-state: %s', (_, card) => {
    const { send } = sandboxOf([{ cards: [{ code: 'ANY-1', ...card }] }]);
    expect(send('DELETE', '/api/GiftCard/VoidByCode/ANY-1').body).toMatchObject({ status: 'Voided', balance: 0 });
  });

  test.each([
    ['gift-card.void.unknown-code-is-404', 'VoidByCode/NONE-1'],
    ['gift-card.void.unknown-id-is-404', 'VoidById/00000000-0000-4000-8000-000000000000'],
    ['gift-card.void.unknown-id-is-404', 'VoidById/no-id-at-all'],
  ])('%s: %s', (_, path) => {
    const { send, create } = sandboxOf();
    create();
    expect(send('DELETE', `/api/GiftCard/${path}`)).toMatchObject({ status: 404, mediaType: 'text/plain' });
  });

  test('gift-card.void.again: the same response, and nothing changes', () => {
    const { send, create, at } = sandboxOf();
    const { code, id } = create();
    const { body } = send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    at(NOON + 1000);
    expect(send('DELETE', `/api/GiftCard/VoidByCode/${code}`)).toEqual({ status: 200, mediaType: 'application/json', body });
    expect(send('DELETE', `/api/GiftCard/VoidById/${id}`).body).toEqual(body);
  });

  test('gift-card.void.zeroes-balance: also of a voided card that has a balance again', () => {
    const behaviors = { 'adjustment.voided-card': 'accepted' } as const;
    const { send, create, adjust } = sandboxOf(undefined, { behaviors });
    const { code } = create();
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    expect(adjust(code, 5).status).toBe(200);
    expect(send('DELETE', `/api/GiftCard/VoidByCode/${code}`).body).toMatchObject({ status: 'Voided', balance: 0 });
  });

  test('gift-card.void.is-final: no request changes the status', () => {
    const { account, send, create, adjust, at } = sandboxOf();
    const { code, id } = create({ expiresAtUtc: '2026-01-16T00:00:00Z', uniqueId: 'order-1' });
    const { body } = send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    expect(adjust(code, 5).status).toBe(400);
    const byId = { giftCardId: id, adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'one' };
    expect(send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', byId).status).toBe(400);
    expect(send('POST', CREATE, { balance: 1, code }).status).toBe(400);
    expect(send('POST', CREATE, { balance: 1, uniqueId: 'order-1' }).status).toBe(400);
    at(NOON + 10 * 86_400_000);
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toEqual(body);
    expect(account.state.adjustmentsOf(id)).toEqual([]);
  });

  test('a deleted card can only be voided by its ID', () => {
    const { account, send } = sandboxOf([{ cards: [{ code: 'GONE-1', initialValue: 5, deleted: true }] }]);
    expect(send('DELETE', '/api/GiftCard/VoidByCode/GONE-1').status).toBe(404);
    const id = account.state.cardByCode('GONE-1')?.id;
    expect(send('DELETE', `/api/GiftCard/VoidById/${id}`).body.status).toBe('Voided');
    expect(send('GET', '/api/GiftCard/List').body.totalCount).toBe(0);
  });

  test('is not in the adjustment history', () => {
    const { send, create } = sandboxOf();
    const { code } = create();
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    expect(send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`).body.adjustments).toEqual([]);
  });
});
