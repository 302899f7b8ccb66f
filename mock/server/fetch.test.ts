import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../index.ts';

async function unlistening() {
  const mock = await startMock({ listen: false });
  onTestFinished(mock.close);
  const headers = { 'x-api-key': mock.apiKey };
  const create = (init: RequestInit) => mock.fetch('/api/GiftCard/Create', { method: 'POST', headers, ...init });
  return { mock, headers, create };
}

/** A body whose end never comes. */
function endless(): RequestInit {
  return {
    body: new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{"balance": 5')) }),
    duplex: 'half',
  } as RequestInit;
}

test('an aborted request rejects with the reason and changes nothing', async () => {
  const { create, mock } = await unlistening();
  const before = await mock.journal.list();
  const signal = AbortSignal.abort(new Error('not wanted'));
  await expect(create({ body: '{"balance": 5}', signal })).rejects.toThrow('not wanted');
  expect(await mock.journal.list()).toEqual(before);
});

test.each<[string, (fixture: Awaited<ReturnType<typeof unlistening>>, signal: AbortSignal) => Promise<Response>]>([
  ['a request whose body never ends', ({ create }, signal) => create({ ...endless(), signal })],
  ['a request that waits', ({ mock }, signal) => mock.fetch('/__mock/accounts/main/outbox?wait=10m', { signal })],
])('%s can be aborted', async (_, send) => {
  const controller = new AbortController();
  const sent = send(await unlistening(), controller.signal);
  setImmediate(() => controller.abort());
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
});

test('a request whose body never ends is over when the mock closes', async () => {
  const { create, mock } = await unlistening();
  const sent = create(endless());
  setImmediate(mock.close);
  await expect(sent).rejects.toThrow('fetch failed');
});

test('many requests at once cause no warning', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const { mock, headers } = await unlistening();
  const { signal } = new AbortController();
  const responses = await Promise.all(Array.from({ length: 50 }, () => mock.fetch('/api/GiftCard/List', { headers, signal })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
