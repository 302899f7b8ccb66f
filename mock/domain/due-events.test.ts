import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { GIFTED, NOTIFIED, RECIPIENT } from '../testing/shop-fixture.ts';

const DAY = 86_400_000;
const ago = { createdAtUtc: '2026-01-01T00:00:00Z' };

describe('expiry', () => {
  test('gift-card.expiry.when-noticed: at its time, not a millisecond before', () => {
    const { create, send, at } = sandboxOf();
    const { id } = create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    const card = () => send('GET', `/api/GiftCard/GetById/${id}`).body;
    at(Date.UTC(2026, 0, 20) - 1);
    expect(card().status).toBe('Active');
    at(Date.UTC(2026, 0, 20));
    expect(card().status).toBe('Expired');
  });

  test('gift-card.expiry.when-noticed: updatedAtUtc is the time of the expiry, even if it is read later', () => {
    const { create, send, at } = sandboxOf();
    create({ code: 'LATE', expiresAtUtc: '2026-01-20T00:00:00Z' });
    at(Date.UTC(2027, 0, 1));
    expect(send('GET', '/api/GiftCard/GetByCode/LATE').body).toMatchObject({
      status: 'Expired',
      updatedAtUtc: '2026-01-20T00:00:00.000Z',
      expiresAtUtc: '2026-01-20T00:00:00.000Z',
    });
  });

  test('gift-card.create.past-expiry: the response shows Active, and the card is expired after it', () => {
    const { create, send } = sandboxOf();
    const card = create({ expiresAtUtc: '2020-01-01T00:00:00Z' });
    expect(card.status).toBe('Active');
    expect(send('GET', `/api/GiftCard/GetById/${card.id}`).body).toMatchObject({
      status: 'Expired',
      updatedAtUtc: card.createdAtUtc,
    });
  });

  test('gift-card.expiry.balance: the balance stays', () => {
    const { create, adjust, send, at } = sandboxOf();
    const { code } = create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    adjust(code, -5);
    at(NOON + 30 * DAY);
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`).body).toMatchObject({ status: 'Expired', balance: 20 });
  });

  test('gift-card.expiry.of-redeemed-card: expires', () => {
    const { create, adjust, send, at } = sandboxOf();
    const { code } = create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    adjust(code, -25);
    at(NOON + 30 * DAY);
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`).body).toMatchObject({ status: 'Expired', balance: 0 });
  });

  test('gift-card.expiry.of-scheduled-card: expires, and its scheduled gift is not sent', async () => {
    const { send, at, account } = sandboxOf([
      {
        cards: [
          {
            ...{ ...GIFTED, ...ago, code: 'WAITING', status: 'Scheduled', initialValue: 25 },
            giftScheduledForUtc: '2090-01-01T00:00:00Z',
            expiresAtUtc: '2080-01-01T00:00:00Z',
          },
        ],
      },
    ]);
    at(Date.UTC(2085, 0, 1));
    expect(send('GET', '/api/GiftCard/GetByCode/WAITING').body.status).toBe('Expired');
    at(Date.UTC(2095, 0, 1));
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    expect(account.effects.suppressed.all()).toMatchObject([
      { what: 'giftcard/expired', rule: 'delivery.one-per-webhook' },
      { what: 'email', rule: 'emails.of-expired-card', cause: { kind: 'clock', what: 'start' } },
      { what: 'giftcard/gifted', rule: 'emails.of-expired-card' },
    ]);
  });

  test('gift-card.status.voided-leaves: a voided card does not expire', async () => {
    const { create, send, at, account } = sandboxOf();
    const { code } = create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    const voided = send('DELETE', `/api/GiftCard/VoidByCode/${code}`).body;
    at(NOON + 30 * DAY);
    await account.effects.settled();
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`).body).toEqual(voided);
  });
});

describe('scheduled gifts', () => {
  test('gift-card.status.future-gift: the card is Active in the response and until its gift is sent', () => {
    const { create, send, at } = sandboxOf();
    const card = create({ ...GIFTED, giftScheduledForUtc: '2026-02-14T08:00:00Z' });
    expect(card.status).toBe('Active');
    at(NOON + DAY);
    expect(send('GET', `/api/GiftCard/GetById/${card.id}`).body.status).toBe('Active');
  });

  test('gift-card.void.waiting-gift: not sent after a void, which is recorded as suppressed', async () => {
    const { create, send, at, account } = sandboxOf();
    const { id, code } = create({ ...GIFTED, giftScheduledForUtc: '2026-02-14T08:00:00Z' });
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    at(NOON + 60 * DAY);
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    expect(account.effects.suppressed.all().slice(-2)).toMatchObject([
      { what: 'email', giftCardId: id, rule: 'gift-card.void.waiting-gift' },
      { what: 'giftcard/gifted', giftCardId: id, rule: 'gift-card.void.waiting-gift' },
    ]);
  });

  test('gift-card.status.scheduled-becomes: Active at its time, when the gift is sent', async () => {
    const { send, at, account } = sandboxOf([
      {
        cards: [
          {
            ...GIFTED,
            ...ago,
            code: 'WAITING',
            status: 'Scheduled',
            initialValue: 25,
            giftScheduledForUtc: '2090-01-01T00:00:00Z',
          },
        ],
      },
    ]);
    const status = () => send('GET', '/api/GiftCard/GetByCode/WAITING').body.status;
    at(Date.UTC(2090, 0, 1) - 1);
    expect(status()).toBe('Scheduled');
    at(Date.UTC(2090, 0, 1));
    expect(status()).toBe('Active');
    await account.effects.settled();
    expect(account.effects.outbox.all()).toMatchObject([{ kind: 'gifted', sentAtUtc: '2090-01-01T00:00:00.000Z' }]);
  });

  test('gift-card.void.waiting-gift: the same for a gift that was scheduled by the merchant', async () => {
    const { send, at, account } = sandboxOf([
      {
        cards: [
          {
            ...GIFTED,
            ...ago,
            code: 'WAITING',
            status: 'Scheduled',
            initialValue: 25,
            giftScheduledForUtc: '2090-01-01T00:00:00Z',
          },
        ],
      },
    ]);
    send('DELETE', '/api/GiftCard/VoidByCode/WAITING');
    at(Date.UTC(2090, 0, 1));
    expect(send('GET', '/api/GiftCard/GetByCode/WAITING').body.status).toBe('Voided');
    await account.effects.settled();
    expect(account.effects.outbox.all()).toEqual([]);
    expect(account.effects.suppressed.all().at(-1)).toMatchObject({
      what: 'giftcard/gifted',
      rule: 'gift-card.void.waiting-gift',
    });
  });
});

describe('the order of due events', () => {
  test('an advance runs all events in order, each at its own time', async () => {
    const { create, at, account } = sandboxOf([{ reminderAfterDays: 3 }]);
    create({ ...RECIPIENT, code: 'REMIND' });
    create({ ...GIFTED, code: 'GIFT', giftScheduledForUtc: '2026-01-17T00:00:00Z' });
    create({ ...RECIPIENT, code: 'EXPIRE', expiresAtUtc: '2026-01-16T00:00:00Z' });
    at(NOON + 30 * DAY);
    await account.effects.settled();
    const codeOf = (id: string) => account.state.card(id)?.code;
    expect(account.effects.outbox.all().map(({ giftCardId, kind, sentAtUtc }) => [codeOf(giftCardId), kind, sentAtUtc])).toEqual([
      ['GIFT', 'gifted', '2026-01-17T00:00:00.000Z'],
      ['REMIND', 'reminder', '2026-01-18T12:00:00.000Z'],
      ['GIFT', 'reminder', '2026-01-18T12:00:00.000Z'],
    ]);
  });

  test('one long advance has the same result as many short ones', async () => {
    const day = fc.integer({ min: -2, max: 40 });
    const cards = fc.array(fc.record({ expiry: fc.option(day), gift: fc.option(day) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cards, fc.array(day, { maxLength: 6 }), async (wanted, stops) => {
        const effectsOf = async (events: readonly number[]) => {
          const { create, at, account } = sandboxOf([{ reminderAfterDays: 10 }]);
          const time = (days: number | null) => (days === null ? null : new Date(NOON + days * DAY).toISOString());
          for (const { expiry, gift } of wanted) {
            const scheduled = gift === null ? NOTIFIED : { ...GIFTED, giftScheduledForUtc: time(gift) };
            create({ ...scheduled, expiresAtUtc: time(expiry) });
          }
          for (const days of events) {
            at(NOON + days * DAY);
            await account.effects.settled();
          }
          return {
            emails: account.effects.outbox.all(),
            suppressed: account.effects.suppressed.all(),
            cards: Array.from(wanted, (_, position) => account.state.newest(position, 1, true).cards[0]),
          };
        };
        const steps = stops.filter((days) => days > 0).sort((a, b) => a - b);
        expect(await effectsOf([...steps, 50])).toEqual(await effectsOf([50]));
      }),
      { numRuns: 50 },
    );
  });
});

test('events before the start of a world have no effects', async () => {
  const { account } = sandboxOf([
    {
      reminderAfterDays: 1,
      cards: [
        { ...RECIPIENT, initialValue: 25, createdDaysAgo: 50 },
        { ...RECIPIENT, initialValue: 25, createdDaysAgo: 50, expiresInDays: -10 },
        { ...GIFTED, initialValue: 25, createdDaysAgo: 50, giftScheduledInDays: -10 },
      ],
    },
  ]);
  account.clock.run(Date.now());
  await account.effects.settled();
  expect(account.effects.outbox.all()).toEqual([]);
  expect(account.effects.suppressed.all()).toEqual([]);
});
