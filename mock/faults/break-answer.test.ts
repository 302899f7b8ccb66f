import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setFault } from '../control/faults.ts';
import type { NewFault } from '../control/generated/types.ts';
import { fetchFrom } from '../server/fetch.ts';
import { listen } from '../server/http.ts';
import { sandboxOf } from '../testing/fixture.ts';

/** One account with a card and a fault, asked through a socket and without one. */
async function doorsWith(wanted: NewFault) {
  const { sandbox, account, create } = sandboxOf();
  create({ code: 'A' });
  setFault(account, wanted);
  const answerer = (request: Parameters<typeof sandbox.handle>[0]) => {
    const { answer, fault } = sandbox.handle(request);
    return { answer, fault, at: account.clock.now() };
  };
  const { port, close } = await listen(answerer, '127.0.0.1', 0);
  onTestFinished(close);
  const headers = { 'x-api-key': account.keys[0]?.key as string };
  const path = '/api/GiftCard/GetByCode/A';
  return {
    account,
    sandbox,
    over: (init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init }),
    without: (init: RequestInit = {}) => fetchFrom(answerer)(`http://anywhere${path}`, { headers, ...init }),
    raw: () =>
      new Promise<{ length: number; got: number; error: string }>((resolve, reject) => {
        get({ port, path, headers }, (response) => {
          let got = 0;
          response.on('data', (part: Buffer) => {
            got += part.length;
          });
          response.on('error', ({ message }) =>
            resolve({ length: Number(response.headers['content-length']), got, error: message }),
          );
          response.on('end', () => reject(new Error('The answer came whole.')));
        }).on('error', reject);
      }),
  };
}

test('a reset breaks the connection instead of an answer, with and without a socket', async () => {
  const { over, without } = await doorsWith({ fault: 'reset' });
  for (const ask of [over, without]) {
    const error = await ask().catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe('fetch failed');
    expect(error.cause.code).toBe('ECONNRESET');
  }
});

test('a truncated answer promises the whole and ends in the middle, with and without a socket', async () => {
  const { over, without, raw } = await doorsWith({ fault: 'truncate' });
  for (const ask of [over, without]) {
    const answer = await ask();
    expect(answer.status).toBe(200);
    const error = await answer.text().catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect([error.message, error.cause.code]).toEqual(['terminated', 'UND_ERR_SOCKET']);
  }
  const { length, got } = await raw();
  expect(got).toBe(length >> 1);
});

test('a delay holds the whole answer back', async () => {
  const { over, without } = await doorsWith({ fault: 'delay', milliseconds: 30 });
  for (const ask of [over, without]) expect(await (await ask()).json()).toMatchObject({ code: 'A' });
});

test.each(['over', 'without'] as const)(
  'whoever does not wait for a late answer is not sent it, and is seen to have left: %s a socket',
  async (way) => {
    const { account, [way]: ask } = await doorsWith({ fault: 'delay', milliseconds: 60_000 });
    const strike = () => account.faults?.all()[0]?.strikes[0];
    const leaving = new AbortController();
    const asked = ask({ signal: leaving.signal }).catch(({ name }) => name);
    while (!strike()) await new Promise(setImmediate);
    expect(strike()?.sentence).toBe('No retry was seen yet.');
    leaving.abort();
    expect(await asked).toBe('AbortError');
    while (strike()?.sentence !== 'The caller hung up and has not asked again yet.') await new Promise(setImmediate);
  },
);

test('a late answer ends with the sandbox, and leaves nothing behind on the signal of who waited', async () => {
  const { sandbox, without } = await doorsWith({ fault: 'delay', milliseconds: 60_000 });
  const leaving = new AbortController();
  const [added, removed] = [
    vi.spyOn(AbortSignal.prototype, 'addEventListener'),
    vi.spyOn(AbortSignal.prototype, 'removeEventListener'),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  const asked = without({ signal: leaving.signal }).catch((reason) => reason);
  await new Promise(setImmediate);
  const late = added.mock.contexts.at(-1);
  await sandbox.close();
  const error = await asked;
  expect([error.message, error.cause.code]).toEqual(['fetch failed', 'UND_ERR_SOCKET']);
  expect(late).toBeInstanceOf(AbortSignal);
  expect(removed.mock.contexts).toContain(late);
});
