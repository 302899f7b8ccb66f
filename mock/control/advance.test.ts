import { describe, expect, test, vi } from 'vitest';
import { AccountConflict } from '../account/accounts.ts';
import { idle } from '../account/clock.ts';
import { DAY } from '../domain/dates.ts';
import { serve } from '../pipeline/handle.ts';
import { iso, NOON, sandboxOf } from '../testing/fixture.ts';
import { GIFTED, NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { advanceClock, getClock } from './clock.ts';

describe('an advance', () => {
  test('runs all due events in order, each at its own time, and returns the effects of each', async () => {
    const shop = await shopOf({
      reminderAfterDays: 10,
      channels: [{ id: 'online' }, { id: 'till', acceptsCodes: '[0-9]+' }],
    });
    const { account, create, receiver, webhookId } = shop;
    const expiring = create({ ...NOTIFIED, code: 'EXPIRING', expiresAtUtc: iso(NOON + DAY) });
    const gift = create({ ...GIFTED, code: 'GIFT', giftScheduledForUtc: iso(NOON + 2 * DAY), disableEmails: true });
    const used = create({ ...NOTIFIED, code: 'USED' });
    await account.effects.settled();
    receiver.received.length = 0;
    const manifest = await advanceClock({ account, body: { by: 'P11D' } });

    expect(manifest).toMatchObject({ fromUtc: iso(NOON), toUtc: iso(NOON + 11 * DAY) });
    expect(manifest.events.map(({ atUtc, what, code }) => [atUtc, what, code])).toEqual([
      [iso(NOON + DAY), 'expiry', 'EXPIRING'],
      [iso(NOON + 2 * DAY), 'gift', 'GIFT'],
      [iso(NOON + 10 * DAY), 'reminder', 'GIFT'],
      [iso(NOON + 10 * DAY), 'reminder', 'USED'],
    ]);
    expect(manifest.summary).toMatch(/^1 expiry, 1 gift, 2 reminders, 1 email, \d deliveries$/);
    const [expiry, given, , reminder] = manifest.events;
    expect(expiry).toEqual({
      atUtc: iso(NOON + DAY),
      what: 'expiry',
      giftCardId: expiring.id,
      code: 'EXPIRING',
      pushes: [
        { channelId: 'online', state: 'synced' },
        { channelId: 'till', state: 'sync-error' },
      ],
      emails: [],
      deliveries: [
        {
          requestId: expect.any(String),
          webhookId,
          topic: 'giftcard/expired',
          state: 'delivered',
          result: expect.objectContaining({ status: 200 }),
        },
      ],
      suppressed: [],
    });
    expect(given).toMatchObject({ giftCardId: gift.id, emails: [], deliveries: [], pushes: [] });
    expect(given?.suppressed.map(({ what, rule }) => [what, rule])).toEqual([
      ['email', 'emails.disabled-for-card'],
      ['giftcard/gifted', 'emails.disabled-for-card'],
    ]);
    expect(reminder).toMatchObject({
      giftCardId: used.id,
      emails: [{ to: 'rita@example.com', kind: 'reminder', subject: expect.any(String) }],
      deliveries: [{ topic: 'giftcard/reminder', state: 'delivered' }],
    });
    expect(receiver.topics).toEqual(['giftcard/expired', 'giftcard/reminder']);
    expect(getClock({ account }).nowUtc).toBe(iso(NOON + 11 * DAY));
  });

  test('waits for the effects of one event before the next, and handles requests at the time of the event', async () => {
    const { account, create, send, receiver } = await shopOf();
    for (const day of [1, 2]) create({ code: `DAY-${day}`, expiresAtUtc: iso(NOON + day * DAY) });
    await account.effects.settled();
    const seen: unknown[] = [];
    receiver.respond = (response) => {
      const made = create({});
      seen.push([iso(account.clock.now()), made.createdAtUtc, send('GET', '/api/GiftCard/GetByCode/DAY-2').body.status]);
      response.writeHead(200).end();
    };
    const manifest = await advanceClock({ account, body: { to: iso(NOON + 3 * DAY) } });
    expect(seen).toEqual([
      [iso(NOON + DAY), iso(NOON + DAY), 'Active'],
      [iso(NOON + 2 * DAY), iso(NOON + 2 * DAY), 'Expired'],
    ]);
    expect(manifest.events).toHaveLength(2);
  });

  test('runs many events in slices: other accounts get responses in between, requests of the account wait in order', async () => {
    const { sandbox, account, create } = sandboxOf([{ id: 'main' }, { id: 'other' }]);
    for (const code of ['FIRST', 'SECOND', 'LAST']) create({ code, expiresAtUtc: iso(NOON + DAY) });
    let time = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000)); // Every event needs more than a slice.
    const advancing = advanceClock({ account, body: { by: 'P2D' } });
    const statusOf = (code: string) => account.state.cardByCode(code)?.status;
    while (statusOf('FIRST') === 'Active') await idle();
    expect(statusOf('LAST')).toBe('Active');
    const get = (key: string | undefined, code: string) => {
      return serve(sandbox, {
        method: 'GET',
        target: `/api/GiftCard/GetByCode/${code}`,
        headers: { 'x-api-key': key },
        body: undefined,
      });
    };
    const order: string[] = [];
    const requests = ['LAST', 'FIRST'].map(async (code) => {
      const { response } = await get(account.keys[0]?.key, code);
      order.push(code);
      return JSON.parse(String(response.body)).status;
    });
    expect(get(sandbox.accounts.get('other')?.keys[0]?.key, 'LAST')).toMatchObject({ response: { status: 404 } });
    expect(await Promise.all(requests)).toEqual(['Expired', 'Expired']);
    expect(order).toEqual(['LAST', 'FIRST']);
    expect((await advancing).events).toHaveLength(3);
    vi.restoreAllMocks();
  });

  test('returns events that were due before', async () => {
    const { account, create, at } = sandboxOf();
    create({ code: 'LATE', expiresAtUtc: iso(NOON + DAY) });
    at(NOON + 2 * DAY);
    const { events } = await advanceClock({ account, body: { by: 'PT0S' } });
    expect(events.map(({ atUtc, code }) => [atUtc, code])).toEqual([[iso(NOON + DAY), 'LATE']]);
  });

  test('runs concurrent calls one after the other', async () => {
    const { account, create } = await shopOf();
    create({ expiresAtUtc: iso(NOON + 1.5 * DAY) });
    const manifests = await Promise.all([
      advanceClock({ account, body: { by: 'P1D' } }),
      advanceClock({ account, body: { by: 'P1D' } }),
      advanceClock({ account, body: { by: 'P1D' } }),
    ]);
    expect(manifests.map(({ fromUtc, toUtc, events }) => [fromUtc, toUtc, events.length])).toEqual([
      [iso(NOON), iso(NOON + DAY), 0],
      [iso(NOON + DAY), iso(NOON + 2 * DAY), 1],
      [iso(NOON + 2 * DAY), iso(NOON + 3 * DAY), 0],
    ]);
  });

  test('does not wait longer for a receiver that hangs than a delivery may take', async () => {
    const { account, create, receiver } = await shopOf();
    create({ code: 'EXPIRING', expiresAtUtc: iso(NOON + DAY) });
    await account.effects.settled();
    let cut = () => {};
    receiver.respond = (response) => {
      cut = () => response.destroy();
    };
    const arrived = receiver.arrived(1);
    const advancing = advanceClock({ account, body: { by: 'P2D' } });
    await arrived;
    expect(getClock({ account }).nowUtc).toBe(iso(NOON + DAY));
    cut();
    expect((await advancing).events).toMatchObject([{ deliveries: [{ state: 'failed' }] }]);
  });

  test('is refused if the account is reset in the meantime, and changes nothing more', async () => {
    const { account, sandbox, create, receiver } = await shopOf();
    create({ expiresAtUtc: iso(NOON + DAY) });
    create({ expiresAtUtc: iso(NOON + 2 * DAY) });
    await account.effects.settled();
    receiver.respond = (response) => {
      sandbox.reset();
      response.writeHead(200).end();
    };
    await expect(advanceClock({ account, body: { by: 'P3D' } })).rejects.toThrow(AccountConflict);
    expect(receiver.received).toHaveLength(1);
    await expect(advanceClock({ account, body: { by: 'P1D' } })).rejects.toThrow(AccountConflict);
  });

  test.each([
    [{}, 400, /either "by" .* or "to" /],
    [{ by: 'P1D', to: '2027-01-31T00:00:00Z' }, 400, /either "by" .* or "to" /],
    [{ by: '1 day' }, 400, /^by .*PT10M.*"1 day"/],
    [{ by: '-P1D' }, 400, /"-P1D"/],
    [{ by: 'P9000Y' }, 400, /P9000Y .*9999/],
    [{ by: `P${'9'.repeat(400)}D` }, 400, /9999/],
    [{ to: '2026-01-15T11:59:59Z' }, 409, /2026-01-15T11:59:59Z.* 2026-01-15T12:00:00\.000Z\./],
  ])('of %o is refused with a sentence, and changes nothing', async (wanted, status, sentence) => {
    const { account } = sandboxOf();
    const error = await advanceClock({ account, body: wanted }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ status, message: expect.stringMatching(sentence) });
    expect(getClock({ account })).toMatchObject({ nowUtc: iso(NOON), mode: 'frozen' });
  });

  test('a response has the last 1,000 events', async () => {
    const { account, create } = await shopOf();
    for (let card = 0; card <= 1000; card++) create({ code: `CARD-${card}`, expiresAtUtc: iso(NOON + DAY) });
    const { events } = await advanceClock({ account, body: { by: 'P2D' } });
    expect([events.length, events[0]?.code, events.at(-1)?.code]).toEqual([1000, 'CARD-1', 'CARD-1000']);
  });
});
