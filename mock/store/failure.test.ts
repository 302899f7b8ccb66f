import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED } from '../testing/shop-fixture.ts';
import { LevelStore } from './level-store.ts';

/** A store whose writes fail: the disk is full, or the connection is lost. */

const FULL = new Error('No space left on device');
let folder: string;
let state: string;
let mock: Mock;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  state = join(folder, 'state');
  mock = await startMock({ listen: false, state });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await mock.close();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, body?: object) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await mock.fetch(path, { method, headers: { 'x-api-key': mock.apiKey }, ...init });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
const create = (code: string) => send('POST', '/api/GiftCard/Create', { balance: 25, ...NOTIFIED, code, uniqueId: code });
const health = async () => JSON.parse((await send('GET', '/__mock/health')).text).status;

test('one write fails: 503 in plain text, nothing changed, and the repeated request works', async () => {
  await create('BEFORE');
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  expect(await create('LOST')).toMatchObject({ status: 503, type: 'text/plain; charset=utf-8' });
  expect((await send('GET', '/api/GiftCard/GetByCode/LOST')).status).toBe(404);
  expect((await send('GET', '/api/GiftCard/GetByCode/BEFORE')).status).toBe(200);
  expect((await create('LOST')).status).toBe(200);
  expect(await health()).toBe('ok');
});

test('every request of a failed write gets 503; later requests see none of their changes', async () => {
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  const responses = await Promise.all(['A', 'B', 'C'].map(create));
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
  for (const code of ['A', 'B', 'C']) expect((await send('GET', `/api/GiftCard/GetByCode/${code}`)).status).toBe(404);
});

test('while the store cannot be opened: degraded, and requests get 503; then the mock recovers by itself', async () => {
  await create('BEFORE');
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  const open = vi.spyOn(LevelStore, 'open').mockRejectedValue(FULL);
  expect((await create('LOST')).status).toBe(503);
  expect([await health(), (await send('GET', '/api/GiftCard/List')).status]).toEqual(['degraded', 503]);
  expect((await send('DELETE', '/__mock/accounts/basic')).status).toBe(503);
  await expect(mock.reset()).rejects.toMatchObject({ name: 'SandboxError', status: 503 });
  open.mockRestore();
  await vi.waitFor(async () => expect(await health()).toBe('ok'));
  expect(mock.accounts.length).toBe(3);
  expect((await send('GET', '/api/GiftCard/GetByCode/BEFORE')).status).toBe(200);
});

test('while every write fails: degraded, although the store can be opened and read', async () => {
  const write = vi.spyOn(LevelStore.prototype, 'write').mockRejectedValue(FULL);
  expect((await create('LOST')).status).toBe(503);
  expect([await health(), (await create('LOST')).status, await health()]).toEqual(['degraded', 503, 'degraded']);
  write.mockRestore();
  await vi.waitFor(async () => expect((await create('LOST')).status).toBe(200));
});

test('a slow request during which a write failed gets 503, even if the store works again', async () => {
  const receiver = await TestReceiver.start();
  await send('POST', '/api/Webhook/Create', { url: receiver.url });
  await create('SENT');
  await mock.settled();
  const [delivery] = await mock.deliveries.list();
  let respond = () => {};
  receiver.respond = (response) => {
    respond = () => response.writeHead(200).end();
  };
  const resent = send('POST', `/__mock/accounts/main/deliveries/${delivery?.requestId}/resend`);
  await receiver.arrived(2);
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  expect((await create('LOST')).status).toBe(503);
  expect((await send('GET', '/api/GiftCard/List')).status).toBe(200);
  respond();
  expect((await resent).status).toBe(503);
});

test('close waits for a recovery, so that the next sandbox can use the folder', async () => {
  const open = LevelStore.open;
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  await create('LOST');
  vi.spyOn(LevelStore, 'open').mockImplementationOnce(async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return open(...given);
  });
  const waiting = send('GET', '/api/GiftCard/List').catch(() => undefined);
  await new Promise(setImmediate);
  await mock.close();
  await waiting;
  mock = await startMock({ listen: false, state });
  expect((await send('GET', '/api/GiftCard/List')).status).toBe(200);
});

test('a recovery that takes long: requests get 503 after five seconds', async () => {
  const open = LevelStore.open;
  let finish = () => {};
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  await create('LOST');
  const opening = vi.spyOn(LevelStore, 'open').mockImplementationOnce(async (...given) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return open(...given);
  });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = [create('WAITS'), health()];
  await vi.waitFor(() => expect(opening).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(5000);
  expect(await Promise.all(waiting)).toEqual([expect.objectContaining({ status: 503 }), 'degraded']);
  finish();
});

test('the folder is deleted: when a write fails, the mock starts from the beginning', async () => {
  await create('BEFORE');
  rmSync(state, { recursive: true });
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  expect((await create('LOST')).status).toBe(503);
  expect((await send('GET', '/api/GiftCard/GetByCode/BEFORE')).status).toBe(404);
  expect((await send('GET', '/api/GiftCard/GetByCode/LOST')).status).toBe(404);
  expect((await send('GET', '/__mock/snapshot')).status).toBe(200);
  await create('AFTER');
  await mock.settled();
  expect(await mock.outbox.list()).toHaveLength(1);
});

test('a first write that fails ends the start with a sentence', async () => {
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  const other = startMock({ listen: false, state: join(folder, 'other') });
  await expect(other).rejects.toMatchObject({ name: 'StateFileError', message: expect.stringContaining('No space left') });
});

test('no delivery is posted before the store knows it, and none is posted twice', async () => {
  const receiver = await TestReceiver.start();
  let respond = () => {};
  receiver.respond = (response) => {
    respond = () => response.writeHead(200).end();
  };
  await send('POST', '/api/Webhook/Create', { url: receiver.url });
  await create('FIRST');
  await receiver.arrived(1);
  await create('SECOND');
  const write = vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(FULL);
  receiver.respond = 200;
  respond();
  await vi.waitFor(() => expect(write).toHaveBeenCalled());
  expect((await send('GET', '/api/GiftCard/GetByCode/SECOND')).status).toBe(200);
  await mock.settled();
  expect(receiver.payloads.map((payload) => payload.Code)).toEqual(['FIRST', 'SECOND']);
  expect((await mock.deliveries.list()).map(({ state }) => state)).toEqual(['unknown', 'delivered']);
});

test.each([
  ['the void', 1],
  ['the claim of its delivery', 2],
])('%s is not written: later writes store no delivery of it, and no other is replaced', async (_, failing) => {
  const receiver = await TestReceiver.start();
  await send('POST', '/api/Webhook/Create', { url: receiver.url });
  await create('KEPT');
  await mock.settled();
  const write = LevelStore.prototype.write;
  let writes = 0;
  vi.spyOn(LevelStore.prototype, 'write').mockImplementation(function (this: LevelStore, rows) {
    return ++writes === failing ? Promise.reject(FULL) : write.call(this, rows);
  });
  const voided = await send('DELETE', '/api/GiftCard/VoidByCode/KEPT');
  await vi.waitFor(() => expect(writes).toBeGreaterThanOrEqual(failing));
  await vi.waitFor(async () => expect((await create('AFTER')).status).toBe(200));
  await mock.settled();
  await mock.close();
  mock = await startMock({ listen: false, state });
  await mock.settled();
  const isVoided = (await send('GET', '/api/GiftCard/GetByCode/KEPT')).text.includes('"Voided"');
  expect(isVoided).toBe(voided.status === 200);
  const sent = receiver.payloads.map(({ Code, WebhookTopic }) => `${WebhookTopic} ${Code}`).toSorted();
  expect(sent).toEqual(
    ['giftcard/updated KEPT', ...(isVoided ? ['giftcard/voided KEPT'] : []), 'giftcard/updated AFTER'].toSorted(),
  );
  const recorded = (await mock.deliveries.list()).map(({ requestId }) => requestId).toSorted();
  expect(recorded).toEqual(receiver.payloads.map(({ RequestId }) => RequestId).toSorted());
});

test('a last write that fails: close rejects with a sentence, and the next start has everything before', async () => {
  await create('BEFORE');
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValue(FULL);
  expect((await create('LOST')).status).toBe(503);
  await expect(mock.close()).rejects.toThrow(/^The last changes could not be written to .*No space left/);
  vi.restoreAllMocks();
  mock = await startMock({ listen: false, state });
  expect((await send('GET', '/api/GiftCard/GetByCode/BEFORE')).status).toBe(200);
});
