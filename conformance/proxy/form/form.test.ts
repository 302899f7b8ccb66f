import { describe, expect, test } from 'vitest';
import { rowsOf, standardDocument } from '../../../openapi/effective/behaviors.ts';
import { Reader } from '../../../openapi/effective/reader.ts';
import { within } from '../../testing/within-fixture.ts';
import { readerBy } from '../reading-facts.ts';

const links = {
  viewBalanceUrl: 'https://a.example/',
  appleWalletUrl: 'https://a.example/',
  googleWalletUrl: 'https://a.example/',
};
const card = { id: 'an-id', code: 'A-CODE', balance: 5, currency: 'EUR', status: 'Active', ...links };

/** What is found in one exchange. */
async function found(
  [method, path, body]: readonly [string, string, unknown?],
  told: unknown,
  { headers = { 'x-api-key': 'a key' } as Record<string, string>, reader = new Reader(standardDocument, []) } = {},
) {
  const text = told === undefined ? '' : JSON.stringify(told);
  const answer = new Response(text, { headers: { 'content-type': 'application/json' } });
  const proxy = within(async () => answer, { reader });
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  await proxy.fetch(new Request(`http://127.0.0.1/api/${path}`, { method, headers, ...sent }));
  return proxy.found;
}
const told = async (...exchange: Parameters<typeof found>) =>
  (await found(...exchange)).filter(({ kind }) => kind === 'client').map(({ what }) => what.slice(what.indexOf(': ') + 2));

const adjusting = { giftCardCode: 'a', adjustmentAmount: 1 };
const moment = '2026-01-01T00:00:00Z';

describe('of the client', () => {
  test.each<[string, readonly [string, string, unknown?], unknown, string[]]>([
    [
      'a create in snake_case',
      ['POST', 'GiftCard/Create', { balance: 1, unique_id: 'x', RecipientName: 'R' }],
      card,
      ['unique_id should be spelt uniqueId.', 'RecipientName should be spelt recipientName.'],
    ],
    [
      'an adjustment in snake_case, of which nothing is missing',
      [
        'POST',
        'GiftCardAdjustment/AddAdjustmentByGiftCardCode',
        { ...adjusting, actioned_at_utc: moment, UniqueAdjustmentId: 'u' },
      ],
      true,
      ['actioned_at_utc should be spelt actionedAtUtc.', 'UniqueAdjustmentId should be spelt uniqueAdjustmentId.'],
    ],
    [
      'an event in camelCase',
      ['POST', 'AutomationTriggerEvents', { eventName: 'e', recipient_email: 'a@b.example' }],
      {},
      ['eventName should be spelt event_name.'],
    ],
    [
      'entries of properties that are no strings',
      ['POST', 'AutomationTriggerEvents', { event_name: 'e', recipient_email: 'a@b.example', properties: { a: '1', b: 2 } }],
      {},
      ['properties has an entry that is a number, and should be a string.'],
    ],
    ['a webhook without TLS', ['POST', 'Webhook/Create', { url: 'http://a.example/' }], {}, ['url is no https URL.']],
    ['a webhook that is no URL', ['POST', 'Webhook/Create', { url: 'nonsense' }], {}, ['url is no https URL.']],
    ['since nothing', ['GET', 'GiftCard/List?since=junk'], { giftCards: [], totalCount: 0 }, ['since is no date and time.']],
    [
      'includeAll as a word',
      ['GET', 'GiftCard/List?includeAll=perhaps'],
      { giftCards: [], totalCount: 0 },
      ['includeAll is neither true nor false.'],
    ],
    ['no email', ['POST', 'GiftCard/Create', { recipientEmailAddress: 'a b@c' }], card, ['recipientEmailAddress is no email.']],
  ])('%s', async (_, exchange, answer, expected) => {
    expect(await told(exchange, answer)).toEqual(expected);
  });

  test.each<[string, readonly [string, string, unknown?], unknown]>([
    ['an email in quotes', ['POST', 'GiftCard/Create', { recipientEmailAddress: '"a b"@example.com' }], card],
    ['an email at a number', ['POST', 'GiftCard/Create', { recipientEmailAddress: 'a@[127.0.0.1]' }], card],
    ['includeAll in another letter case', ['GET', 'GiftCard/List?includeAll=True'], { giftCards: [], totalCount: 0 }],
    ...['2026-01-01', 'Sun, 22 Nov 2026 05:22:47 GMT', '11/22/2026', '1763789000', '2026-01-01T00:00:00Z'].map(
      (since): [string, readonly [string, string], unknown] => [
        `since ${since}`,
        ['GET', `GiftCard/List?${new URLSearchParams({ since })}`],
        { giftCards: [], totalCount: 0 },
      ],
    ),
    ['a webhook over TLS', ['POST', 'Webhook/Create', { url: 'HTTPS://a.example/x?y=1' }], {}],
  ])('but not %s', async (_, exchange, answer) => {
    expect(await told(exchange, answer)).toEqual([]);
  });

  test('a key that stands elsewhere than in its header', async () => {
    const exchange = ['GET', 'GiftCard/GetByCode/A-CODE?api_key=x'] as const;
    expect(await told(exchange, card, { headers: {} })).toEqual([
      'the header x-api-key is missing; what may be a key stands elsewhere.',
    ]);
  });
});

describe('of the answer', () => {
  const camel = (more: object) => found(['GET', 'GiftCard/GetByCode/A-CODE'], { ...card, ...more });
  test('names within a field of its own are data', async () => {
    expect((await camel({ metadata: { X_Y: 2, Shop: { Order_No: 1 } } })).map(({ clause }) => clause)).not.toContain(
      'http.camel-case-names',
    );
    expect((await camel({ Order_No: 2 })).map(({ clause }) => clause)).toContain('http.camel-case-names');
  });

  test('what a facts file has in the place of a whole answer is nothing to tell', async () => {
    const open = async (reader?: Reader) =>
      (await found(['DELETE', 'GiftCard/VoidByCode/A-CODE'], undefined, reader ? { reader } : {})).map(({ clause }) => clause);
    expect(await open()).toEqual(['gift-card.void.body']);
    const rows = rowsOf({ 'gift-card.void.body': 'empty' });
    expect(await open(readerBy(rows))).toEqual([]);
  });

  const shown = {
    ...card,
    id: 'a0af802e-9205-4aed-a905-712f5de71818',
    initialValue: 5,
    recipientName: null,
    recipientEmailAddress: null,
    ...{ customField1: null, customField2: null, customField3: null },
  };
  const places: readonly (readonly [string, string, unknown])[] = [
    ['in a list', 'GiftCard/List', { giftCards: [shown], totalCount: 1 }],
    ['by an address', 'GiftCard/GetByEmail?emailAddress=a%40b.example', [shown]],
    ['in a history', 'GiftCardAdjustment/ListAdjustmentsByGiftCardCode/A-CODE', { giftCard: shown, adjustments: [] }],
    ['alone', 'GiftCard/GetByCode/A-CODE', shown],
  ];

  test.each(places)(
    'what a card %s lacks is told under the clause that asks which properties a card has',
    async (_, path, told) => {
      const open = (await found(['GET', path], told)).filter(({ kind }) => kind === 'open');
      expect(open).toMatchObject([
        { clause: 'gift-card.response.further-properties', what: expect.stringContaining('buyerName is not there') },
      ]);
    },
  );

  test.each(places)('what a facts file says that cards do not have is nothing to tell %s', async (_, path, told) => {
    const rows = rowsOf({ 'gift-card.response.further-properties': 'named-only' });
    expect(await found(['GET', path], told, { reader: readerBy(rows) })).toEqual([]);
  });

  const guid = 'a0af802e-9205-4aed-a905-712f5de71818';
  test.each<[string, string, unknown, string]>([
    ['a webhook without id', 'Webhook/List', [{ url: 'https://a.example/' }], 'webhook.list.shape'],
    ['a webhook without url', 'Webhook/List', [{ id: guid }], 'webhook.list.url-name'],
    ['a company without a currency', 'Company/Profile', { name: 'A' }, 'company.currency-name'],
    ['a card without a first value', 'GiftCard/GetByCode/A-CODE', card, 'gift-card.response.initial-value-name'],
    ['a history without its card', 'GiftCardAdjustment/ListAdjustmentsByGiftCardCode/A', {}, 'adjustment.history.card-name'],
  ])('%s is told under the clause that asks for it there', async (_, path, told, clause) => {
    const open = (await found(['GET', path], told)).filter(({ kind }) => kind === 'open');
    expect(open.map((each) => each.clause)).toEqual([clause]);
  });

  test.each<[string, object, string]>([
    ['without an ID has no form of one', {}, 'automation.runs-name'],
    ['with a number has one', { id: 7 }, 'gift-card.response.id-form'],
  ])('an issued card %s', async (_, own, clause) => {
    const urls = {
      view_balance_url: 'https://a.example/',
      apple_wallet_url: 'https://a.example/',
      google_wallet_url: 'https://a.example/',
    };
    const times = { expires_at_utc: null, created_at_utc: moment };
    const issued = {
      ...own,
      code: 'A',
      balance: 1,
      currency: 'EUR',
      status: 'Active',
      recipient_email_address: 'a@b.example',
      ...times,
      ...urls,
    };
    const told = { gift_cards: [issued], automations: [] };
    const all = await found(['POST', 'AutomationTriggerEvents', { event_name: 'e', recipient_email: 'a@b.example' }], told);
    expect(all.filter(({ kind }) => kind === 'open').map((each) => each.clause)).toEqual([clause]);
  });
});
