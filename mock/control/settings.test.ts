import { describe, expect, test } from 'vitest';
import { withoutPause } from '../account/clock.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { getAllowance } from './accounts.ts';
import { addKey, changeSettings, deleteKey } from './settings.ts';

const DAY = 86_400_000;

describe('settings', () => {
  test('authentication.plan-change-takes-effect: at the next request', () => {
    const { account, send } = sandboxOf();
    withoutPause(changeSettings({ account, body: { plan: 'Basic' } }));
    expect(send('GET', '/api/GiftCard/List').status).toBe(401);
    withoutPause(changeSettings({ account, body: { plan: 'Plus' } }));
    expect(send('GET', '/api/GiftCard/List').status).toBe(200);
  });

  test('delivery.only-while-subscribed', async () => {
    const { account, send, create } = sandboxOf([{ webhooks: [{ url: 'http://127.0.0.1:1/' }] }]);
    const [one, two] = [create().code, create().code];
    withoutPause(changeSettings({ account, body: { subscriptionActive: false } }));
    send('DELETE', `/api/GiftCard/VoidByCode/${one}`);
    withoutPause(changeSettings({ account, body: { subscriptionActive: true } }));
    send('DELETE', `/api/GiftCard/VoidByCode/${two}`);
    await account.effects.settled();
    expect(account.effects.deliveries.all()).toHaveLength(1);
  });

  test('default expiry, code format and allowance apply to new cards; existing cards do not change', () => {
    const { account, create } = sandboxOf();
    const { channels, ...others } = account.settings;
    withoutPause(changeSettings({ account, body: { defaultExpiryDays: 10, codeFormat: 'NEW-####', monthlyAllowance: 0 } }));
    expect(create()).toMatchObject({ code: expect.stringMatching(/^NEW-\d{4}$/), expiresAtUtc: '2026-01-25T12:00:00.000Z' });
    expect(withoutPause(getAllowance({ account }))).toMatchObject({ size: 0, overage: 1 });
    expect(account.settings).toEqual({ ...others, defaultExpiryDays: 10, codeFormat: 'NEW-####', monthlyAllowance: 0, channels });
  });

  test('what the account is called and how it writes amounts shows in its emails', async () => {
    const { account, create } = sandboxOf();
    withoutPause(changeSettings({ account, body: { name: 'Laden', locale: 'de-DE' } }));
    create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
    await account.effects.settled();
    expect(account.effects.outbox.all()[0]?.subject).toMatch(/^Your 25,00\s\$ gift card from Laden$/);
  });

  test('emails.reminder-when: days that are set later apply to existing cards, and a change of the days sends no reminder twice', async () => {
    const { account, at, create } = sandboxOf();
    create({ recipientEmailAddress: 'ada@example.com' });
    withoutPause(changeSettings({ account, body: { reminderAfterDays: 30 } }));
    withoutPause(changeSettings({ account, body: { reminderAfterDays: 20 } }));
    at(NOON + 19 * DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    at(NOON + 40 * DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toMatchObject([{ kind: 'reminder', sentAtUtc: '2026-02-04T12:00:00.000Z' }]);
  });

  test('gift-card.expiry.when-noticed: the day of a daily expiry is that of the time zone that is set', async () => {
    const { account, at, send, create } = sandboxOf([{ timeZone: 'UTC' }], {
      behaviors: { 'gift-card.expiry.when-noticed': 'daily' },
    });
    const { id } = create({ expiresAtUtc: '2026-02-01T12:00:00Z' });
    withoutPause(changeSettings({ account, body: { timeZone: 'Pacific/Kiritimati' } })); // Days in this zone begin at 10:00 UTC.
    at(Date.UTC(2026, 1, 2, 5));
    await account.effects.settled();
    const status = () => send('GET', `/api/GiftCard/GetById/${id}`).body.status;
    const early = status();
    at(Date.UTC(2026, 1, 2, 10));
    await account.effects.settled();
    expect([early, status()]).toEqual(['Active', 'Expired']);
  });

  test('no reminder is sent for a time that had passed when its days were set', async () => {
    const { account, at, create } = sandboxOf();
    create({ recipientEmailAddress: 'ada@example.com' });
    at(NOON + 40 * DAY);
    withoutPause(changeSettings({ account, body: { reminderAfterDays: 30 } }));
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
  });
});

describe('keys', () => {
  test('one that is made can be used at once, and is said in the timeline', () => {
    const { account, send, sandbox } = sandboxOf();
    const { key } = addKey({ sandbox, account, body: { description: 'Till' } });
    expect(key).toBe('sandbox-key-main-2-not-a-real-key');
    const { id } = send('POST', '/api/GiftCard/Create', { balance: 5 }, key).body;
    expect(account.state.timelineOf(id)).toMatchObject([{ text: 'Created through the API: Till' }]);
  });

  test('authentication.deleted-key-takes-effect: a deleted one is refused at the next request, and stays known', () => {
    const { account, send, sandbox, at } = sandboxOf();
    const { key } = addKey({ sandbox, account, body: { key: 'mine' } });
    at(NOON + DAY);
    expect(deleteKey({ sandbox, account, path: { account: account.id, key } })).toMatchObject({
      deleted: true,
      deletedAtUtc: '2026-01-16T12:00:00.000Z',
    });
    expect(send('GET', '/api/GiftCard/List', undefined, key).status).toBe(401);
    expect(send('GET', '/api/GiftCard/List').status).toBe(200);
    expect(() => addKey({ sandbox, account, body: { key } })).toThrow(expect.objectContaining({ status: 409 }));
    expect(() => deleteKey({ sandbox, account, path: { account: account.id, key } })).toThrow(
      expect.objectContaining({ status: 409 }),
    );
  });

  test('a key of another account, and none that there is', () => {
    const { account, sandbox } = sandboxOf([{}, { id: 'other', keys: [{ key: 'theirs' }] }]);
    expect(() => addKey({ sandbox, account, body: { key: 'theirs' } })).toThrow(expect.objectContaining({ status: 409 }));
    expect(() => deleteKey({ sandbox, account, path: { account: account.id, key: 'theirs' } })).toThrow(
      /^The account main has no such key; /,
    );
    expect(sandbox.accounts.keyHolders.get('theirs')?.key.deleted).toBe(false);
  });
});
