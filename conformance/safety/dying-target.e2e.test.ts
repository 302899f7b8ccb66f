import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { command, endAll, folder } from '../../cli/conformance/main-fixture.ts';
import { startMock } from '../../mock/index.ts';
import { LedgerFolder } from './ledger-folder.ts';

afterEach(endAll);

/** Serves a mock. Ends after `last` requests, and starts again after `restartAfter` milliseconds. Returns the codes of the created cards. */
async function mortal(last: number, restartAfter?: number) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const codes: string[] = [];
  let received = 0;
  const server = createServer(async (request, res) => {
    received += 1;
    const isLast = received === last;
    const body = await buffer(request);
    if (request.url === '/api/GiftCard/Create') codes.push((JSON.parse(body.toString()) as { code: string }).code);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = 'GET' } = request;
    const response = await mock.fetch(
      new Request(`${mock.url}${request.url}`, { method, headers, body: method === 'POST' ? body : null }),
    );
    res.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '', connection: 'close' });
    res.end(Buffer.from(await response.arrayBuffer()));
    if (!isLast) return;
    await once(res, 'close');
    server.close();
    if (restartAfter === undefined) return;
    await pause(restartAfter);
    server.listen(port, '127.0.0.1');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    await mock.close();
  };
  return { url: `http://127.0.0.1:${port}`, key: mock.apiKey, codes, close, received: () => received };
}

async function runOn(service: Awaited<ReturnType<typeof mortal>>, ...argv: string[]) {
  const ledger = folder();
  const start = performance.now();
  const flags = ['--target', service.url, '--mode', 'full', '--ledger', ledger];
  const result = await command([...argv, ...flags], { GIFTCARD_API_KEY: service.key });
  const { entries } = await new LedgerFolder(ledger, service.url).read();
  await service.close();
  return { ...result, entries, seconds: (performance.now() - start) / 1_000 };
}

const rules = ['run', 'list.page-size-default', 'gift-card.*', 'adjustment.*', 'webhook.*'];

test('a target that is gone before the first card ends the run with exit code 3, and nothing is in the ledger', async () => {
  const { code, out, entries, seconds } = await runOn(await mortal(4), ...rules);
  expect(code).toBe(3);
  expect(out).toMatch(/the target has not responded since request \d+ \((GET|POST) \/api\/.*UTC\)/);
  expect(out).toMatch(/interrupted after \d of \d+ rules/);
  expect(entries).toEqual([]);
  expect(seconds).toBeLessThan(10);
});

test('a target that is gone later ends the run with exit code 5, and the ledger has only cards whose creation was sent', async () => {
  const service = await mortal(40);
  const { code, out, entries, seconds } = await runOn(service, ...rules);
  expect(code).toBe(5);
  expect(out).toMatch(/since request \d+/);
  expect(entries.length).toBeGreaterThan(0);
  const sent = entries.filter((entry) => entry.kind === 'card' && service.codes.includes(entry.code));
  expect(sent.length).toBe(entries.length);
  expect(seconds).toBeLessThan(10);
});

test('the sequences of fuzz end with exit code 3 or 5', async () => {
  const { code, out, seconds } = await runOn(await mortal(60), 'fuzz', 'sequences');
  expect([3, 5]).toContain(code);
  expect(out).toMatch(/ECONNREFUSED|left behind/);
  expect(seconds).toBeLessThan(15);
});

test('a target that restarts within a second is tested to the end', async () => {
  const service = await mortal(20, 700);
  const { code, out, entries } = await runOn(service, 'run', 'gift-card.create.*');
  expect([code, entries]).toEqual([0, []]);
  expect(out).not.toContain('has not responded');
  expect(service.received()).toBeGreaterThan(25);
});
