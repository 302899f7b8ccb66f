import { get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { NewFault } from '../control/generated/types.ts';
import { startMock } from '../index.ts';

/** One account with a card and a fault. Requests come over a socket and without a socket. */
async function mockWith(wanted: NewFault) {
  const mock = await startMock({ world: { accounts: [{ id: 'main', cards: [{ code: 'A', initialValue: 5 }] }] } });
  onTestFinished(() => mock.close());
  await mock.faults.set(wanted);
  const headers = { 'x-api-key': mock.apiKey };
  const path = '/api/GiftCard/GetByCode/A';
  const { port } = new URL(mock.url);
  return {
    mock,
    over: (init: RequestInit = {}) => fetch(`${mock.url}${path}`, { headers, ...init }),
    without: (init: RequestInit = {}) => mock.fetch(path, { headers, ...init }),
    raw: () =>
      new Promise<{ length: number; received: number }>((resolve, reject) => {
        get({ port, path, headers }, (response) => {
          let received = 0;
          response.on('data', (part: Buffer) => {
            received += part.length;
          });
          response.on('error', () => resolve({ length: Number(response.headers['content-length']), received }));
          response.on('end', () => reject(new Error('The response was complete.')));
        }).on('error', reject);
      }),
  };
}

test('a reset breaks the connection instead of a response, with and without a socket', async () => {
  const { over, without } = await mockWith({ fault: 'reset' });
  for (const send of [over, without]) {
    const error = await send().catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe('fetch failed');
    expect(error.cause.code).toBe('ECONNRESET');
  }
});

test('a truncated response has the whole length in its header and ends in the middle, with and without a socket', async () => {
  const { over, without, raw } = await mockWith({ fault: 'truncate' });
  for (const send of [over, without]) {
    const response = await send();
    expect(response.status).toBe(200);
    const error = await response.text().catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect([error.message, error.cause.code]).toEqual(['terminated', 'UND_ERR_SOCKET']);
  }
  const { length, received } = await raw();
  expect(received).toBe(length >> 1);
});

test('a delay sends the whole response late, and a client that waits for it has passed', async () => {
  const { mock, over, without } = await mockWith({ fault: 'delay', milliseconds: 30 });
  for (const send of [over, without]) expect(await (await send()).json()).toMatchObject({ code: 'A' });
  expect((await mock.faults.list())[0]).toMatchObject({ verdict: 'passed', hits: 2 });
});

test.each(['over', 'without'] as const)(
  'a client that does not wait for a late response has not passed: %s a socket',
  async (way) => {
    const { mock, [way]: send } = await mockWith({ fault: 'delay', milliseconds: 50 });
    expect(await send({ signal: AbortSignal.timeout(10) }).catch(({ name }) => name)).toBe('TimeoutError');
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect((await mock.faults.list())[0]).toMatchObject({ verdict: 'waiting', hits: 1 });
  },
);

test('closing the sandbox breaks off a late response', async () => {
  const { mock, without } = await mockWith({ fault: 'delay', milliseconds: 60_000 });
  const pending = without().catch((reason) => reason);
  await new Promise(setImmediate);
  await mock.close();
  const error = await pending;
  expect([error.message, error.cause.code]).toEqual(['fetch failed', 'UND_ERR_SOCKET']);
});
