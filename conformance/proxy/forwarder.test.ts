import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type ForwardedExchange, leadsToProxy, OWN_RESPONSE, startForwarder, TOKEN_HEADER } from './forwarder.ts';

const servers: Server[] = [];
const forwarders: Awaited<ReturnType<typeof startForwarder>>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.close(0)));
});

async function targetOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function forwarderTo(target: string, token?: string) {
  const exchanges: ForwardedExchange[] = [];
  const forwarder = await startForwarder({
    target,
    host: '127.0.0.1',
    port: 0,
    token,
    begin: () => (each) => exchanges.push(each),
  });
  forwarders.push(forwarder);
  const over = async () => {
    for (const end = Date.now() + 5_000; exchanges.length === 0 && Date.now() < end; )
      await new Promise((next) => setTimeout(next, 5));
    return exchanges.at(-1);
  };
  return { url: forwarder.url, forwarder, exchanges, over };
}

async function bodyOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Sends a request with node's own client, because that client adds only the headers host and connection. */
async function send(url: string, method: string, path: string, headers: readonly string[] = [], body?: string) {
  const { hostname, port, host } = new URL(url);
  const outgoing = request({
    hostname,
    port,
    path,
    method,
    headers: headers[0] === 'Host' ? headers : ['Host', host, ...headers],
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { response, body: await bodyOf(response) };
}

test('a request and its response pass unchanged, except for headers of the connection', async () => {
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string } | undefined;
  const packed = gzipSync('{"a": 1}');
  const target = await targetOf(async (incoming, response) => {
    seen = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body: await bodyOf(incoming) };
    response.sendDate = false;
    response.writeHead(418, [
      'Content-Type',
      'text/x',
      'Set-Cookie',
      'a=1',
      'set-cookie',
      'b=2',
      'Content-Encoding',
      'gzip',
      'Content-Length',
      String(packed.length),
    ]);
    response.end(packed);
  });
  const { url, over } = await forwarderTo(`${target}/base/`);
  const headers = [
    'X-Api-Key',
    'k',
    'x-twice',
    '1',
    'X-Twice',
    '2',
    'Connection',
    'x-hop',
    'X-Hop',
    'h',
    'Content-Length',
    '5',
    TOKEN_HEADER,
    't',
  ];
  const { response } = await send(url, 'PUT', "/api//x/../y%2f?q=%41&q='", headers, 'hello');
  expect(seen).toMatchObject({ method: 'PUT', url: "/base/api//x/../y%2f?q=%41&q='", body: 'hello' });
  expect(seen?.headers).toMatchObject({ 'x-api-key': 'k', 'x-twice': '1, 2' });
  expect(Object.keys(seen?.headers ?? {}).join()).not.toMatch(/x-hop|forwarded|via|user-agent|token/);
  const { 'set-cookie': cookies, date, ...passed } = response.headers;
  expect([response.statusCode, cookies, date]).toEqual([418, ['a=1', 'b=2'], undefined]);
  expect(passed).toMatchObject({ 'content-type': 'text/x', 'content-encoding': 'gzip', 'content-length': String(packed.length) });
  expect(await over()).toMatchObject({
    method: 'PUT',
    body: Buffer.from('hello'),
    response: { status: 418, body: packed },
    loss: undefined,
  });
});

test.each<[string, string, string | undefined, readonly string[], number]>([
  ['no body', 'GET', undefined, [], 200],
  ['HEAD', 'HEAD', undefined, [], 200],
  ['a body in chunks', 'POST', 'hello', ['Transfer-Encoding', 'chunked'], 200],
  ['an empty body', 'POST', '', ['Content-Length', '0'], 200],
  ['a response without a body', 'DELETE', undefined, [], 204],
])('%s passes', async (_, method, body, headers, status) => {
  const target = await targetOf(async (incoming, response) => {
    response.writeHead(status);
    response.end(status === 204 ? undefined : `got ${await bodyOf(incoming)}`);
  });
  const { url, over } = await forwarderTo(target);
  const sent = await send(url, method, '/api/x', headers, body);
  expect([sent.response.statusCode, sent.body]).toEqual([status, method === 'HEAD' || status === 204 ? '' : `got ${body ?? ''}`]);
  expect(await over()).toMatchObject({ response: { status }, body: Buffer.from(body ?? ''), loss: undefined });
});

test('a target that does not listen is unreachable', async () => {
  const target = await targetOf(() => {});
  servers.splice(0)[0]?.close();
  const { url, over } = await forwarderTo(target);
  const { response } = await send(url, 'GET', '/');
  expect([response.statusCode, response.headers[OWN_RESPONSE]]).toEqual([502, 'no-response']);
  expect(await over()).toMatchObject({ response: undefined, loss: { reason: 'unreachable', code: 'ECONNREFUSED' } });
});

test('a target that closes without a response may have handled the request', async () => {
  const { url, over } = await forwarderTo(await targetOf((incoming) => incoming.socket.destroy()));
  const { response } = await send(url, 'POST', '/', ['Content-Length', '2'], '{}');
  expect([response.statusCode, response.headers[OWN_RESPONSE]]).toEqual([502, 'no-response']);
  expect(await over()).toMatchObject({ response: undefined, loss: { reason: 'incomplete' } });
});

test('the client gets an incomplete response as incomplete', async () => {
  const target = await targetOf((_, response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
  });
  const { url, over } = await forwarderTo(target);
  await expect(send(url, 'GET', '/')).rejects.toThrow();
  expect(await over()).toMatchObject({ response: undefined, loss: { reason: 'incomplete' } });
});

test('when a client closes early, the proxy closes the connection to the target', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const arrived = new Promise<void>((done) => {
    void targetOf((incoming) => {
      closed = once(incoming.socket, 'close');
      done();
    }).then(async (target) => {
      const { url, over } = await forwarderTo(target);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await arrived;
      socket.destroy();
      lost = over();
    });
  });
  let lost: Promise<ForwardedExchange | undefined> = Promise.resolve(undefined);
  await arrived;
  await closed;
  await expect.poll(() => lost).toMatchObject({ response: undefined, loss: { reason: 'incomplete' } });
});

test('nothing is forwarded without the token', async () => {
  const { url, exchanges } = await forwarderTo(await targetOf((_, response) => response.end('in')), 'secret');
  expect((await send(url, 'GET', '/')).response.statusCode).toBe(403);
  expect((await send(url, 'GET', '/', [TOKEN_HEADER, 'wrong'])).response.headers[OWN_RESPONSE]).toBe('token');
  expect(exchanges).toEqual([]);
  expect((await send(url, 'GET', '/', [TOKEN_HEADER, 'secret'])).body).toBe('in');
});

test('a web page whose name leads to this machine does not reach the target through a proxy without a token', async () => {
  const { url, exchanges } = await forwarderTo(await targetOf((_, response) => response.end('in')));
  for (const host of ['evil.example', 'localhost.evil.example:80', '127.0.0.1.evil.example']) {
    const { response, body } = await send(url, 'GET', '/', ['Host', host]);
    expect([response.statusCode, response.headers[OWN_RESPONSE]]).toEqual([403, 'host']);
    expect(body).toContain(`does not respond under the host ${host}; use 127.0.0.1`);
  }
  expect(exchanges).toEqual([]);
  for (const host of ['LOCALHOST:18', '[::1]:80', '127.0.0.1'])
    expect((await send(url, 'GET', '/', ['Host', host])).body).toBe('in');
});

test('close ends requests under way after its time', async () => {
  const { url, forwarder, over } = await forwarderTo(await targetOf(() => {}));
  const sending = send(url, 'GET', '/');
  await expect.poll(() => forwarder.underWay).toBe(1);
  const closing = forwarder.close(50);
  const { response } = await sending;
  await closing;
  expect([response.statusCode, response.headers[OWN_RESPONSE]]).toEqual([502, 'no-response']);
  expect(await over()).toMatchObject({ loss: { reason: 'incomplete' } });
});

test.each<[target: string, host: string, port: number, leads: boolean]>([
  ['http://127.0.0.1:8461/service', '127.0.0.1', 8461, true],
  ['http://localhost:8461', '127.0.0.1', 8461, true],
  ['http://localhost:8461', '0.0.0.0', 8461, true],
  ['http://127.0.0.1:8460', '127.0.0.1', 8461, false],
  ['http://192.0.2.1:8461', '0.0.0.0', 8461, false],
])('requests to %s arrive at a proxy on %s:%i: %s', (target, host, port, leads) => {
  expect(leadsToProxy(target, host, port)).toBe(leads);
});
