import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import { defaultBehaviors, ruleValues } from '../../openapi/generated/rules.ts';
import { startMock } from '../index.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { serveNow } from './handle.ts';
import { RateWindow } from './rate-limit.ts';

const MINUTE = 60_000;

const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((method) => ['get', 'post', 'put', 'delete'].includes(method))
    .map((method): [string, string] => [method.toUpperCase(), path.replace(/\{.*\}/, 'X')]),
);

function admit(window: RateWindow, now: number): boolean {
  return window.admit(now, defaultBehaviors);
}

describe('the window', () => {
  const limit = fc.integer({ min: 1, max: 5 });
  const pauses = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 * MINUTE }), fc.constantFrom(MINUTE - 1, MINUTE)),
    { maxLength: 60 },
  );

  test('limits.rate-window, limits.refused-requests-count: a request is refused after `limit` others within sixty seconds', () => {
    fc.assert(
      fc.property(limit, pauses, (limit, pauses) => {
        const window = new RateWindow(limit);
        const accepted: number[] = [];
        let now = NOON;
        for (const pause of pauses) {
          now += pause;
          const recently = accepted.filter((at) => at > now - MINUTE).length;
          const admitted = admit(window, now);
          expect(admitted).toBe(recently < limit);
          if (admitted) accepted.push(now);
        }
      }),
    );
  });

  test('limits.rate-recovers: a request after a wait of sixty seconds is accepted', () => {
    fc.assert(
      fc.property(limit, pauses, (limit, pauses) => {
        const window = new RateWindow(limit);
        let now = NOON;
        for (const pause of pauses) {
          now += pause;
          admit(window, now);
        }
        expect(admit(window, now + MINUTE)).toBe(true);
      }),
    );
  });

  test('a restored window continues like the original', () => {
    fc.assert(
      fc.property(limit, pauses, pauses, (limit, before, after) => {
        const [window, copy] = [new RateWindow(limit), new RateWindow(limit)];
        let now = NOON;
        for (const pause of before) {
          now += pause;
          admit(window, now);
        }
        copy.restore(JSON.parse(JSON.stringify(window.state())));
        for (const pause of after) {
          now += pause;
          expect(admit(copy, now)).toBe(admit(window, now));
          expect(copy.state()).toEqual(window.state());
        }
      }),
    );
  });

  test('a restored window counts at most the last `limit` requests', () => {
    const [wide, narrow, none] = [new RateWindow(5), new RateWindow(2), new RateWindow(null)];
    for (let i = 0; i < 5; i++) admit(wide, NOON + i);
    narrow.restore(wide.state());
    none.restore(wide.state());
    expect([wide, narrow, none].map((each) => each.state().length)).toEqual([5, 2, 0]);
    expect([admit(narrow, NOON + MINUTE), admit(narrow, NOON + MINUTE + 3), admit(none, NOON + 10)]).toEqual([false, true, true]);
  });

  test('old requests need no memory', () => {
    const window = new RateWindow(100_000);
    for (let i = 0; i < 10_000; i++) admit(window, NOON + i * 1000);
    expect(window.state()).toHaveLength(60);
  });

  test('a high limit stays fast, also for the first request after an idle minute', () => {
    const window = new RateWindow(500_000);
    for (let i = 0; i < 500_000; i++) admit(window, NOON + i / 10);
    // If each old request shifted all times of an array, this request would take longer than the test may.
    admit(window, NOON + 2 * MINUTE);
    expect(window.state()).toHaveLength(1);
  });

  test('without a limit nothing is refused', () => {
    const window = new RateWindow(null);
    for (let i = 0; i < 1000; i++) expect(admit(window, NOON)).toBe(true);
  });
});

describe('the account', () => {
  test('limits.rate-admits, limits.rate-refuses-excess: 200 a minute are accepted, the next gets 429 and changes nothing', async () => {
    await using mock = await startMock({ listen: false, world: { accounts: [{}] } });
    const create = () =>
      mock.fetch('/api/GiftCard/Create', {
        method: 'POST',
        headers: { 'x-api-key': mock.apiKey, 'content-type': 'application/json' },
        body: '{"balance":1}',
      });
    expect(ruleValues['limits.rate-admits']).toBe(200);
    for (let i = 0; i < 200; i++) expect((await create()).status).toBe(200);
    const refused = await create();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toMatch(/^text\/plain/);
    await mock.settled();
    const [account] = (await (await mock.fetch('/__mock/accounts')).json()) as { id: string }[];
    const channels = await (await mock.fetch(`/__mock/accounts/${account?.id}/channels`)).json();
    expect((channels as { cards: unknown[] }[])[0]?.cards).toHaveLength(200);
  });

  test.each(operations)('limits.rate-covers-every-endpoint: %s %s counts and is refused', (method, path) => {
    const counting = sandboxOf([{}], { rateLimit: 1 });
    expect(counting.send(method, path, method === 'GET' ? undefined : {}).status).not.toBe(429);
    expect(counting.send('GET', '/api/Company/Profile').status).toBe(429);
    const refusing = sandboxOf([{}], { rateLimit: 1 });
    refusing.send('GET', '/api/Company/Profile');
    expect(refusing.send(method, path, method === 'GET' ? undefined : {}).status).toBe(429);
  });

  test('limits.rate-scope: all keys of an account share it, another account has its own', () => {
    const { send } = sandboxOf([{ keys: [{ key: 'one' }, { key: 'two' }] }, { keys: [{ key: 'other' }] }], { rateLimit: 2 });
    const profile = (key: string) => send('GET', '/api/Company/Profile', undefined, key).status;
    expect(['one', 'two', 'one', 'two', 'other', 'other', 'other'].map(profile)).toEqual([200, 200, 429, 429, 200, 200, 429]);
  });

  test('limits.keyless-requests-count: requests without a usable key do not count', () => {
    const { send } = sandboxOf([{ keys: [{ key: 'one' }, { key: 'gone', deleted: true }] }], { rateLimit: 1 });
    for (const key of [null, 'wrong', 'gone']) expect(send('GET', '/api/Company/Profile', undefined, key).status).toBe(401);
    expect(send('GET', '/api/Company/Profile').status).toBe(200);
  });

  test('limits.rejected-requests-count: requests that get 400 or 404 count', () => {
    const { send } = sandboxOf([{}], { rateLimit: 3 });
    expect(send('POST', '/api/GiftCard/Create', {}).status).toBe(400);
    expect(send('GET', '/api/GiftCard/GetByCode/UNKNOWN').status).toBe(404);
    expect(send('GET', '/api/Nowhere').status).toBe(404);
    expect(send('GET', '/api/Company/Profile').status).toBe(429);
  });

  test('limits.refused-requests-count: requests that get 429 do not count', () => {
    const { send, at } = sandboxOf([{}], { rateLimit: 1 });
    const profile = () => send('GET', '/api/Company/Profile').status;
    expect(profile()).toBe(200);
    for (let second = 1; second < 60; second++) {
      at(NOON + second * 1000);
      expect(profile()).toBe(429);
    }
    at(NOON + MINUTE);
    expect(profile()).toBe(200);
  });

  test('limits.rate-recovers: the same create is accepted after the wait', () => {
    const { send, at } = sandboxOf([{}], { rateLimit: 1 });
    const create = () => send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'order-7' });
    send('GET', '/api/Company/Profile');
    expect(create().status).toBe(429);
    at(NOON + MINUTE);
    expect(create().status).toBe(200);
  });

  test('limits.retry-after, limits.rate-headers: no header says how long to wait or what is left', () => {
    const { sandbox, account } = sandboxOf([{}], { rateLimit: 1 });
    const headers = { 'x-api-key': account.keys[0]?.key as string };
    const request = { method: 'GET', target: '/api/Company/Profile', headers, body: undefined };
    const responses = [serveNow(sandbox, request), serveNow(sandbox, request)].map(({ response }) => response);
    expect(responses.map(({ status, headers }) => [status, Object.keys(headers)])).toEqual([
      [200, ['content-type']],
      [429, ['content-type']],
    ]);
  });
});

test('a clock that was set back refuses no request', () => {
  const window = new RateWindow(2);
  expect([1_000_000, 1_000_000, 1_000_000].map((now) => admit(window, now))).toEqual([true, true, false]);
  expect([500_000, 500_000, 500_000].map((now) => admit(window, now))).toEqual([true, true, false]);
});
