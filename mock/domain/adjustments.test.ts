import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CardRecord } from '../state/records.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';

const ADD = '/api/GiftCardAdjustment/AddAdjustmentByGiftCard';
const AT = '2026-01-15T11:00:00Z';

interface Card {
  readonly code: string;
  readonly id: string;
}

/** Both endpoints, with the property that names the card. */
type Way = readonly [name: string, naming: (card: Card) => object];
const ways: readonly [Way, Way] = [
  ['Code', ({ code }: Card) => ({ giftCardCode: code })],
  ['Id', ({ id }: Card) => ({ giftCardId: id })],
];

let made = 0;

/** A sandbox with functions that adjust a card through either endpoint, and read the card. */
function purse(accounts?: Parameters<typeof sandboxOf>[0]) {
  const fixture = sandboxOf(accounts);
  const cardWith = (code: string): Card => ({ code, id: fixture.account.state.cardByCode(code)?.id as string });
  const add = (way: Way, card: Card, adjustmentAmount: unknown, fields: object = {}, key?: string) =>
    fixture.send(
      'POST',
      `${ADD}${way[0]}`,
      { ...way[1](card), adjustmentAmount, actionedAtUtc: AT, uniqueAdjustmentId: `made-${++made}`, ...fields },
      key,
    );
  const history = (card: Card) => fixture.send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${card.id}`).body;
  return { ...fixture, cardWith, add, history };
}

describe.each(ways)('by %s', (...way) => {
  test(`adjustment.returns-true, adjustment.returns-200, adjustment.positive-tops-up, adjustment.negative-redeems,
    adjustment.is-relative, adjustment.recorded-in-history: the amount is added`, () => {
    const { create, add, history } = purse();
    const card = create({ balance: 25 });
    expect(add(way, card, 10)).toEqual({ status: 200, mediaType: 'application/json', body: true });
    expect(add(way, card, -5.5).body).toBe(true);
    const { giftCard, adjustments } = history(card);
    expect(giftCard).toMatchObject({ balance: 29.5, status: 'Active', initialValue: 25 });
    expect(adjustments).toMatchObject([
      { amount: -5.5, type: 'Redemption' },
      { amount: 10, type: 'TopUp' },
    ]);
  });

  test('adjustment.keeps-actioned-at, adjustment.keeps-notes, adjustment.notes-are-optional: as they were sent', () => {
    const { create, add, history } = purse();
    const card = create();
    add(way, card, 1, { actionedAtUtc: '2019-05-06T07:08:09+02:00', notes: ' Order 7 ' });
    add(way, card, 1, { actionedAtUtc: '2031-01-01T00:00:00' });
    add(way, card, 1, { actionedAtUtc: '0099-01-01T00:00:00Z', notes: null });
    expect(history(card).adjustments).toMatchObject([
      { actionedAtUtc: '0099-01-01T00:00:00.000Z', notes: null },
      { actionedAtUtc: '2031-01-01T00:00:00.000Z', notes: null },
      { actionedAtUtc: '2019-05-06T05:08:09.000Z', notes: ' Order 7 ', createdAtUtc: new Date(NOON).toISOString() },
    ]);
  });

  test.each([
    ['adjustment.requires-actioned-at', { actionedAtUtc: undefined }],
    ['adjustment.requires-actioned-at', { actionedAtUtc: null }],
    ['adjustment.requires-unique-id', { uniqueAdjustmentId: undefined }],
    ['adjustment.requires-unique-id', { uniqueAdjustmentId: null }],
    ['adjustment.requires-unique-id', { uniqueAdjustmentId: ' ' }],
  ])('%s, errors.refusal-changes-nothing: refused with %o', (_, fields) => {
    const { create, add, history } = purse();
    const card = create();
    expect(add(way, card, 1, fields)).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(history(card)).toEqual({ giftCard: card, adjustments: [] });
  });

  test.each([
    ['no amount', undefined, {}],
    ['null', null, {}],
    ['zero', 0, {}],
    ['zero from below', -0, {}],
    ['more decimals than the currency has', 0.001, {}],
    ['a text', '5', {}],
    ['too much', 1_000_000_000.01, {}],
    ['too little', -1_000_000_001, {}],
    ['an unreadable time', 5, { actionedAtUtc: 'yesterday' }],
    ['a date without a time', 5, { actionedAtUtc: '2026-01-15' }],
    ['an empty name for the card', 5, { giftCardCode: '', giftCardId: '' }],
    ['a blank name for the card', 5, { giftCardCode: '  ', giftCardId: '  ' }],
    ['notes that are not a text', 5, { notes: 7 }],
  ])('is refused with 400 for %s, and changes nothing', (_, amount, fields) => {
    const { create, add, history } = purse();
    const card = create();
    expect(add(way, card, amount, fields)).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(history(card)).toEqual({ giftCard: card, adjustments: [] });
  });

  test.each([
    ['adjustment.voucher-refused', { kind: 'voucher' as const }],
    ['gift-card.void.is-final', { status: 'Voided' as const }],
    ['an expired card is not adjusted', { status: 'Expired' as const }],
  ])('%s: 400, and nothing changes', (_, kind) => {
    const { send, add, cardWith } = purse([{ cards: [{ code: 'CARD-1', initialValue: 20, ...kind }] }]);
    const card = cardWith('CARD-1');
    const before = send('GET', '/api/GiftCard/GetByCode/CARD-1').body;
    for (const amount of [5, -5, -20]) expect(add(way, card, amount)).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(send('GET', '/api/GiftCard/GetByCode/CARD-1').body).toEqual(before);
  });

  test.each([
    ['a scheduled card, which stays so', { status: 'Scheduled' as const }, 'Scheduled'],
    ['a store credit', { kind: 'store-credit' as const }, 'Active'],
  ])('takes adjustments of %s', (_, kind, status) => {
    const { send, add, cardWith } = purse([{ cards: [{ code: 'CARD-1', initialValue: 20, ...kind }] }]);
    expect(add(way, cardWith('CARD-1'), 5).status).toBe(200);
    expect(send('GET', '/api/GiftCard/GetByCode/CARD-1').body).toMatchObject({ balance: 25, status });
  });

  test('does not find a deleted card', () => {
    const { account, add, cardWith } = purse([{ cards: [{ code: 'GONE-1', initialValue: 20, deleted: true }] }]);
    expect(add(way, cardWith('GONE-1'), 5).status).toBe(404);
    expect(account.state.cardByCode('GONE-1')?.balance).toBe(2000);
  });

  test('adjustment.by-code.unknown-card-is-404, adjustment.by-id.unknown-card-is-404, which does not use up the ID', () => {
    const { create, add } = purse();
    const nobody = { code: 'NONE-1', id: '00000000-0000-4000-8000-000000000000' };
    expect(add(way, nobody, 5, { uniqueAdjustmentId: 'one' })).toMatchObject({ status: 404, mediaType: 'text/plain' });
    expect(add(way, create(), 5, { uniqueAdjustmentId: 'one' }).status).toBe(200);
  });

  test(`idempotency.adjustment.refuses-repeat, idempotency.adjustment.repeat-with-other-content-refused,
    idempotency.adjustment.repeat-on-other-card-refused, idempotency.adjustment.repeat-by-other-endpoint-refused:
    a used unique ID stays used`, () => {
    const { create, add, history } = purse();
    const [card, other] = [create(), create()];
    const used = { uniqueAdjustmentId: 'order-1' };
    expect(add(way, card, -5, used).status).toBe(200);
    const repeats = [
      ...ways.map((each) => add(each, card, -5, used)),
      ...ways.map((each) => add(each, card, 7, { ...used, notes: 'other', actionedAtUtc: '2020-01-01T00:00:00Z' })),
      ...ways.map((each) => add(each, other, -5, used)),
      ...ways.map((each) => add(each, card, -1000, used)),
      ...ways.map((each) => add(each, { code: 'NONE', id: 'none' }, 5, used)),
    ];
    for (const { status, mediaType, body } of repeats) {
      expect([status, mediaType]).toEqual([400, 'text/plain']);
      expect(body).toContain('already been created for the unique ID order-1');
    }
    expect(history(card)).toMatchObject({ giftCard: { balance: 20 }, adjustments: [{ amount: -5 }] });
    expect(history(other).adjustments).toEqual([]);
  });

  test('idempotency.adjustment.checked-per-account: the value is free on another account', () => {
    const { sandbox, create, add, send } = purse([{}, { id: 'two', cards: [{ code: 'TWO-1', initialValue: 10 }] }]);
    const two = sandbox.accounts.get('two');
    const key = two?.keys[0]?.key as string;
    expect(add(way, create(), 5, { uniqueAdjustmentId: 'order-1' }).status).toBe(200);
    const card = { code: 'TWO-1', id: two?.state.cardByCode('TWO-1')?.id as string };
    expect(add(way, card, 5, { uniqueAdjustmentId: 'order-1' }, key).status).toBe(200);
    expect(send('GET', '/api/GiftCard/GetByCode/TWO-1', undefined, key).body.balance).toBe(15);
  });

  test('unique IDs are exact, and a refused request does not use them up', () => {
    const { create, add } = purse();
    const card = create();
    for (const uniqueAdjustmentId of ['Order-1', 'order-1', 'order-1 ', '__proto__']) {
      expect(add(way, card, 0.001, { uniqueAdjustmentId }).status).toBe(400);
      expect(add(way, card, 1, { uniqueAdjustmentId }).status).toBe(200);
    }
  });

  test('a balance that is too large to be exact is refused', () => {
    const { account, create, add, history } = purse();
    const { id, code } = create();
    const full = { ...account.state.card(id), balance: Number.MAX_SAFE_INTEGER - 50 } as CardRecord;
    account.load([{ table: 'cards', put: full }]);
    expect(add(way, { id, code }, 0.51)).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(add(way, { id, code }, 0.5).status).toBe(200);
    expect(history({ id, code }).giftCard.balance).toBe(Number.MAX_SAFE_INTEGER / 100);
  });
});

describe('the balance', () => {
  const [byCode, byId] = ways;

  test('adjustment.by-code.may-go-negative: a redemption by code may exceed it', () => {
    const { create, add, history } = purse();
    const card = create({ balance: 10 });
    expect(add(byCode, card, -10.01).body).toBe(true);
    expect(history(card).giftCard).toMatchObject({ balance: -0.01, status: 'Redeemed' });
    expect(add(byCode, card, -5).body).toBe(true);
    expect(history(card).giftCard.balance).toBe(-5.01);
  });

  test('adjustment.by-id.refuses-overdraw: a cent more than the balance is refused', () => {
    const { create, add, history } = purse();
    const card = create({ balance: 10 });
    expect(add(byId, card, -10.01)).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(history(card)).toEqual({ giftCard: card, adjustments: [] });
  });

  test('adjustment.by-id.takes-whole-balance: a redemption of the balance leaves zero', () => {
    const { create, add, history } = purse();
    const card = create({ balance: 10 });
    expect(add(byId, card, -10).body).toBe(true);
    expect(history(card).giftCard).toMatchObject({ balance: 0, status: 'Redeemed' });
  });

  test('adjustment.by-id.refuses-redemption-below-zero, adjustment.by-id.tops-up-below-zero: only redemptions are checked against it', () => {
    const { create, add, history } = purse();
    const card = create({ balance: 10 });
    add(byCode, card, -12);
    expect(add(byId, card, -0.01).status).toBe(400);
    expect(add(byId, card, 1).body).toBe(true);
    expect(history(card).giftCard).toMatchObject({ balance: -1, status: 'Redeemed' });
    expect(add(byId, card, 1.01).body).toBe(true);
    expect(history(card).giftCard).toMatchObject({ balance: 0.01, status: 'Active' });
  });

  test('gift-card.amounts-exact: ten times 0.10 is 1.00, and a hundred times 10.00', () => {
    const { create, add, history } = purse();
    const card = create({ balance: 0 });
    for (let i = 1; i <= 100; i++) {
      add(ways[i % 2] as Way, card, 0.1);
      if (i === 10) expect(history(card).giftCard.balance).toBe(1);
    }
    expect(history(card).giftCard.balance).toBe(10);
  });

  test('gift-card.amounts-exact: is the initial value and every accepted amount, to the cent', () => {
    const step = fc.record({ way: fc.constantFrom(...ways), cents: fc.integer({ min: -5000, max: 5000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.array(step, { maxLength: 25 }), (initial, steps) => {
        const { create, add, history } = purse();
        const card = create({ balance: initial / 100 });
        let cents = initial;
        const accepted: number[] = [];
        for (const { way, cents: amount } of steps) {
          const { status } = add(way, card, amount / 100);
          const lawful = amount !== 0 && (way[0] === 'Code' || amount > 0 || -amount <= cents);
          expect(status).toBe(lawful ? 200 : 400);
          if (!lawful) continue;
          cents += amount;
          accepted.unshift(amount / 100);
        }
        const { giftCard, adjustments } = history(card);
        expect(giftCard.balance).toBe(cents / 100);
        expect(giftCard.status).toBe(accepted.length > 0 && cents <= 0 ? 'Redeemed' : 'Active');
        expect(adjustments.map(({ amount }: { amount: number }) => amount)).toEqual(accepted);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the history', () => {
  test(`adjustment.history.order, adjustment.history.newest-first: by recording, independent of actionedAtUtc`, () => {
    const { create, add, history, at } = purse();
    const card = create();
    const events = ['2026-01-10T00:00:00Z', '2026-01-12T00:00:00Z', '2026-01-11T00:00:00Z'];
    events.forEach((actionedAtUtc, index) => {
      at(NOON + index * 1000);
      add(ways[0], card, index + 1, { actionedAtUtc });
    });
    expect(history(card).adjustments.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2, 1]);
  });

  test(`adjustment.history.by-code-shows-card-and-entries, adjustment.history.by-id-shows-card-and-entries,
    adjustment.history.entry-shows-amount-type-notes-time: the same either way, whole, without the issue`, () => {
    const { send, create, add, history } = purse();
    const card = create({ balance: 1 });
    for (let i = 0; i < 60; i++) add(ways[0], card, 1, { notes: `number ${i}` });
    const shown = history(card);
    expect(send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${card.code}`).body).toEqual(shown);
    expect(shown.adjustments).toHaveLength(60);
    expect(shown.adjustments[0]).toEqual({
      amount: 1,
      type: 'TopUp',
      notes: 'number 59',
      actionedAtUtc: '2026-01-15T11:00:00.000Z',
      createdAtUtc: '2026-01-15T12:00:00.000Z',
    });
    expect(shown.giftCard).toEqual(send('GET', `/api/GiftCard/GetById/${card.id}`).body);
  });

  test.each([
    ['adjustment.history.unknown-code-is-404', 'Code/NONE-1', 404],
    ['adjustment.history.unknown-id-is-404', 'Id/00000000-0000-4000-8000-000000000000', 404],
    ['a deleted card is not found by its code', 'Code/GONE-1', 404],
    ['a deleted card is found by its ID', 'Id/11111111-1111-4111-8111-111111111111', 200],
  ])('%s: %s', (_, path, status) => {
    const gone = { id: '11111111-1111-4111-8111-111111111111', code: 'GONE-1', initialValue: 5, deleted: true };
    const { send } = purse([{ cards: [gone] }]);
    expect(send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCard${path}`).status).toBe(status);
  });
});
