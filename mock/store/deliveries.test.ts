import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { GIFTED, NOTIFIED } from '../testing/shop-fixture.ts';
import { LevelStore } from './level-store.ts';

/** Deliveries of a sandbox with a state, across polite ends and starts. */

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const start = () => startMock({ listen: false, state, rateLimit: 'off' });

async function send(mock: Mock, path: string, body: object): Promise<void> {
  const headers = { 'x-api-key': mock.apiKey };
  const response = await mock.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

const create = (mock: Mock, fields: object) => send(mock, '/api/GiftCard/Create', { balance: 25, ...fields });

test('are not sent again if the log had no place for them', { timeout: 60_000 }, async () => {
  const receiver = await TestReceiver.start();
  let respond = () => {};
  receiver.respond = (response) => {
    respond = () => response.writeHead(200).end();
  };
  const one = await start();
  await send(one, '/api/Webhook/Create', { url: receiver.url });
  for (let n = 0; n < 100; n++) await create(one, { ...GIFTED, giftMessage: 'm'.repeat(100_000) });
  await receiver.arrived(1);
  receiver.respond = 200;
  respond();
  await one.settled();
  expect(receiver.received).toHaveLength(100);
  await one.close();
  await using two = await start();
  await two.settled();
  expect(receiver.received).toHaveLength(100);
});

test('arrive at most once, also if the sandbox stops and starts many times', { timeout: 60_000 }, async () => {
  const receiver = await TestReceiver.start();
  receiver.respond = (response) => void setTimeout(() => response.writeHead(200).end(), 3);
  let mock = await start();
  await send(mock, '/api/Webhook/Create', { url: receiver.url });
  for (let n = 0; n < 100; n++) await create(mock, { ...NOTIFIED, code: `N-${n}` });
  for (let posts = 5; posts < 90; posts += 5) {
    await receiver.arrived(posts);
    await mock.close();
    mock = await start();
  }
  await mock.settled();
  expect(new Set(receiver.payloads.map(({ RequestId }) => RequestId)).size).toBe(receiver.received.length);
  const states = (await mock.deliveries.list()).map((each) => each.state);
  const unknown = states.filter((each) => each === 'unknown');
  // The sandbox stopped while it posted a delivery with an unknown result, so the receiver may have it or not.
  expect(receiver.received.length).toBeGreaterThanOrEqual(100 - unknown.length);
  expect(unknown.length).toBeLessThan(20);
  expect(states.filter((each) => each === 'delivered')).toHaveLength(100 - unknown.length);
  await mock.close();
});

test('are sent by the next start if the sandbox stops while the store learns that they begin', async () => {
  const receiver = await TestReceiver.start();
  const one = await start();
  await send(one, '/api/Webhook/Create', { url: receiver.url });
  const { write } = LevelStore.prototype;
  let proceed = () => {};
  const spy = vi.spyOn(LevelStore.prototype, 'write').mockImplementationOnce(async function (this: LevelStore, rows) {
    await new Promise<void>((resolve) => {
      proceed = resolve;
    });
    return write.call(this, rows);
  });
  const created = create(one, NOTIFIED).catch(() => {});
  await vi.waitFor(() => expect(spy).toHaveBeenCalled());
  const closed = one.close();
  proceed();
  await Promise.all([closed, created]);
  spy.mockRestore();
  await using two = await start();
  await two.settled();
  expect((await two.deliveries.list()).map(({ state }) => state)).toEqual(['delivered']);
  expect(receiver.received).toHaveLength(1);
});

test('a running clock runs on while the sandbox is stopped', async () => {
  const one = await start();
  await one.clock.run('2030-01-01T00:00:00Z');
  await one.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await using two = await start();
  const { nowUtc, mode } = await two.clock.read();
  expect(mode).toBe('running');
  expect(Date.parse(String(nowUtc))).toBeGreaterThanOrEqual(Date.parse('2030-01-01T00:00:00.050Z'));
});
