import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { type Check, checks } from '../core/clause.ts';
import { startHasty } from '../http/hasty-fixture.ts';
import '../probes/index.ts';
import { runClauses } from '../core/run.ts';
import { Transport } from '../http/transport.ts';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise<void>((done) => server.close(() => done())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a refusal on sight of the head of a large request is read, though the line is closed with it', async () => {
  const { url: base, close } = await startHasty();
  ends.push(close);
  const transport = new Transport(undefined);
  const text = ' '.repeat(8_000_000);
  const sent = { base, own: true, odd: false, method: 'POST', path: '/api', headers: {}, text };
  for (let time = 0; time < 12; time += 1) expect(await transport.send(sent)).toMatchObject({ status: 413, body: 'no!' });
  await transport.close();
});

test('a large body arrives whole, and says how large it is', async () => {
  const base = await listening(
    createServer(async (request, response) => {
      const { length } = await buffer(request);
      response.end(`${request.headers['content-length']} ${length}`);
    }),
  );
  const transport = new Transport(undefined);
  const sent = { base, own: true, odd: false, method: 'POST', path: '/api', headers: {}, text: 'é'.repeat(30_000) };
  expect(await transport.send(sent)).toMatchObject({ body: '60000 60000' });
  await transport.close();
});

/** Runs what is asked about large bodies against the mock behind a door of its own. */
async function asked(closes: (size: number, times: number) => boolean) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  ends.push(() => mock.close());
  let times = 0;
  const door: RequestListener = async (request, response) => {
    const size = Number(request.headers['content-length'] ?? 0);
    if (size > 100_000) times += 1;
    if (closes(size, times)) {
      request.socket.destroy();
      return;
    }
    const { method = 'GET', url } = request;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const body = method === 'GET' ? null : await buffer(request);
    const answer = await mock.fetch(new Request(mock.url + url, { method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  const url = await listening(createServer(door));
  const about: readonly Check['name'][] = ['http.body-size-limit', 'http.body-too-large-status', 'http.order.size-or-key'];
  const target = { url, key: mock.apiKey, profile: { noRateLimit: true } };
  const { clauses } = await runClauses({ target, names: about, checks: checks(), suite: 'test' });
  return Object.fromEntries(
    clauses.map(({ name, verdict, observation, detail }) => [name, observation?.text ?? `${verdict} ${detail}`]),
  );
}

const closed = 'closes the connection, twice';

test('where the connection is closed over a body that is too large, that is what is observed', async () => {
  expect(await asked((size) => size > 1_048_576)).toEqual({
    'http.body-size-limit': '1-mebibyte',
    'http.body-too-large-status': closed,
    'http.order.size-or-key': closed,
  });
});

test('nor is a smaller limit that closes anything else', async () => {
  expect(await asked((size) => size > 100_000)).toMatchObject({ 'http.body-size-limit': closed });
});

test('a line that broke once is no observation', async () => {
  expect(await asked((size, times) => size > 100_000 && times % 2 === 1)).toMatchObject({
    'http.body-too-large-status': '413',
  });
});
