import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';

const CREATE = '/api/GiftCard/Create';

describe('a new card', () => {
  test('gift-card.create.returns-the-card, gift-card.create.returns-200, gift-card.create.starts-active: the response is the card', () => {
    const { send } = sandboxOf();
    const { status, mediaType, body } = send('POST', CREATE, { balance: 25.5 });
    expect([status, mediaType]).toEqual([200, 'application/json']);
    expect(send('GET', `/api/GiftCard/GetById/${body.id}`).body).toEqual(body);
    expect(body).toMatchObject({ status: 'Active', balance: 25.5 });
  });

  test('gift-card.create.starts-with-given-balance, gift-card.create.initial-value-is-balance: the initial value does not change with the balance', () => {
    const { send, create, adjust } = sandboxOf();
    const { code, balance, initialValue } = create({ balance: 19.99 });
    expect([balance, initialValue]).toEqual([19.99, 19.99]);
    adjust(code, -9.99);
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`).body).toMatchObject({ balance: 10, initialValue: 19.99 });
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`).body).toMatchObject({ balance: 0, initialValue: 19.99 });
  });

  test.each([
    ['USD', 0.01],
    ['JPY', 500],
    ['KWD', 1.234],
  ])(
    'gift-card.create.uses-account-currency, gift-card.amounts-in-account-currency: %s with a balance of %d',
    (currency, balance) => {
      const { send, create, adjust } = sandboxOf([{ currency }]);
      const card = create({ balance });
      expect(card).toMatchObject({ currency, balance });
      expect(adjust(card.code, balance).body).toBe(true);
      const { body } = send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${card.code}`);
      expect(body.giftCard.balance).toBe(balance * 2);
      expect(body.adjustments[0].amount).toBe(balance);
    },
  );

  const everything = {
    recipientName: 'Ada',
    recipientEmailAddress: 'ada@example.com',
    buyerName: 'Bea',
    buyerEmailAddress: 'bea@example.com',
    giftMessage: 'Enjoy, 🎁 and "more"',
    isPromotional: true,
    customField1: ' one ',
    customField2: '',
    customField3: '{"three":3}\u2028',
    disableEmails: true,
    uniqueId: 'order-1',
    expiresAtUtc: '2030-01-02T03:04:05.000Z',
    giftScheduledForUtc: '2026-02-01T00:00:00.000Z',
    code: 'Given 1',
  };
  test(`gift-card.create.stores-recipient, gift-card.create.stores-buyer, gift-card.create.stores-gift-message,
    gift-card.create.marks-promotional, gift-card.create.stores-custom-fields, gift-card.create.keeps-given-code,
    gift-card.create.keeps-given-expiry: what was given is returned, now and later`, () => {
    const { send, create } = sandboxOf([{ defaultExpiryDays: 5 }]);
    expect(create(everything)).toMatchObject(everything);
    expect(send('GET', '/api/GiftCard/GetByCode/Given%201').body).toMatchObject(everything);
  });

  test('gift-card.create.generates-code, gift-card.create.code-follows-account-format: unique codes of the format', () => {
    const { create } = sandboxOf([{ codeFormat: 'GIFT-X#' }]);
    const codes = Array.from({ length: 100 }, () => create().code as string);
    expect(new Set(codes.map((code) => code.toLowerCase())).size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^GIFT-[A-Z2-9]\d$/);
  });

  test('gift-card.create.default-expiry-applies: days of 24 hours from the creation, for null and for a missing value', () => {
    const { create } = sandboxOf([{ defaultExpiryDays: 10, timeZone: 'America/New_York' }]);
    for (const card of [create(), create({ expiresAtUtc: null })]) {
      expect(card.expiresAtUtc).toBe(new Date(NOON + 10 * 86_400_000).toISOString());
    }
  });

  test('gift-card.create.no-default-expiry-never-expires: without an expiry in the request', () => {
    const { send, create, at } = sandboxOf();
    const { id, expiresAtUtc } = create();
    expect(expiresAtUtc).toBeNull();
    at(NOON + 1000 * 365 * 86_400_000);
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body.status).toBe('Active');
  });

  test('gift-card.create.notes-record-origin, gift-card.create.takes-notes, gift-card.create.timeline-records-origin: with the key used', () => {
    const { account, create } = sandboxOf([{ keys: [{ key: 'key-1', description: 'Till 7' }] }]);
    for (const blank of [undefined, null, '', ' '])
      expect(create({ notes: blank }).notes).toBe('Created through the API: Till 7');
    const { id, notes } = create({ notes: 'From order 12' });
    expect(notes).toBe('Created through the API: Till 7\nFrom order 12');
    expect(account.state.timelineOf(id).map(({ text }) => text)).toEqual(['Created through the API: Till 7']);
  });
});

describe('a gifted send', () => {
  const gift = { balance: 5, sendAsGift: true, shouldSendNotification: true, recipientName: 'Ada', buyerName: 'Bea' };
  test.each([
    ['gift-card.create.gifted-needs-recipient-name', 'recipientName', true],
    ['gift-card.create.gifted-needs-buyer-name', 'buyerName', true],
    ['gift-card.create.gifted-names-without-notification', 'recipientName', false],
    ['gift-card.create.gifted-names-without-notification', 'buyerName', false],
  ])('%s: refused without %s, blank or null, notification %s', (_, name, shouldSendNotification) => {
    const { send, create } = sandboxOf();
    for (const missing of [undefined, null, '', ' \t']) {
      const { status, mediaType, body } = send('POST', CREATE, { ...gift, shouldSendNotification, [name]: missing });
      expect([status, mediaType]).toEqual([400, 'text/plain']);
      expect(body).toContain(name);
    }
    expect(send('GET', '/api/GiftCard/List').body.totalCount).toBe(0);
    expect(create({ ...gift, shouldSendNotification }).sendAsGift).toBe(true);
  });

  test('needs no names without sendAsGift', () => {
    expect(sandboxOf().create({ shouldSendNotification: true }).recipientName).toBeNull();
  });
});

describe('codes', () => {
  test('gift-card.create.refuses-taken-code: in any letter case, also of voided and deleted cards', () => {
    const { send, create } = sandboxOf([
      {
        cards: [
          { code: 'VOID-1', status: 'Voided', initialValue: 5 },
          { code: 'GONE-1', deleted: true, initialValue: 5 },
        ],
      },
    ]);
    create({ code: 'Taken-1' });
    for (const code of ['Taken-1', 'TAKEN-1', 'VOID-1', 'void-1', 'GONE-1']) {
      const { status, mediaType, body } = send('POST', CREATE, { balance: 1, code });
      expect([status, mediaType]).toEqual([400, 'text/plain']);
      expect(body).toContain(code);
    }
    expect(send('GET', '/api/GiftCard/List?includeAll=true').body.totalCount).toBe(3);
    expect(send('GET', '/api/GiftCard/GetByCode/Taken-1').body.balance).toBe(25);
  });

  test('gift-card.create.code-free-on-other-account: each account has its own', () => {
    const { sandbox, send, create } = sandboxOf([{}, { id: 'two' }]);
    create({ code: 'BOTH-1' });
    const key = sandbox.accounts.get('two')?.keys[0]?.key as string;
    expect(send('POST', CREATE, { balance: 7, code: 'BOTH-1' }, key).status).toBe(200);
    expect(send('GET', '/api/GiftCard/GetByCode/BOTH-1').body.balance).toBe(25);
    expect(send('GET', '/api/GiftCard/GetByCode/BOTH-1', undefined, key).body.balance).toBe(7);
  });

  test('are generated if they are missing, null or blank', () => {
    const { create } = sandboxOf();
    for (const code of [undefined, null, '', '  ']) expect(create({ code }).code).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/);
  });

  test.each([' outer blanks ', 'ünïcödé-✓', 'a/b?c#d%2F+e', '🎁', '..', '__proto__', 'constructor'])('may be %j', (code) => {
    const { send, create } = sandboxOf();
    expect(create({ code }).code).toBe(code);
    // The dots are escaped, because the URL parser of a client would remove plain dots from a path.
    const escaped = encodeURIComponent(code).replaceAll('.', '%2E');
    expect(send('GET', `/api/GiftCard/GetByCode/${escaped}`).body.code).toBe(code);
  });

  test.each(['new\nline', 'tab\there', 'nul\0', '\ud800 alone', 'del\x7f', 'zero\u200bwidth', 'line\u2028end'])(
    'may not be %j',
    (code) => {
      const { send } = sandboxOf();
      expect(send('POST', CREATE, { balance: 1, code }).status).toBe(400);
      expect(send('GET', '/api/GiftCard/List').body.totalCount).toBe(0);
    },
  );
});

describe('what the request leaves open', () => {
  const accepted: [string, object, object][] = [
    ['balance 0', { balance: 0 }, { balance: 0, status: 'Active' }],
    ['balance -0', { balance: -0 }, { balance: 0 }],
    ['the largest balance', { balance: 1_000_000_000 }, { balance: 1_000_000_000 }],
    ['an expiry in the past', { balance: 1, expiresAtUtc: '2020-01-01T00:00:00Z' }, { status: 'Active' }],
    ['an expiry long before computers', { balance: 1, expiresAtUtc: '0001-01-01T00:00:00Z' }, { status: 'Active' }],
    ['a gift scheduled in the past', { balance: 1, giftScheduledForUtc: '2020-01-01T00:00:00Z' }, { status: 'Active' }],
    ['a notification without address', { balance: 1, shouldSendNotification: true }, { recipientEmailAddress: null }],
    ['an expiry without zone', { balance: 1, expiresAtUtc: '2030-01-01T00:00:00' }, { expiresAtUtc: '2030-01-01T00:00:00.000Z' }],
    [
      'an expiry in a zone',
      { balance: 1, expiresAtUtc: '2030-01-01T01:00:00+02:00' },
      { expiresAtUtc: '2029-12-31T23:00:00.000Z' },
    ],
    ['a blank unique ID', { balance: 1, uniqueId: ' ' }, { uniqueId: null }],
    ['unknown properties', { balance: 1, Balance: 2, status: 'Voided', id: 'x' }, { balance: 1, status: 'Active' }],
  ];
  test.each(accepted)('accepts %s', (_, request, response) => {
    const { status, body } = sandboxOf().send('POST', CREATE, request);
    expect(body).toMatchObject(response);
    expect(status).toBe(200);
  });

  const refused: [string, object | string][] = [
    ['no balance', {}],
    ['balance null', { balance: null }],
    ['a balance below zero', { balance: -0.01 }],
    ['more decimals than the currency has', { balance: 1.005 }],
    ['a balance above the largest', { balance: 1_000_000_000.01 }],
    ['a balance beyond numbers', '{"balance": 1e999}'],
    ['a text for the balance', { balance: '25.00' }],
    ['the property in another letter case', { Balance: 25 }],
    ['a number for a text', { balance: 1, code: 7 }],
    ['a text for a flag', { balance: 1, sendAsGift: 'true' }],
    ['an address that is none', { balance: 1, recipientEmailAddress: 'ada' }],
    ["a buyer's address that is none", { balance: 1, buyerEmailAddress: 'bea@' }],
    ['a date without a time', { balance: 1, expiresAtUtc: '2030-01-01' }],
    ['a date that does not exist', { balance: 1, expiresAtUtc: '2030-02-30T00:00:00Z' }],
    ['a year beyond 9999', { balance: 1, expiresAtUtc: '9999-12-31T23:59:59-01:00' }],
    ['a year before 1', { balance: 1, expiresAtUtc: '0001-01-01T00:00:00+01:00' }],
    ['a date that is none', { balance: 1, giftScheduledForUtc: 'soon' }],
  ];
  test.each(refused)('errors.every-rejection-plain-text: refuses %s', (_, request) => {
    const { send } = sandboxOf();
    const { status, mediaType, body } = send('POST', CREATE, request);
    expect([status, mediaType, typeof body]).toEqual([400, 'text/plain', 'string']);
    expect(send('GET', '/api/GiftCard/List?includeAll=true').body.totalCount).toBe(0);
  });

  test('an expiry in the past falls due after the response', () => {
    const { send, create } = sandboxOf();
    const { id } = create({ expiresAtUtc: '2020-01-01T00:00:00Z' });
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toMatchObject({
      status: 'Expired',
      updatedAtUtc: new Date(NOON).toISOString(),
    });
  });
});

test('gift-card.expiry-and-recipient.fixed-after-create: no adjustment or void changes them', () => {
  const { send, create, adjust } = sandboxOf();
  const fixed = { expiresAtUtc: '2030-01-01T00:00:00.000Z', recipientName: 'Ada', recipientEmailAddress: 'ada@example.com' };
  const other = { expiresAtUtc: '2031-01-01T00:00:00Z', recipientName: 'Eve', recipientEmailAddress: 'eve@example.com' };
  const { code, id } = create(fixed);
  expect(adjust(code, 5, other).status).toBe(200);
  const byId = {
    giftCardId: id,
    adjustmentAmount: 5,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId: 'one',
    ...other,
  };
  expect(send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', byId).status).toBe(200);
  expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toMatchObject({ ...fixed, balance: 35 });
  expect(send('DELETE', `/api/GiftCard/VoidById/${id}`, other).body).toMatchObject(fixed);
});
