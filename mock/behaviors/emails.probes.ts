import { DAY } from '../domain/day.ts';
import { type Fixture, NOON } from '../testing/fixture.ts';
import { NOTIFIED } from '../testing/shop-fixture.ts';
import type { Probes } from './probe.ts';

function kindsOf({ account }: Fixture): string[] {
  return account.outbox.emails().map(({ kind }) => kind);
}

/** The questions of openapi/clauses/emails.yaml. */
export const emailsProbes = {
  'emails.reminder-when': {
    account: { reminderAfterDays: 10 },
    observe: async (fixture) => {
      const { account, adjust, create, at, sandbox } = fixture;
      const { code } = create({
        recipientEmailAddress: 'rita@example.com',
        expiresAtUtc: new Date(NOON + 50 * DAY).toISOString(),
      });
      at(NOON + 10 * DAY);
      await sandbox.settled();
      adjust(code, -5); // A use after it asks for no second one of the same kind.
      at(NOON + 40 * DAY);
      await sandbox.settled();
      return account.outbox.emails().map(({ cause }) => (cause.at - NOON) / DAY);
    },
    shows: { 'after-days-without-use': [10, 20], 'before-expiry': [40] },
  },
  'emails.of-expired-card': {
    observe: async (fixture) => {
      fixture.create({ recipientEmailAddress: 'rita@example.com', expiresAtUtc: '2026-01-16T12:00:00Z' });
      fixture.create({ ...NOTIFIED, disableEmails: true, expiresAtUtc: '2026-01-16T12:00:00Z' });
      fixture.at(NOON + DAY);
      await fixture.sandbox.settled();
      return kindsOf(fixture);
    },
    shows: { no: [], yes: ['expired'] },
  },
  'emails.channels-failing': {
    account: { channels: [{ id: 'shop', name: 'Shop', acceptsCodes: '[0-9]+' }] },
    observe: async (fixture) => {
      fixture.create({ ...NOTIFIED, code: '1234' });
      fixture.create({ ...NOTIFIED, code: 'LETTERS' });
      await fixture.sandbox.settled();
      const held = fixture.account.effects.suppressed.all().filter(({ what }) => what === 'email');
      return [kindsOf(fixture), held.map(({ clause }) => clause)];
    },
    shows: { 'goes-out': [['gift-card', 'gift-card'], []], 'held-back': [['gift-card'], ['emails.channels-failing']] },
  },
} satisfies Partial<Probes>;
