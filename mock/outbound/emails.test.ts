import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { BUYER, GIFTED, NOTIFIED, RECIPIENT } from '../testing/shop-fixture.ts';

const DAY = 86_400_000;

describe('the email of a new card', () => {
  async function kindsFor(fields: Readonly<Record<string, unknown>>) {
    const { create, account } = sandboxOf();
    create(fields);
    await account.effects.settled();
    return account.effects.outbox.all().map(({ kind, to }) => [kind, to]);
  }

  test('emails.notification-sent: the gift card email, to the recipient', async () => {
    expect(await kindsFor(NOTIFIED)).toEqual([['gift-card', 'rita@example.com']]);
  });

  test('emails.none-by-default: without the flag, or if it is false or null', async () => {
    for (const fields of [{}, { shouldSendNotification: false }, { shouldSendNotification: null }])
      expect(await kindsFor({ ...RECIPIENT, ...fields })).toEqual([]);
  });

  test('emails.gift-flag-alone-sends-none', async () => {
    expect(await kindsFor({ ...GIFTED, shouldSendNotification: false })).toEqual([]);
  });

  test('emails.gifted-takes-its-place: the gifted email, and not the gift card email', async () => {
    expect(await kindsFor(GIFTED)).toEqual([['gifted', 'rita@example.com']]);
  });

  test('gift-card.create.notification-without-address: no email', async () => {
    expect(await kindsFor({ shouldSendNotification: true })).toEqual([]);
    expect(await kindsFor({ ...GIFTED, recipientEmailAddress: null })).toEqual([]);
  });

  test('each suppressed email is recorded with its rule', async () => {
    const { create, account } = sandboxOf();
    create(RECIPIENT);
    create({ ...GIFTED, shouldSendNotification: false });
    create({ ...NOTIFIED, disableEmails: true });
    create({ shouldSendNotification: true });
    const emails = account.effects.suppressed.all().filter(({ what }) => what === 'email');
    expect(emails.map(({ rule }) => rule)).toEqual([
      'emails.none-by-default',
      'emails.gift-flag-alone-sends-none',
      'emails.disabled-for-card',
      'gift-card.create.notification-without-address',
    ]);
  });
});

describe('the content of an email', () => {
  test('emails.gifted-names-and-message: buyer, recipient and message', async () => {
    const { create, account } = sandboxOf();
    const { code } = create({ ...GIFTED, giftMessage: 'For <you> & yours' });
    await account.effects.settled();
    const [email] = account.effects.outbox.all();
    expect(email?.subject).toContain('Ben Buyer');
    for (const part of ['Ben Buyer', 'Rita Recipient', 'For <you> & yours', code, '$25.00']) expect(email?.text).toContain(part);
    expect(email?.html).toContain('For &lt;you&gt; &amp; yours');
    expect(email?.html).not.toContain('<you>');
  });

  test('the cause and the time of an email', async () => {
    const { create, account } = sandboxOf();
    const { id } = create(NOTIFIED);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toMatchObject([
      { giftCardId: id, sentAtUtc: '2026-01-15T12:00:00.000Z', cause: { kind: 'request', what: 'createGiftCard', at: NOON } },
    ]);
  });
});

describe('when an email is sent', () => {
  test('emails.sent-after-channels: after the response, and after the card was pushed', async () => {
    const { create, account } = sandboxOf([{ channels: [{ id: 'one' }, { id: 'two' }] }]);
    const inChannels: number[] = [];
    const add = account.effects.outbox.add.bind(account.effects.outbox);
    account.effects.outbox.add = (...given) => {
      inChannels.push(
        Array.from(account.state.cards())
          .flatMap(({ id }) => account.state.listingsOf(id))
          .filter(({ state }) => state === 'synced').length,
      );
      return add(...given);
    };
    create(NOTIFIED);
    expect(account.effects.outbox.all()).toEqual([]);
    expect(Array.from(account.state.cards()).flatMap(({ id }) => account.state.listingsOf(id))).toEqual([]);
    await account.effects.settled();
    expect(inChannels).toEqual([2]);
  });

  test('emails.channels-failing: also if a channel rejects the card', async () => {
    const { create, account } = sandboxOf([{ channels: [{ id: 'picky', acceptsCodes: '[0-9]+' }] }]);
    create({ ...NOTIFIED, code: 'LETTERS' });
    await account.effects.settled();
    expect(Array.from(account.state.cards()).flatMap(({ id }) => account.state.listingsOf(id))).toMatchObject([
      { state: 'sync-error' },
    ]);
    expect(account.effects.outbox.all()).toHaveLength(1);
  });

  test('emails.gifted-deferred: at the scheduled time, and not before', async () => {
    const { create, at, account } = sandboxOf();
    create({ ...GIFTED, giftScheduledForUtc: '2026-01-16T09:00:00Z' });
    at(Date.UTC(2026, 0, 16, 9) - 1);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    at(Date.UTC(2026, 0, 18));
    await account.effects.settled();
    expect(account.effects.outbox.all()).toMatchObject([{ kind: 'gifted', sentAtUtc: '2026-01-16T09:00:00.000Z' }]);
  });

  test('gift-card.create.gift-scheduled-in-past: at once, and only once', async () => {
    const { create, at, account } = sandboxOf();
    for (const time of ['2020-01-01T00:00:00Z', '2026-01-15T12:00:00Z']) create({ ...GIFTED, giftScheduledForUtc: time });
    at(NOON + DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all().map(({ sentAtUtc }) => sentAtUtc)).toEqual(Array(2).fill('2026-01-15T12:00:00.000Z'));
  });

  test('gift-card.create.gift-scheduled-without-gift: giftScheduledForUtc alone sends nothing', async () => {
    const { create, at, account } = sandboxOf();
    create({ ...RECIPIENT, ...BUYER, giftScheduledForUtc: '2026-01-16T09:00:00Z' });
    create({ ...GIFTED, shouldSendNotification: false, giftScheduledForUtc: '2026-01-16T09:00:00Z' });
    at(NOON + 2 * DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
  });
});

describe('suppressed emails', () => {
  test('emails.disabled-for-card: not at creation, not deferred, and no reminder', async () => {
    const { create, at, account } = sandboxOf([{ reminderAfterDays: 5 }]);
    create({ ...NOTIFIED, disableEmails: true });
    create({ ...GIFTED, disableEmails: true });
    create({ ...GIFTED, disableEmails: true, giftScheduledForUtc: '2026-01-16T09:00:00Z' });
    at(NOON + 10 * DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    const rules = account.effects.suppressed.all().map(({ rule }) => rule);
    expect(new Set(rules)).toEqual(new Set(['emails.disabled-for-card']));
    expect(rules).toHaveLength(12);
  });

  test('adjustment.sends-no-email, gift-card.void.email, emails.of-expired-card: adjustments, voids and expiries', async () => {
    const { create, adjust, send, at, account } = sandboxOf();
    const { code } = create({ ...RECIPIENT, expiresAtUtc: '2026-01-16T00:00:00Z' });
    const other = create(RECIPIENT);
    adjust(code, -5);
    send('DELETE', `/api/GiftCard/VoidByCode/${other.code}`);
    at(NOON + DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
  });
});
