import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Mock, startMock } from '../index.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await startMock({ listen: false, seed: 1, world: { accounts: [{ id: 'main' }] } });
});
afterEach(() => mock.close());

/** Calls the control API for the account. */
async function control(method: string, path: string, body?: object) {
  const response = await mock.fetch(`/__mock/accounts/main${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  // biome-ignore lint/suspicious/noExplicitAny: the response has no type here. The tests compare its values.
  return { status: response.status, body: (await response.json()) as any };
}

function send(method: string, path: string, body?: object): Promise<Response> {
  return mock.fetch(path, { method, headers: { 'x-api-key': mock.apiKey }, ...(body ? { body: JSON.stringify(body) } : {}) });
}

test('a fault is set, listed, matched and removed through the control API', async () => {
  const lost = { fault: 'reset', operation: 'createGiftCard', when: 'after', first: 1 };
  expect(await control('POST', '/faults', lost)).toMatchObject({
    status: 201,
    body: { id: 'fault-1', verdict: 'unused', ...lost },
  });
  const card = { balance: 5, uniqueId: 'order-7' };
  await expect(send('POST', '/api/GiftCard/Create', card)).rejects.toThrow('fetch failed');
  expect((await control('GET', '/faults')).body).toMatchObject([
    { hits: 1, verdict: 'waiting', matches: [{ about: 'uniqueId "order-7"' }] },
  ]);
  expect((await send('POST', '/api/GiftCard/Create', card)).status).toBe(400);
  expect((await control('DELETE', '/faults/fault-1')).body).toMatchObject({ verdict: 'passed' });
  await control('POST', '/faults', { fault: 'status', status: 500 });
  expect((await control('DELETE', '/faults')).body).toMatchObject([{ verdict: 'unused' }]);
  expect((await send('GET', '/api/GiftCard/List')).status).toBe(200);
});

test('a fault of deliveries likewise, and deliveries are waited for, fired and sent again', async () => {
  expect((await control('POST', '/faults', { fault: 'unsigned' })).body).toMatchObject({
    id: 'fault-1',
    on: 'delivery',
    verdict: 'unused',
  });
  expect((await control('DELETE', '/faults/fault-1')).body).toMatchObject({ id: 'fault-1' });

  await send('POST', '/api/Webhook/Create', { url: 'http://127.0.0.1:1/' });
  const { code } = (await (await send('POST', '/api/GiftCard/Create', { balance: 5 })).json()) as { code: string };
  const fired = await control('POST', '/deliveries/fire', { topic: 'giftcard/reminder', card: code });
  expect(fired).toMatchObject({ status: 200, body: [{ topic: 'giftcard/reminder' }] });
  const [{ requestId }] = (await control('GET', '/deliveries?wait=1m&state=failed&topic=giftcard/reminder')).body;
  const again = await control('POST', `/deliveries/${requestId}/resend`);
  expect(again.body.attempts).toMatchObject([
    { kind: 'delivery' },
    { kind: 'resend', response: null, error: expect.any(String) },
  ]);
  expect((await control('GET', '/outbox?wait=1ms&kind=gifted')).body).toEqual([]);
  expect((await control('GET', '/suppressed?wait=1m&what=email')).body).toHaveLength(1);
});

test.each([
  ['/faults', { fault: 'resett' }, /resett/],
  ['/faults', { fault: 'status', status: 200 }, /status/],
  ['/faults', { fault: 'reset', operation: 'createCard' }, /createCard/],
  ['/faults', { fault: 'reset', often: 2 }, /often/],
  ['/faults', { fault: 'reset', first: 1, nth: 1 }, /first, nth and probability/],
  ['/deliveries/fire', { topic: 'giftcard/lost', card: 'A' }, /giftcard\/lost/],
])('%s with %o is refused with a sentence', async (path, body, sentence) => {
  const { status, body: refusal } = await control('POST', path, body);
  expect(status).toBe(400);
  expect(refusal.error).toMatch(sentence);
});

test.each(['wait=long', 'wait=11m', 'count=0', 'state=lost', 'since=then', 'topic=lost', 'colour=red'])(
  'deliveries?%s is refused with a sentence that names it',
  async (query) => {
    const { status, body } = await control('GET', `/deliveries?${query}`);
    expect(status).toBe(400);
    expect(body.error).toContain(query.split('=')[0]);
  },
);
