import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { addCard, getCard, listCards } from './cards.ts';
import { listChannels } from './channels.ts';
import { controlledCard } from './resources.ts';

const DAY = 86_400_000;
const ada = { recipientEmailAddress: 'ada@example.com' };

function shop() {
  const webhooks = [{ url: 'http://127.0.0.1:1/' }];
  return sandboxOf([{ webhooks, channels: [{ id: 'store' }], automations: [{ name: 'Thanks' }], cards: [{ code: 'OLD-1' }] }]);
}

describe('a card in any state', () => {
  test.each<[string, object, object, object]>([
    ['plain', { balance: 20 }, { balance: 20, status: 'Active' }, { kind: 'gift-card', issuedThrough: 'merchant' }],
    ['a voucher', { kind: 'voucher' }, { balance: 25 }, { kind: 'voucher' }],
    ['expired', { status: 'Expired' }, { status: 'Expired', expiresAtUtc: '2026-01-14T12:00:00.000Z' }, {}],
    ['voided', { status: 'Voided' }, { status: 'Voided', balance: 0 }, {}],
    ['scheduled', { status: 'Scheduled' }, { status: 'Scheduled' }, {}],
    ['spent', { adjustments: [{ amount: -25 }] }, { status: 'Redeemed', initialValue: 25 }, { totalIssued: 25 }],
    ['deleted', { deleted: true }, { status: 'Active' }, { deletedAtUtc: '2026-01-15T12:00:00.000Z' }],
    ['of an automation', { automation: 'Thanks' }, {}, { issuedThrough: 'automation', automationId: expect.any(String) }],
    [
      'adrift',
      { inChannels: { store: { balance: 1 } } },
      { balance: 25 },
      { inChannels: { store: { balance: 1, drifted: true } } },
    ],
  ])('%s', async (_, description, shown, view) => {
    const { account, send, sandbox } = shop();
    const { id } = addCard({ account, body: { code: 'NEW-1', ...description } }) as { id: string };
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toMatchObject({ code: 'NEW-1', ...shown });
    await account.effects.settled();
    expect(getCard({ account, card: controlledCard(account, 'NEW-1') })).toMatchObject({ giftCard: { id }, ...view });
    expect([account.effects.outbox.all(), account.effects.deliveries.all(), sandbox.defects]).toEqual([[], [], []]);
  });

  test('nothing of it is due, however much of its description has passed', async () => {
    const { account } = shop();
    const gift = {
      sendAsGift: true,
      shouldSendNotification: true,
      recipientName: 'Rita',
      buyerName: 'Ben',
      giftScheduledInDays: -3,
    };
    addCard({ account, body: { ...ada, ...gift, code: 'NEW-1' } });
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
  });

  test('what lies ahead of it comes', () => {
    const { account, at, send } = shop();
    addCard({ account, body: { code: 'NEW-1', expiresInDays: 3 } });
    at(NOON + 3 * DAY);
    expect(send('GET', '/api/GiftCard/GetByCode/NEW-1').body.status).toBe('Expired');
  });

  test('delivery.updated.on-issue: a new card with shouldSendNotification causes an email and deliveries', async () => {
    const { account } = shop();
    addCard({ account, body: { ...ada, shouldSendNotification: true } });
    await account.effects.settled();
    expect(account.effects.outbox.all()).toMatchObject([{ kind: 'gift-card', to: 'ada@example.com' }]);
    expect(account.effects.deliveries.all()).toMatchObject([{ topic: 'giftcard/updated' }]);
  });

  test('list.last-updated-first: a card whose last update is in the past comes after cards that were updated later', () => {
    const { account, send, adjust, create, at } = shop();
    const { code } = create();
    at(NOON + 2 * DAY);
    adjust('OLD-1', 1);
    addCard({ account, body: { code: 'EXPIRED', status: 'Expired' } });
    addCard({ account, body: { code: 'CREATED', createdDaysAgo: 3 } });
    addCard({ account, body: { code: 'DELETED', updatedDaysAgo: 0.5, deleted: true } });
    addCard({ account, body: { code: 'NEW-1' } });
    const { giftCards } = send('GET', '/api/GiftCard/List').body;
    const codes = giftCards.map((card: { code: string }) => card.code);
    expect(codes).toEqual(['NEW-1', 'OLD-1', 'EXPIRED', code, 'CREATED']);
  });

  test('it is in every channel, and can be used through the API', () => {
    const { account, adjust } = shop();
    addCard({ account, body: { code: 'NEW-1', balance: 20 } });
    expect(listChannels({ account })[0]?.cards).toMatchObject([{ code: 'OLD-1' }, { code: 'NEW-1', balance: 20 }]);
    expect(adjust('NEW-1', -20).status).toBe(200);
  });
});

test.each<[string, object, RegExp]>([
  ['a code in use, in other letters', { code: 'old-1' }, /code old-1;/],
  ['a unique ID in use', { uniqueId: 'used' }, /uniqueId used;/],
  ['a unique adjustment ID in use', { adjustments: [{ amount: 1, uniqueAdjustmentId: 'used' }] }, /uniqueAdjustmentId used;/],
  ['an ID in use', { id: 'ID' }, /uses the id /],
  ['a source ID in use', { inChannels: { store: { sourceId: 'SOURCE' } } }, /uses the sourceId /],
  ['an unknown channel', { inChannels: { till: {} } }, /channel "till"/],
  ['an unknown automation', { automation: 'Thank' }, /^The body: automation .*"Thank".* Thanks/],
  ['a contradiction', { status: 'Voided', balance: 5 }, /^The body: balance .*void.* 5;/],
  ['a misspelt property', { balanse: 5 }, /^The body: .*"balanse".*"balance"/],
])('%s is refused with a sentence, and changes nothing', (_, description, sentence) => {
  const { account, create, adjust } = shop();
  const { code } = create({ uniqueId: 'used' });
  adjust(code, 1, { uniqueAdjustmentId: 'used' });
  const old = controlledCard(account, 'OLD-1');
  const text = JSON.stringify(description).replace('"ID"', JSON.stringify(old.id));
  const source = account.state.listing('store', old.id)?.sourceId ?? '';
  expect(() => addCard({ account, body: JSON.parse(text.replace('SOURCE', source)) })).toThrow(sentence);
  expect(account.state.count(true)).toBe(2);
});

test('gift-card.create.code-characters: a code with invisible characters is refused here as well', () => {
  const { account } = shop();
  for (const code of ['\u0000', 'A\u200bB'])
    expect(() => addCard({ account, body: { code } })).toThrow(/^The body: code .*visible/);
});

describe('the list of cards', () => {
  function list(query: Parameters<typeof listCards>[0]['query'] = {}) {
    return listCards({ account: market(), query });
  }

  function market() {
    const { account, at } = sandboxOf();
    const add = (code: string, description: object = {}) => addCard({ account, body: { code, ...description } });
    add('FIRST', ada);
    add('SPENT', { adjustments: [{ amount: -25 }] });
    add('SNACK', { kind: 'voucher', recipientName: 'Ada L.' });
    add('GONE', { deleted: true });
    at(NOON + 1000);
    add('LAST', { status: 'Voided' });
    return account;
  }

  const codes = ({ cards }: Awaited<ReturnType<typeof list>>) => cards.map(({ code }) => code);

  test('has all cards, last updated first, with the number of each status', async () => {
    const found = await list();
    expect(codes(found)[0]).toBe('LAST');
    expect(codes(found).sort()).toEqual(['FIRST', 'GONE', 'LAST', 'SNACK', 'SPENT']);
    expect(found).toMatchObject({
      total: 5,
      counts: { Active: 2, Scheduled: 0, Redeemed: 1, Expired: 0, Voided: 1, Deleted: 1 },
    });
    expect(found.cards.find(({ code }) => code === 'SPENT')).toEqual({
      id: expect.any(String),
      code: 'SPENT',
      kind: 'gift-card',
      status: 'Redeemed',
      balance: 0,
      initialValue: 25,
      currency: 'USD',
      recipientName: null,
      recipientEmailAddress: null,
      createdAtUtc: '2026-01-15T12:00:00.000Z',
      updatedAtUtc: '2026-01-15T12:00:00.000Z',
      deletedAtUtc: null,
    });
  });

  test.each<[string, NonNullable<Parameters<typeof list>[0]>, string[]]>([
    ['a part of an address', { search: 'ADA@' }, ['FIRST']],
    ['a name, with spaces around it', { search: ' ada l' }, ['SNACK']],
    ['a part of a code', { search: 'as' }, ['LAST']],
    ['a status', { status: 'Active' }, ['FIRST', 'SNACK']],
    ['the status of a card before its deletion', { search: 'GONE', status: 'Active' }, []],
    ['Deleted', { status: 'Deleted' }, ['GONE']],
    ['a kind', { kind: 'voucher' }, ['SNACK']],
    ['no card', { search: 'nothing' }, []],
  ])('finds cards by %s', async (_, query, expected) => {
    const found = await list(query);
    expect(codes(found).sort()).toEqual(expected);
    expect(found.total).toBe(expected.length);
  });

  test('a status leaves the counts unchanged, and a page has its part of the whole', async () => {
    const all = codes(await list());
    expect(await list({ status: 'Voided' })).toMatchObject({ total: 1, counts: { Active: 2, Voided: 1 } });
    const page = await list({ skip: 1, limit: 2 });
    expect([codes(page), page.total]).toEqual([all.slice(1, 3), 5]);
  });

  test('finds a card by its ID', async () => {
    const account = market();
    const { id } = controlledCard(account, 'SNACK');
    expect(codes(await listCards({ account, query: { search: id } }))).toEqual(['SNACK']);
  });
});
