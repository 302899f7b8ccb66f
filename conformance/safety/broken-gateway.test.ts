import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import { createWithoutCode, tryCreate } from '../scenarios/cards.ts';
import { register } from '../scenarios/webhooks.ts';

/** Returns the fault of a gateway between the suite and the service. The service has carried out the request, and the gateway spoils the response. */
type Fault = (method: string, path: string, number: number) => 'cut' | 502 | 503 | 504 | undefined;

const name = 'gift-card.create.returns-200';

/** Creates a card with a code, a card without a code, and a webhook. Sends few requests, because each request is broken in its own run. */
const check = ruleTest(name, [], async (t) => {
  await tryCreate(t);
  await createWithoutCode(t);
  await register(t, 'https://receiver.example/gateway');
});

async function left(fault: Fault, lateAfter = 0) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let number = 0;
  const server = createServer(async (request, res) => {
    const { method = 'GET', url = '' } = request;
    const bytes = await buffer(request);
    const headers = { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' };
    const response = await mock.fetch(new Request(mock.url + url, { method, headers, body: bytes.length > 0 ? bytes : null }));
    number += 1;
    const happens = fault(method, url, number);
    if (happens === 'cut') request.socket.destroy();
    else if (happens !== undefined) res.writeHead(happens, { 'content-type': 'text/html' }).end('<html>no</html>');
    else res.writeHead(response.status, Object.fromEntries(response.headers)).end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const target = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: mock.apiKey,
    profile: {},
    lateAfter,
  };
  const waits: number[] = [];
  const session = openSession(target, { now: () => performance.now(), sleep: async (ms) => void waits.push(ms) });
  const { cards, recordsLeft } = await runRules({ target, names: [name], checks: [check], session });
  await session.client.close();
  server.closeAllConnections();
  server.close();
  await mock.close();
  return { cards, recordsLeft, waits, requests: number };
}

const none = { cards: { left: [] }, recordsLeft: [] };
const creates = (method: string, path: string) => method === 'POST' && path.endsWith('/GiftCard/Create');

test.each(['cut', 502, 503, 504] as const)('a create with a lost response (%s) leaves no card', async (how) => {
  const { cards, ...found } = await left((method, path) => (creates(method, path) ? how : undefined));
  expect({ cards, ...found }).toMatchObject(none);
  expect(cards.voided).toBeGreaterThan(0);
});

test.each(['cut', 503] as const)('one fault (%s) at any request of a run leaves nothing', async (how) => {
  const { requests } = await left(() => undefined);
  expect(requests).toBeGreaterThan(8);
  for (let at = 1; at <= requests; at += 1)
    expect({ at, ...(await left((_, __, number) => (number === at ? how : undefined))) }).toMatchObject(none);
});

test.each(['cut', 503] as const)('faults (%s) that each last for one request leave nothing', async (how) => {
  let last = '';
  const { waits, ...found } = await left((method, path) => {
    const isRepeat = last === method + path;
    last = isRepeat ? '' : method + path;
    return method === 'GET' && !isRepeat ? how : undefined;
  });
  expect(found).toMatchObject(none);
});

test('cleanup ends early if every request of it fails', async () => {
  const { cards, waits, requests } = await left((method) => (method === 'POST' ? undefined : 503), 1_000);
  expect(cards.left).not.toEqual([]);
  expect(waits).toEqual([1_000]);
  const { requests: usual } = await left(() => undefined);
  expect(requests).toBeLessThan(usual + 16);
});
