import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { RECIPIENT } from '../testing/shop-fixture.ts';

const DAY = 86_400_000;

describe('reminders', () => {
  const reminded = (account: ReturnType<typeof sandboxOf>['account']) =>
    account.effects.outbox.all().map(({ kind, sentAtUtc }) => [kind, sentAtUtc]);

  test('emails.reminder-when: after the days without use that the account sets, once', async () => {
    const { create, at, account } = sandboxOf([{ reminderAfterDays: 10 }]);
    create(RECIPIENT);
    at(NOON + 9 * DAY);
    await account.effects.settled();
    expect(reminded(account)).toEqual([]);
    at(NOON + 100 * DAY);
    await account.effects.settled();
    expect(reminded(account)).toEqual([['reminder', '2026-01-25T12:00:00.000Z']]);
    expect(account.effects.outbox.all()[0]?.subject).toContain('$25.00');
  });

  test('emails.reminder-when: a use puts it off, and uses at one time are one', async () => {
    const { create, adjust, at, account } = sandboxOf([{ reminderAfterDays: 10 }]);
    const { code } = create(RECIPIENT);
    at(NOON + 5 * DAY);
    adjust(code, -1);
    adjust(code, -1);
    at(NOON + 100 * DAY);
    await account.effects.settled();
    expect(reminded(account)).toEqual([['reminder', '2026-01-30T12:00:00.000Z']]);
  });

  test('emails.reminder-when: off unless the account sets it', async () => {
    const { create, at, account } = sandboxOf();
    create(RECIPIENT);
    at(NOON + 1000 * DAY);
    await account.effects.settled();
    expect(reminded(account)).toEqual([]);
  });

  test('a card that is used up, voided or expired is not spoken of', async () => {
    const { create, adjust, send, at, account } = sandboxOf([{ reminderAfterDays: 10 }]);
    adjust(create(RECIPIENT).code, -25);
    send('DELETE', `/api/GiftCard/VoidByCode/${create(RECIPIENT).code}`);
    create({ ...RECIPIENT, expiresAtUtc: '2026-01-16T00:00:00Z' });
    at(NOON + 100 * DAY);
    await account.effects.settled();
    expect(reminded(account)).toEqual([]);
  });
});
