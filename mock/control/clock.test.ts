import { describe, expect, test, vi } from 'vitest';
import { withoutPause } from '../account/clock.ts';
import { DAY } from '../domain/dates.ts';
import { startMock } from '../index.ts';
import { iso, NOON, sandboxOf } from '../testing/fixture.ts';
import { getAllowance } from './accounts.ts';
import { advanceClock, getClock, listUpcoming, setClock } from './clock.ts';

const HOUR = 3_600_000;

describe('a clock', () => {
  test('that is set returns the events up to the new time', async () => {
    const { account, create } = sandboxOf();
    const { id } = create({ code: 'EXPIRING', expiresAtUtc: iso(NOON + 2 * HOUR) });
    const { events } = await setClock({ account, body: { mode: 'frozen', at: iso(NOON + DAY) } });
    expect(events).toEqual([{ atUtc: iso(NOON + 2 * HOUR), what: 'expiry', giftCardId: id, code: 'EXPIRING' }]);
    expect(await setClock({ account, body: { mode: 'frozen' } })).toMatchObject({ events: [] });
  });

  test('is frozen, runs from a time, and follows the system clock again', async () => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    try {
      const { account, create } = sandboxOf();
      create({ code: 'EXPIRING', expiresAtUtc: iso(NOON + 2 * HOUR) });
      expect(await setClock({ account, body: { mode: 'real' } })).toEqual({
        nowUtc: iso(NOON),
        mode: 'real',
        offset: 0,
        nextEventUtc: iso(NOON + 2 * HOUR),
        events: [],
      });
      expect(await setClock({ account, body: { mode: 'frozen', at: iso(NOON + HOUR) } })).toMatchObject({
        nowUtc: iso(NOON + HOUR),
        mode: 'frozen',
        offset: HOUR,
      });
      vi.advanceTimersByTime(HOUR / 2);
      expect(getClock({ account })).toMatchObject({ nowUtc: iso(NOON + HOUR), offset: HOUR / 2 });
      expect(await setClock({ account, body: { mode: 'running' } })).toMatchObject({ nowUtc: iso(NOON + HOUR), mode: 'running' });
      vi.advanceTimersByTime(HOUR);
      expect(account.state.cardByCode('EXPIRING')).toMatchObject({ status: 'Expired', updatedAt: NOON + 2 * HOUR });
      await expect(setClock({ account, body: { mode: 'real' } })).rejects.toThrow(/2026-01-15T14:00/);
      vi.advanceTimersByTime(HOUR);
      expect(await setClock({ account, body: { mode: 'frozen' } })).toMatchObject({
        nowUtc: iso(NOON + 3 * HOUR),
        mode: 'frozen',
      });
      vi.advanceTimersByTime(DAY);
      expect(await setClock({ account, body: { mode: 'real' } })).toMatchObject({
        nowUtc: iso(NOON + DAY + 2.5 * HOUR),
        mode: 'real',
        offset: 0,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('that is set keeps its mode, one that followed the machine runs on from there; events that were due in between have their own times', async () => {
    const { account, create } = sandboxOf();
    create({ code: 'EXPIRING', expiresAtUtc: iso(NOON + DAY) });
    expect(await setClock({ account, body: { at: iso(NOON + 2 * DAY) } })).toMatchObject({
      mode: 'frozen',
      nowUtc: iso(NOON + 2 * DAY),
    });
    expect(account.state.cardByCode('EXPIRING')).toMatchObject({ status: 'Expired', updatedAt: NOON + DAY });
    account.clock.follow();
    expect(await setClock({ account, body: { at: '2126-01-15T12:00:00Z' } })).toMatchObject({ mode: 'running' });
  });

  test('that follows the machine runs on from where it was advanced to', async () => {
    const { account } = sandboxOf();
    account.clock.follow();
    await advanceClock({ account, body: { by: 'P1D' } });
    const { mode, offset } = getClock({ account });
    expect([mode, Math.round(offset / HOUR)]).toEqual(['running', 24]);
  });

  test.each([
    [{ mode: 'real', at: '2126-01-15T12:00:00Z' }, 400, /Omit "at"/],
    [{ mode: 'frozen', at: '2026-01-15T11:00:00Z' }, 409, /2026-01-15T11:00:00Z/],
  ] as const)('is not set to %o', async (setting, status, sentence) => {
    const { account } = sandboxOf();
    const error = await setClock({ account, body: setting }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ status, message: expect.stringMatching(sentence) });
    expect(getClock({ account })).toMatchObject({ nowUtc: iso(NOON), mode: 'frozen' });
  });

  test('is followed by timestamps, the rate window and the allowance of the month', async () => {
    const { account, create, send, sandbox } = sandboxOf([{ monthlyAllowance: 1 }], { rateLimit: 2 });
    create();
    create();
    expect(send('GET', '/api/Company/Profile').status).toBe(429);
    await setClock({ account, body: { at: '2026-02-01T00:00:00Z' } });
    expect(create()).toMatchObject({ createdAtUtc: '2026-02-01T00:00:00.000Z' });
    expect(withoutPause(getAllowance({ account }))).toMatchObject({ month: '2026-02', used: 1, overage: 0 });
    expect(sandbox.defects).toEqual([]);
  });
});

test('through the control API: a new account is frozen, advanced and reset; its Date header has its own time', async () => {
  await using mock = await startMock({ seed: 1 });
  const door = async (method: string, path: string, body?: object) => {
    const response = await mock.fetch(`/__mock/accounts${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, body: response.status === 204 ? '' : ((await response.json()) as Record<string, unknown>) };
  };
  const { body: made } = (await door('POST', '?ttl=PT10M', {})) as unknown as {
    body: { id: string; apiKey: string; goneAtUtc: string };
  };
  expect(Math.round((Date.parse(made.goneAtUtc) - Date.now()) / 60_000)).toBe(10);
  const clock = `/${made.id}/clock`;
  expect(await door('PUT', clock, { mode: 'frozen', at: '2126-01-31T12:00:00Z' })).toMatchObject({
    status: 200,
    body: { mode: 'frozen' },
  });
  expect(await door('POST', `${clock}/advance`, { by: 'P1M' })).toMatchObject({
    status: 200,
    body: { toUtc: '2126-02-28T12:00:00.000Z' },
  });
  const shown = async (path: string) =>
    (await fetch(mock.url + path, { headers: { 'x-api-key': made.apiKey } })).headers.get('date');
  expect(await shown('/api/GiftCard/List')).toBe('Thu, 28 Feb 2126 12:00:00 GMT');
  expect(await shown('/api/Nowhere')).toBe('Thu, 28 Feb 2126 12:00:00 GMT');
  expect((await door('POST', `/${made.id}/reset`)).body).toEqual({
    id: made.id,
    nowUtc: expect.any(String),
    nextEventUtc: expect.any(String),
  });
  expect((await door('GET', `/${made.id}`)).body).toMatchObject({ goneAtUtc: made.goneAtUtc });
  expect((await door('GET', clock)).body).toMatchObject({ mode: 'real', offset: 0 });
  expect(await door('DELETE', `/${made.id}`)).toMatchObject({ status: 204 });
  expect(await door('GET', clock)).toMatchObject({ status: 404 });
  for (const ttl of ['PT0S', '10 minutes', 'P2Y'])
    expect(await door('POST', `?ttl=${ttl}`)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(new RegExp(`^ttl .*"${ttl}"`)) },
    });
});

describe('the next events', () => {
  test('are listed in order, without those that no longer apply', async () => {
    const { account, create, send } = sandboxOf([{ reminderAfterDays: 30 }]);
    create({ code: 'LATER', expiresAtUtc: iso(NOON + 2 * DAY) });
    create({ code: 'SOONER', expiresAtUtc: iso(NOON + DAY) });
    create({ code: 'VOIDED', expiresAtUtc: iso(NOON + HOUR) });
    send('DELETE', '/api/GiftCard/VoidByCode/VOIDED');
    const upcoming = await listUpcoming({ account });
    expect(upcoming.map(({ code, what, atUtc }) => [code, what, atUtc])).toEqual([
      ['SOONER', 'expiry', iso(NOON + DAY)],
      ['LATER', 'expiry', iso(NOON + 2 * DAY)],
      ['LATER', 'reminder', iso(NOON + 30 * DAY)],
      ['SOONER', 'reminder', iso(NOON + 30 * DAY)],
    ]);
    expect(upcoming[0]?.giftCardId).toBe(account.state.cardByCode('SOONER')?.id);
    const { events } = await advanceClock({ account, body: { to: iso(NOON + 29 * DAY) } });
    expect(events.map(({ atUtc, what, giftCardId, code }) => ({ atUtc, what, giftCardId, code }))).toEqual(upcoming.slice(0, 2));
  });

  test('are at most as many as `limit` says, and listing them changes nothing', async () => {
    const { account, create } = sandboxOf();
    for (const hours of [1, 2, 3]) create({ expiresAtUtc: iso(NOON + hours * HOUR) });
    expect(await listUpcoming({ account, query: { limit: 2 } })).toHaveLength(2);
    expect(await listUpcoming({ account })).toHaveLength(3);
  });
});
