import { describe, expect, test } from 'vitest';
import { schemas } from '../../openapi/generated/validators.js';
import { DAY } from '../domain/dates.ts';
import { BUYER, GIFTED, NOTIFIED, RECIPIENT, type Shop, shopOf } from '../testing/shop-fixture.ts';
import type { AccountDescription } from '../world/generated/described.ts';

/** Returns the payload of the first delivery that `act` causes. */
async function payloadOf(act: (shop: Shop) => unknown, account: AccountDescription = {}) {
  const shop = await shopOf(account);
  act(shop);
  await shop.sandbox.settled();
  return shop.receiver.payloads[0];
}

const ofCard = (fields: object) => payloadOf(({ create }) => create({ ...NOTIFIED, ...fields }));
/** Returns the payload about a card of a kind that only the merchant creates. A void causes the delivery. */
const ofDescribed = (card: NonNullable<AccountDescription['cards']>[number]) =>
  payloadOf(({ void: makeVoid }) => makeVoid('DESCRIBED'), { cards: [{ ...card, code: 'DESCRIBED' }] });

describe('property names', () => {
  const NAMES = [
    ...['RequestId', 'GiftCardId', 'Code', 'CreatedAt', 'InitialValue', 'FormattedInitialValue', 'Balance', 'FormattedBalance'],
    ...['TotalIssuedAmount', 'FormattedTotalIssuedAmount', 'Currency', 'ExpiresAtUtc', 'RecipientName', 'RecipientEmailAddress'],
    ...['BuyerName', 'BuyerEmail', 'GiftCardMessage', 'Status', 'IsPromotional', 'IsStoreCredit', 'AppleWalletUrl'],
    ...['GoogleWalletUrl', 'PdfUrl', 'ViewBalanceUrl', 'GiftToFriendUrl', 'GiftCardBatchId', 'AutomationId', 'CampaignId'],
    ...['ApiEventName', 'WebhookTopic'],
  ];

  test('delivery.payload.has-every-property, delivery.payload.nulls: every property, null if it has no value', async () => {
    const payload = await payloadOf(({ create, void: makeVoid }) => makeVoid(create().code));
    expect(Object.keys(payload)).toEqual(NAMES);
    expect(schemas.WebhookDelivery(payload)).toBe(true);
    expect(Object.keys(payload).filter((name) => payload[name] === null)).toEqual([
      ...['ExpiresAtUtc', 'RecipientName', 'RecipientEmailAddress', 'GiftCardMessage', 'GiftCardBatchId'],
      ...['AutomationId', 'CampaignId', 'ApiEventName'],
    ]);
  });

  test('delivery.payload.pascal-case-names: each name begins with a capital letter', async () => {
    for (const name of Object.keys(await ofCard({}))) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });
});

describe('the delivery', () => {
  test('delivery.payload.request-id-is-guid, delivery.payload.request-id-new-each-time', async () => {
    const { create, void: makeVoid, sandbox, receiver, register } = await shopOf();
    register(receiver.url);
    for (let i = 0; i < 5; i++) makeVoid(create(NOTIFIED).code);
    await sandbox.settled();
    const ids = receiver.payloads.map(({ RequestId }) => RequestId);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('delivery.payload.topic: each of the five topics', async () => {
    const { create, void: makeVoid, at, account, sandbox, receiver } = await shopOf({ reminderAfterDays: 10 });
    create({ ...NOTIFIED, code: 'KEPT' });
    makeVoid(create({ ...GIFTED, code: 'GIVEN' }).code);
    create({ ...RECIPIENT, code: 'ENDED', expiresAtUtc: '2026-01-16T00:00:00Z' });
    at(account.clock.now() + 11 * DAY);
    await sandbox.settled();
    expect(receiver.payloads.map(({ Code, WebhookTopic }) => [Code, WebhookTopic])).toEqual([
      ['KEPT', 'giftcard/updated'],
      ['GIVEN', 'giftcard/gifted'],
      ['GIVEN', 'giftcard/voided'],
      ['ENDED', 'giftcard/expired'],
      ['KEPT', 'giftcard/reminder'],
    ]);
  });
});

describe('the card and its people', () => {
  test('delivery.payload.gift-card-id-finds-card', async () => {
    const { create, send, sandbox, receiver } = await shopOf();
    const card = create(NOTIFIED);
    await sandbox.settled();
    const id = receiver.payloads[0].GiftCardId;
    expect(id).toBeTypeOf('string');
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toEqual(card);
  });

  test('delivery.payload.code', async () => {
    expect((await ofCard({ code: 'Pick-Me 7' })).Code).toBe('Pick-Me 7');
  });

  test('delivery.payload.created-at, delivery.payload.date-form', async () => {
    const { create, at, void: makeVoid, sandbox, account, receiver } = await shopOf();
    const { code } = create();
    at(account.clock.now() + 90_000);
    makeVoid(code);
    await sandbox.settled();
    expect(receiver.payloads[0].CreatedAt).toBe('2026-01-15T12:00:00.000Z');
  });

  test('delivery.payload.recipient', async () => {
    expect(await ofCard({})).toMatchObject({ RecipientName: 'Rita Recipient', RecipientEmailAddress: 'rita@example.com' });
  });

  test('delivery.payload.buyer-of-gifted-card', async () => {
    expect(await ofCard(GIFTED)).toMatchObject({ BuyerName: 'Ben Buyer', BuyerEmail: 'ben@example.com' });
  });

  test('delivery.payload.buyer-falls-back: the recipient of a card that was not gifted', async () => {
    expect(await ofCard({})).toMatchObject({ BuyerName: 'Rita Recipient', BuyerEmail: 'rita@example.com' });
  });

  test('delivery.payload.buyer-of-card-not-gifted: the recipient, although the request named a buyer', async () => {
    expect(await ofCard(BUYER)).toMatchObject({ BuyerName: 'Rita Recipient', BuyerEmail: 'rita@example.com' });
  });

  test('delivery.payload.buyer-unknown: an empty string', async () => {
    const payload = await payloadOf(({ create, void: makeVoid }) => makeVoid(create().code));
    expect(payload).toMatchObject({ BuyerName: '', BuyerEmail: '' });
  });

  test('delivery.payload.gift-message', async () => {
    expect((await ofCard(GIFTED)).GiftCardMessage).toBe('Many happy returns');
    expect((await ofCard({})).GiftCardMessage).toBeNull();
  });
});

describe('amounts', () => {
  /** A card of 25, with a top-up of 10.50 and a redemption of 30. At the end, the card is voided or expires. */
  async function used(last: 'void' | 'event') {
    const { create, adjust, void: makeVoid, at, sandbox, receiver } = await shopOf();
    const { code } = create({ ...RECIPIENT, expiresAtUtc: '2026-02-01T00:00:00Z' });
    adjust(code, 10.5);
    adjust(code, -30);
    if (last === 'void') makeVoid(code);
    else at(Date.UTC(2026, 1, 1));
    await sandbox.settled();
    return receiver.payloads[0];
  }

  test('delivery.payload.initial-value: the balance at creation', async () => {
    expect((await used('event')).InitialValue).toBe(25);
  });

  test('delivery.payload.balance-after-event, delivery.payload.status-after-event', async () => {
    expect(await used('event')).toMatchObject({ Balance: 5.5, Status: 'Expired' });
    expect(await used('void')).toMatchObject({ Balance: 0, Status: 'Voided' });
    expect(await ofCard({})).toMatchObject({ Balance: 25, Status: 'Active' });
  });

  test('delivery.payload.total-issued-counts-top-ups: a redemption or void does not lower it', async () => {
    expect((await used('event')).TotalIssuedAmount).toBe(35.5);
    expect((await used('void')).TotalIssuedAmount).toBe(35.5);
  });

  test.each([
    ['USD', 'en-US', 1234.5, '$1,234.50'],
    ['EUR', 'de-DE', 1234.5, '1.234,50\u00a0€'],
    ['JPY', 'ja-JP', 1234, '￥1,234'],
    ['KWD', 'en', 1.234, 'KWD\u00a01.234'],
  ])(
    'delivery.payload.formatted-amounts, delivery.payload.formatted-form, delivery.payload.currency: %s in %s',
    async (currency, locale, balance, formatted) => {
      const payload = await payloadOf(({ create }) => create({ ...NOTIFIED, balance }), { currency, locale });
      expect(payload).toMatchObject({
        ...{ Currency: currency, InitialValue: balance, Balance: balance, TotalIssuedAmount: balance },
        ...{ FormattedInitialValue: formatted, FormattedBalance: formatted, FormattedTotalIssuedAmount: formatted },
      });
    },
  );

  test('delivery.payload.formatted-amounts: each has the number of its amount', async () => {
    expect(await used('event')).toMatchObject({
      ...{ FormattedInitialValue: '$25.00', FormattedBalance: '$5.50', FormattedTotalIssuedAmount: '$35.50' },
    });
  });

  test('delivery.payload.expiry', async () => {
    expect((await ofCard({ expiresAtUtc: '2027-03-04T05:06:07+01:00' })).ExpiresAtUtc).toBe('2027-03-04T04:06:07.000Z');
    expect((await ofCard({})).ExpiresAtUtc).toBeNull();
  });
});

describe('the kind of card', () => {
  test('delivery.payload.promotional', async () => {
    expect((await ofCard({ isPromotional: true })).IsPromotional).toBe(true);
    expect((await ofCard({})).IsPromotional).toBe(false);
  });

  test('delivery.payload.store-credit, delivery.payload.gift-to-friend-link', async () => {
    const credit = await ofDescribed({ kind: 'store-credit' });
    const card = await ofDescribed({});
    expect(credit).toMatchObject({ IsStoreCredit: true, GiftToFriendUrl: null });
    expect(card).toMatchObject({ IsStoreCredit: false, GiftToFriendUrl: expect.stringMatching(/^https:/) });
    expect(Object.keys(credit)).toEqual(Object.keys(card));
  });

  test('delivery.payload.links', async () => {
    const { AppleWalletUrl, GoogleWalletUrl, PdfUrl, ViewBalanceUrl } = await ofCard({});
    const links = [AppleWalletUrl, GoogleWalletUrl, PdfUrl, ViewBalanceUrl];
    expect(new Set(links).size).toBe(4);
    for (const link of links) expect(new URL(link).protocol).toBe('https:');
  });

  test('delivery.payload.batch, delivery.payload.campaign: null for other cards', async () => {
    expect((await ofDescribed({ batchId: 'batch-7' })).GiftCardBatchId).toBe('batch-7');
    expect((await ofDescribed({ campaignId: 'spring' })).CampaignId).toBe('spring');
    expect(await ofCard({})).toMatchObject({ GiftCardBatchId: null, CampaignId: null });
  });
});

describe('the automation event', () => {
  const AUTOMATION = '00000000-0000-4000-8000-000000000001';
  const ofEvent = (event: object) =>
    payloadOf(
      ({ send }) =>
        send('POST', '/api/AutomationTriggerEvents', {
          event_name: 'review',
          recipient_email: 'rita@example.com',
          ...event,
        }),
      { automations: [{ id: AUTOMATION, name: 'Thanks', eventName: 'review' }] },
    );

  test('delivery.payload.automation, delivery.payload.api-event-name: null for other cards', async () => {
    expect(await ofEvent({})).toMatchObject({ AutomationId: AUTOMATION, ApiEventName: 'review' });
    expect(await ofCard({})).toMatchObject({ AutomationId: null, ApiEventName: null });
  });

  test('delivery.payload.api-event-properties, automation.properties-stored', async () => {
    const properties = { product: 'Lamp', 'Stars ★': '5' };
    expect((await ofEvent({ properties })).ApiEventProperties).toEqual(properties);
  });

  test('delivery.payload.api-event-properties-left-out: left out if the event had none', async () => {
    for (const payload of [await ofEvent({}), await ofEvent({ properties: {} }), await ofCard({})])
      expect(Object.keys(payload)).not.toContain('ApiEventProperties');
  });
});
