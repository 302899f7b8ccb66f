import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as listenTo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { decompress, isCut, Transport } from './transport.ts';

const url = 'http://127.0.0.1';
const sent = { method: 'GET', path: '/api', headers: {}, text: undefined };

const urlOf = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Returns a response whose body starts with `bytes` bytes and never ends. */
const endless = (bytes: number) =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(bytes)) }), { status: 200 });

test('the time-out covers the body, also without a socket', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spied = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(30));
  const carried = new Transport({ url, fetch: async () => endless(1) }).send(sent);
  await expect(carried).rejects.toThrow('no response within');
  spied.mockRestore();
});

test('a body that is too large is an error', async () => {
  const server = createServer((_, response) => response.end('x'.repeat(5_000_001))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = new Transport({ url: urlOf(server) });
  await expect(transport.send(sent)).rejects.toThrow(/exceed/i);
  await transport.close();
  server.close();
});

test('a response without a body is empty', async () => {
  expect(await new Transport({ url, fetch: async () => new Response(null, { status: 204 }) }).send(sent)).toMatchObject({
    body: '',
  });
});

/** Starts a server that responds to the first request of each connection. The server closes the connection at the second request. If `ends` is true, the server closes the connection after its response. `lines` counts connections. */
async function closing(response: string, ends = false) {
  let lines = 0;
  const server = listenTo((line) => {
    lines += 1;
    line.on('error', () => {});
    line.once('data', () => {
      line.write(response);
      if (ends) line.end();
      line.once('data', () => line.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = new Transport({ url: urlOf(server) });
  const carry = async (method: string) => {
    const { body } = await transport.send({ ...sent, method });
    await new Promise((done) => setImmediate(done));
    return body;
  };
  const close = async () => {
    await transport.close();
    server.close();
  };
  return { carry, close, lines: () => lines };
}

const yes = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes';

test.each(['GET', 'POST'])(
  'each %s has its own connection, because a server may close an idle one without notice',
  async (method) => {
    const { carry, close, lines } = await closing(yes);
    for (let time = 0; time < 6; time += 1) expect(await carry(method)).toBe('yes');
    expect(lines()).toBe(6);
    await close();
  },
);

test('a server that closes every connection without a response is an error', async () => {
  const server = listenTo((line) => line.once('data', () => line.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = new Transport({ url: urlOf(server) });
  await expect(transport.send(sent)).rejects.toThrow('other side closed');
  await transport.close();
  server.close();
});

test('a response without its end is an error, also on its own connection', async () => {
  const { carry, close } = await closing('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nyes', true);
  const [first, second] = [await carry('POST').catch(isCut), await carry('POST').catch(isCut)];
  expect([first, second]).toEqual([true, true]);
  await close();
});

test('ten requests of a burst are under way at the same time', async () => {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => {
    waiting.push(() => response.end('yes'));
    if (waiting.length === 10) for (const response of waiting) response();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const transport = new Transport({ url: urlOf(server), responseTimeout: 2_000 });
  const responses = await Promise.all(Array.from({ length: 10 }, () => transport.send(sent)));
  expect(responses.map(({ body }) => body)).toEqual(Array(10).fill('yes'));
  await transport.close();
  server.close();
});

test.each(['gzip', 'x-gzip', ' GZIP '])('%s names one encoding (RFC 9110, 8.4.1.3)', (encoding) => {
  expect(String(decompress(gzipSync('true'), encoding, 10))).toBe('true');
});

test.each(['constructor', '__proto__', 'other'])('a body of the unknown encoding %s stays as it is', (encoding) => {
  expect(String(decompress(Buffer.from('true'), encoding, 10))).toBe('true');
});

test('a response may have long headers', async () => {
  const { carry, close } = await closing(yes.replace('\r\n', `\r\nSet-Cookie: long=${'x'.repeat(40_000)}\r\n`));
  expect(await carry('GET')).toBe('yes');
  await close();
});

test.each(['over a socket', 'within the process'])(
  'a target that never responds (%s) is reported with the seconds',
  async (how) => {
    const server = createServer(() => undefined);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const never = () => new Promise<Response>(() => undefined);
    const transport = new Transport({
      url: urlOf(server),
      responseTimeout: 50,
      ...(how === 'over a socket' ? {} : { fetch: never }),
    });
    const sending = transport.send(sent);
    await expect(sending).rejects.toThrow(/^no response within 0\.05 s$/);
    await transport.close();
    server.closeAllConnections();
    server.close();
  },
);
