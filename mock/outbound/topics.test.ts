import { describe, expect, test } from 'vitest';
import { NOON } from '../testing/fixture.ts';
import { GIFTED, NOTIFIED, RECIPIENT, shopOf } from '../testing/shop-fixture.ts';

const DAY = 86_400_000;

test('delivery.no-topic-filter: one webhook gets all five topics', async () => {
  const { create, void: makeVoid, at, sandbox, account, receiver, register } = await shopOf({ reminderAfterDays: 30 });
  register(receiver.url);
  create({ ...NOTIFIED, code: 'REMINDED' });
  create({ ...GIFTED, code: 'GIVEN' });
  makeVoid('GIVEN');
  create({ code: 'EXPIRING', expiresAtUtc: '2026-01-20T00:00:00Z' });
  at(account.clock.now() + 30 * DAY);
  await sandbox.settled();
  const expected = [
    ['REMINDED', 'giftcard/updated'],
    ['GIVEN', 'giftcard/gifted'],
    ['GIVEN', 'giftcard/voided'],
    ['EXPIRING', 'giftcard/expired'],
    ['REMINDED', 'giftcard/reminder'],
  ];
  const seen = (id: string) =>
    account.effects.deliveries
      .all()
      .filter(({ webhookId }) => webhookId === id)
      .map(({ body, topic }) => [JSON.parse(body).Code, topic]);
  const ids = new Set(account.effects.deliveries.all().map(({ webhookId }) => webhookId));
  expect([...ids].map(seen)).toEqual([expected, expected]);
  expect(receiver.received).toHaveLength(10);
});

describe('giftcard/updated', () => {
  test('delivery.updated.on-issue: a card that is issued with its notification', async () => {
    const { create, sandbox, receiver } = await shopOf();
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/updated']);
  });

  test('delivery.updated.without-notification: not for a card that is created without notification; the suppressed effect is recorded', async () => {
    const { create, sandbox, account, receiver } = await shopOf();
    const { id } = create(RECIPIENT);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
    expect(account.effects.suppressed.all()).toContainEqual(
      expect.objectContaining({
        what: 'giftcard/updated',
        giftCardId: id,
        rule: 'delivery.updated.without-notification',
        cause: expect.objectContaining({ kind: 'request', what: 'createGiftCard', at: NOON }),
      }),
    );
  });

  test.each(['addAdjustmentByGiftCardCode', 'addAdjustmentByGiftCardId'])(
    'adjustment.delivers-no-update: not through %s, which is recorded with its rule',
    async (way) => {
      const { create, adjust, send, sandbox, account, receiver } = await shopOf();
      const { id, code } = create();
      const fields = { adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'by-id' };
      if (way === 'addAdjustmentByGiftCardCode') adjust(code, 5);
      else send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { giftCardId: id, ...fields });
      await sandbox.settled();
      expect(receiver.received).toEqual([]);
      expect(account.effects.suppressed.all()).toContainEqual(
        expect.objectContaining({
          what: 'giftcard/updated',
          giftCardId: id,
          rule: 'adjustment.delivers-no-update',
          cause: expect.objectContaining({ kind: 'request', what: way, at: account.clock.now() }),
        }),
      );
    },
  );
});

describe('giftcard/gifted', () => {
  test('delivery.gifted.on-gift, delivery.updated.with-gifted: no other topic', async () => {
    const { create, sandbox, receiver } = await shopOf();
    create(GIFTED);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/gifted']);
  });

  test('delivery.gifted.on-gift: not before the scheduled time', async () => {
    const { create, at, sandbox, receiver } = await shopOf();
    create({ ...GIFTED, giftScheduledForUtc: '2026-02-14T08:00:00Z' });
    at(Date.UTC(2026, 1, 14, 8) - 1);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
    at(Date.UTC(2026, 1, 14, 8));
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/gifted']);
  });

  test('delivery.gifted.with-emails-disabled: not for a card whose emails are disabled; the suppressed effect is recorded', async () => {
    const { create, sandbox, account, receiver } = await shopOf();
    create({ ...GIFTED, disableEmails: true });
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
    expect(account.effects.suppressed.all()).toMatchObject([
      { what: 'email', rule: 'emails.disabled-for-card' },
      { what: 'giftcard/gifted', rule: 'emails.disabled-for-card' },
    ]);
  });
});

describe('giftcard/voided', () => {
  test.each(['VoidByCode', 'VoidById'])('delivery.voided.on-void: %s', async (way) => {
    const { create, send, sandbox, receiver } = await shopOf();
    const { id, code } = create();
    send('DELETE', `/api/GiftCard/${way}/${way === 'VoidById' ? id : code}`);
    await sandbox.settled();
    expect(receiver.payloads).toMatchObject([{ WebhookTopic: 'giftcard/voided', GiftCardId: id }]);
  });

  test('gift-card.void.again-delivers: a second void delivers nothing; the suppressed effect is recorded', async () => {
    const { create, void: makeVoid, sandbox, account, receiver } = await shopOf();
    const { code } = create();
    makeVoid(code);
    makeVoid(code);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/voided']);
    expect(account.effects.suppressed.all().at(-1)).toMatchObject({
      what: 'giftcard/voided',
      rule: 'gift-card.void.again-delivers',
    });
  });

  test('gift-card.void.update-delivery: no giftcard/updated in addition', async () => {
    const { create, void: makeVoid, sandbox, account, receiver } = await shopOf();
    makeVoid(create(NOTIFIED).code);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/updated', 'giftcard/voided']);
    expect(account.effects.suppressed.all()).toContainEqual(
      expect.objectContaining({ what: 'giftcard/updated', rule: 'gift-card.void.update-delivery' }),
    );
  });
});

describe('giftcard/expired and giftcard/reminder', () => {
  test('delivery.expired.on-expiry: at the time of the expiry', async () => {
    const { create, at, sandbox, account, receiver } = await shopOf();
    create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    at(Date.UTC(2026, 5, 1));
    await sandbox.settled();
    expect(receiver.payloads).toMatchObject([{ WebhookTopic: 'giftcard/expired', Status: 'Expired', Balance: 25 }]);
    expect(account.effects.deliveries.all()).toMatchObject([
      { queuedAtUtc: '2026-01-20T00:00:00.000Z', cause: { kind: 'clock', what: 'expiry', at: Date.UTC(2026, 0, 20) } },
    ]);
  });

  test('delivery.reminder.on-reminder', async () => {
    const { create, at, sandbox, account, receiver } = await shopOf({ reminderAfterDays: 7 });
    create(RECIPIENT);
    at(account.clock.now() + 7 * DAY);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/reminder']);
  });
});

test('delivery.updated.of-automation-card: a card of an automation sends giftcard/updated', async () => {
  const { send, sandbox, receiver } = await shopOf({ automations: [{ name: 'Thanks', eventName: 'review' }] });
  send('POST', '/api/AutomationTriggerEvents', { event_name: 'review', recipient_email: 'rita@example.com' });
  await sandbox.settled();
  expect(receiver.topics).toEqual(['giftcard/updated']);
});
