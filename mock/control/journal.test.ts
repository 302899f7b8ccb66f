import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the response has no type here. The tests compare its values.
type Json = any;

test('the journal: filters, one entry, the chain, the advice, and refusals', async () => {
  await using mock = await startMock({ listen: false, seed: 1 });
  const get = async (path: string) => {
    const response = await mock.fetch(`/__mock${path}`);
    return { status: response.status, body: (await response.json()) as Json };
  };
  const send = (path: string, body: object, key = mock.apiKey) =>
    mock.fetch(`/api/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const card = (await (await send('GiftCard/Create', { balance: 20, code: 'MINE-1' })).json()) as Json;
  await send('GiftCard/Create', { balance: 20, code: 'MINE-1' });
  await send('GiftCard/Create', { balance: 20 }, 'nobodys');
  await mock.fetch('/__mock/accounts/main/cards/MINE-1/adjustments', { method: 'POST', body: JSON.stringify({ amount: 5 }) });
  await mock.settled();

  const { body } = await get('/accounts/main/journal?card=MINE-1');
  expect(body.entries.map(({ number, kind, what }: Record<string, unknown>) => [number, kind, what])).toEqual([
    [1, 'request', 'createGiftCard'],
    [2, 'request', 'createGiftCard'],
    [3, 'control', 'adjustCard'],
  ]);
  expect(
    (await get('/accounts/main/journal?refusal=gift-card.code-taken&status=400&operation=createGiftCard')).body.entries,
  ).toEqual([body.entries[1]]);
  expect((await get('/accounts/main/journal/3')).body).toEqual(body.entries[2]);
  const chain = (await get(`/accounts/main/cards/${card.id}/chain`)).body;
  expect(chain.causes.map(({ number, status }: Record<string, unknown>) => [number, status])).toEqual([
    [1, 200],
    [2, 400],
    [3, null],
  ]);
  expect((await get('/accounts/main/advice')).body).toMatchObject([{ name: 'create-without-unique-id', count: 1 }]);
  expect((await get('/journal')).body.entries).toMatchObject([{ number: 1, refusal: { code: 'auth.key-unknown' } }]);
  expect((await get('/advice')).body).toEqual([]);

  for (const [path, status, sentence] of [
    ['/accounts/main/journal/99', 404, 'The journal of main has no entry 99'],
    ['/accounts/main/journal/x', 400, 'number'],
    ['/accounts/main/journal?limit=0', 400, 'limit'],
    ['/accounts/main/journal?card=NONE', 404, 'NONE'],
    ['/accounts/main/journal?operation=createGiftcard', 400, 'Did you mean "createGiftCard"?'],
    ['/accounts/main/suppressed?what=zzz', 400, 'what'],
    ['/accounts/main/outbox?since=2020', 400, 'since'],
  ] as const)
    expect(await get(path)).toMatchObject({ status, body: { error: expect.stringContaining(sentence) } });
});
