import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Waiting } from '../http/rate.ts';
import { Redactor } from '../http/redactor.ts';
import { Transport } from '../http/transport.ts';
import { Client } from './client.ts';
import { Untested } from './policy.ts';

/** Returns a clock that advances only when the client sleeps. */
function waitingTime(): Waiting & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  return { now: () => now, sleep, waits };
}

const request = { method: 'GET', path: '/api/GiftCard/List' } as const;
const target = (fetch: (request: Request) => Promise<Response>) => ({
  url: 'http://127.0.0.1',
  key: 'key-of-run',
  profile: {},
  fetch,
});

test('a request is retried after 429', async () => {
  const time = waitingTime();
  const statuses = [429, 429, 429, 200];
  const client = new Client(
    target(async () => new Response('', { status: statuses.shift() ?? 500 })),
    new Redactor(),
    time,
  );
  expect((await client.send(request)).status).toBe(200);
  expect(time.waits).toEqual([1_000, 4_000, 10_000]);
  expect(client.rate.waited).toBe(15_000);
});

test('a longer Retry-After of at most a minute is obeyed, in seconds and as a date', async () => {
  const time = waitingTime();
  const delays = ['7', new Date(Date.parse('2026-03-01T10:00:42Z')).toUTCString(), 'soon'];
  const client = new Client(
    target(async () => {
      const delay = delays.shift();
      const headers = { date: 'Sun, 01 Mar 2026 10:00:00 GMT', 'retry-after': delay ?? '' };
      return new Response('', delay === undefined ? {} : { status: 429, headers });
    }),
    new Redactor(),
    time,
  );
  expect((await client.send(request)).status).toBe(200);
  expect(time.waits).toEqual([7_000, 42_000, 10_000]);
});

test('after a Retry-After of more than a minute, only cleanup requests are sent', async () => {
  const time = waitingTime();
  const client = new Client(
    target(async () => new Response('', { status: 429, headers: { 'retry-after': '900' } })),
    new Redactor(),
    time,
  );
  await expect(client.send(request)).rejects.toMatchObject({ reason: 'rate-limited' });
  await expect(client.send(request)).rejects.toMatchObject({ reason: 'rate-limited' });
  expect([time.waits, client.exchanges.length]).toEqual([[], 1]);
  await expect(client.send({ ...request, cleaning: true })).rejects.toThrow(Untested);
  expect(time.waits[0]).toBe(60_000);
});

test('after 429 for more than a minute, no request is sent any more', async () => {
  const time = waitingTime();
  const client = new Client(
    target(async () => new Response('', { status: 429 })),
    new Redactor(),
    time,
  );
  await expect(client.send(request)).rejects.toThrow(Untested);
  expect(client.rate.waited).toBeGreaterThan(60_000);
  const sent = client.exchanges.length;
  await expect(client.send(request)).rejects.toMatchObject({ reason: 'rate-limited' });
  expect(client.exchanges.length).toBe(sent);
});

test('cleanup requests are still sent and retried; after one response, all requests are sent again', async () => {
  const time = waitingTime();
  let isLimited = true;
  const client = new Client(
    target(async () => new Response('', { status: isLimited ? 429 : 200 })),
    new Redactor(),
    time,
  );
  const cleaning = { ...request, cleaning: true };
  await expect(client.send(request)).rejects.toThrow(Untested);
  const before = client.exchanges.length;
  await expect(client.send(cleaning)).rejects.toThrow(Untested);
  expect(client.exchanges.length).toBe(2 * before);
  expect(client.rate.waited).toBeGreaterThan(120_000);
  // The target has returned only 429 for a minute, so the next cleanup request is sent once, without a wait.
  await expect(client.send(cleaning)).rejects.toThrow(Untested);
  expect(client.exchanges.length).toBe(2 * before + 1);
  isLimited = false;
  expect((await client.send(cleaning)).status).toBe(200);
  expect((await client.send(request)).status).toBe(200);
});

test('a run sends its requests evenly and does not exceed its rate', async () => {
  const time = waitingTime();
  const client = new Client({ ...target(async () => new Response('')), ratePerMinute: 3 }, new Redactor(), time);
  for (let sent = 0; sent < 7; sent += 1) await client.send(request);
  expect(time.waits).toEqual(Array.from({ length: 6 }, () => 20_000));
  expect(client.rate.peakPerMinute).toBe(3);
});

test('a sweep counts the requests of an earlier run in the same process', async () => {
  const server = createServer((_, response) => response.end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const time = waitingTime();
  const clientWith = (ratePerMinute: number) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new Client({ url, key: 'key-of-run', profile: {}, ratePerMinute }, new Redactor(), time);
  };
  const [first, sweep] = [clientWith(4), clientWith(2)];
  for (let sent = 0; sent < 4; sent += 1) await first.send(request);
  await sweep.send({ ...request, cleaning: true });
  await Promise.all([first.close(), sweep.close()]);
  server.close();
  // The first run ended at 45 s. With 2 requests a minute, the sweep may send its first request a minute after the last but one.
  expect(time.waits).toEqual([15_000, 15_000, 15_000, 45_000]);
});

test('reports contain the beginning of a long response, and the test gets all of it', async () => {
  const text = JSON.stringify(Array.from({ length: 10_000 }, () => 'long'));
  const client = new Client(
    target(async () => new Response(text)),
    new Redactor(),
  );
  const response = await client.send(request);
  expect((response.json as unknown[]).length).toBe(10_000);
  expect(response.exchange.body.length).toBeLessThan(2_100);
  expect(response.exchange.body).toMatch(/^\[.*… \(\d+ characters\)$/);
});

/** Returns a clock that advances to the next timer once no other work is left. */
function sharedTime(): Waiting {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const pass = () => {
    const next = sleepers.sort((a, b) => a.at - b.at).shift();
    if (!next) return;
    now = next.at;
    next.wake();
  };
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: now + ms, wake });
      setImmediate(pass);
    });
  return { now: () => now, sleep };
}

test('parallel requests do not exceed the rate, and their waiting time counts once', async () => {
  const time = sharedTime();
  const left: number[] = [];
  const fetch = async () => {
    left.push(time.now());
    return new Response('');
  };
  const client = new Client({ ...target(fetch), ratePerMinute: 3 }, new Redactor(), time);
  const waiting: boolean[] = [];
  await Promise.all(Array.from({ length: 8 }, () => client.send(request).then(() => waiting.push(client.rate.isWaiting))));
  expect(left).toEqual([0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000, 140_000]);
  expect(client.rate.peakPerMinute).toBe(3);
  expect(client.rate.waited).toBe(140_000);
  expect(client.rate.isWaiting).toBe(false);
});

test('the client is waiting while any request waits', async () => {
  const time = sharedTime();
  const statuses = [429, 429, 200, 429, 200];
  const client = new Client(
    target(async () => new Response('', { status: statuses.shift() ?? 500 })),
    new Redactor(),
    time,
  );
  const seen: [number, boolean][] = [];
  await Promise.all([1, 2].map(() => client.send(request).then(() => seen.push([time.now(), client.rate.isWaiting]))));
  expect(seen).toEqual([
    [1_000, true],
    [5_000, false],
  ]);
});

test('a request whose test has ended is not sent', async () => {
  const time = sharedTime();
  let unwanted = false;
  const client = new Client({ ...target(async () => new Response('')), ratePerMinute: 1 }, new Redactor(), time);
  await client.send(request);
  const second = client.send(request, () => unwanted);
  unwanted = true;
  await expect(second).rejects.toThrow('the deadline of this check is over');
  expect(client.exchanges.length).toBe(1);
});

test('requests carry the key, another key, or none, and a query without empty entries', async () => {
  const seen: string[] = [];
  const client = new Client(
    target(async (request) => {
      seen.push(`${new URL(request.url).search} ${request.headers.get('x-api-key')}`);
      return Response.json({ a: 1 });
    }),
    new Redactor(),
  );
  expect((await client.send({ ...request, query: { since: '2026-01-01T00:00:00+01:00', includeAll: undefined } })).json).toEqual({
    a: 1,
  });
  await client.send({ ...request, key: 'other' });
  await client.send({ ...request, key: null });
  expect(seen).toEqual(['?since=2026-01-01T00%3A00%3A00%2B01%3A00 key-of-run', ' other', ' null']);
});

test('placeholders replace secrets in every exchange', async () => {
  const redactor = new Redactor();
  redactor.learn('key-of-run', '«key»');
  redactor.learn('CODE0001', 'card#1');
  const client = new Client(
    target(async (request) => new Response(`${await request.text()} key-of-run`)),
    redactor,
  );
  await client.send({ method: 'POST', path: '/api/GiftCard/Create?code=CODE0001', body: { code: 'CODE0001' } });
  expect(client.exchanges[0]).toMatchObject({
    path: '/api/GiftCard/Create?code=card#1',
    requestBody: '{"code":"card#1"}',
    body: '{"code":"card#1"} «key»',
  });
});

test.each(['/api/Clock/hours?token=abcdefgh', 'https://clock.example.com/hours?token=abcdefgh'])(
  'of a request outside the service, to %s, only method, host and path are kept',
  async (url) => {
    const carry = vi
      .spyOn(Transport.prototype, 'send')
      .mockImplementation(async ({ headers }) => ({ status: 200, headers, contentType: 'text/plain', body: 'token abcdefgh' }));
    const client = new Client(
      target(async () => new Response()),
      new Redactor(),
    );
    const headers = { authorization: 'Bearer abcdefgh' };
    const { exchange } = await client.outside({ method: 'POST', url, headers, body: { secret: 'abcdefgh' } });
    expect(carry.mock.calls[0]?.[0]).toMatchObject({ path: expect.stringContaining('?token'), headers });
    expect(JSON.stringify(exchange)).not.toContain('abcdefgh');
    expect(exchange).toMatchObject({ method: 'POST', path: expect.stringMatching(/hours$/), status: 200, body: '' });
    expect(exchange.elsewhere).toBe(url.startsWith('/') ? undefined : 'link#1');
    carry.mockRejectedValue(new Error('refused'));
    await expect(client.outside({ method: 'POST', url })).rejects.toThrow(/hours got no response: refused$/);
    carry.mockRestore();
  },
);
