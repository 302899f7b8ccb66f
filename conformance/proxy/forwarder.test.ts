import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { bodyOf, echo, endAll, endings, proxyTo, raw, spoken, target } from '../testing/passing-fixture.ts';

afterEach(endAll);

describe('nothing is changed that passes', () => {
  test.each([
    '/api/GiftCard/GetByCode/a%2Fb%20c+d%',
    '/api//x/../y/./z?a=1&a=2&&=%zz',
    '/api/GiftCard/List?',
    '/',
    '//api',
    '/%',
    '/a;b=c?d#',
  ])('the path %s', async (path) => {
    const { port } = await proxyTo(await target(echo));
    const told = await raw(port, `GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
    expect(bodyOf(told)[1]).toBe(path);
  });

  test('headers in their order, twice where they stand twice, in their letter case, but for the host and those of the connection', async () => {
    const url = await target(echo);
    const { port } = await proxyTo(url);
    const lines = [
      'X-Api-Key: the key',
      'HOST: shop.example',
      'x-two: 1',
      'X-TWO: 2',
      'Keep-Alive: timeout=5',
      'X-Own: here',
      'Connection: close, x-own',
      'Accept-Encoding: gzip',
    ];
    const told = await raw(port, `GET /api/x HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const headers = bodyOf(told)[2] as string[];
    const expected = ['X-Api-Key', 'the key', 'HOST', new URL(url).host, 'x-two', '1', 'X-TWO', '2', 'Accept-Encoding', 'gzip'];
    expect(headers.slice(0, expected.length)).toEqual(expected);
    expect(headers.slice(expected.length).map((each) => each.toLowerCase())).toEqual(['connection', 'keep-alive']);
  });

  test('status, its words, headers and bytes of an answer, packed ones too', async () => {
    const packed = gzipSync('{"a":1}');
    const url = await target((_, response) => {
      response.sendDate = false;
      response.writeHead(418, 'As It Is', [
        'Content-Encoding',
        'gzip',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Odd',
        'caf\xe9',
        'Content-Length',
        String(packed.length),
      ]);
      response.end(packed);
    });
    const { port, seen } = await proxyTo(url);
    const told = await raw(port, 'GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n');
    const [head = '', body = ''] = told.split('\r\n\r\n');
    expect(head.split('\r\n').slice(0, 6)).toEqual([
      'HTTP/1.1 418 As It Is',
      'Content-Encoding: gzip',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'X-Odd: caf\xe9',
      `Content-Length: ${packed.length}`,
    ]);
    expect(head).not.toMatch(/^date:/im);
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toBe('{"a":1}');
    expect(seen[0]?.answer?.body).toEqual(packed);
  });

  test.each([
    ['a body of a megabyte', 'POST', Buffer.alloc(1_048_576, 'ä')],
    ['a body of no text', 'POST', Buffer.from([0, 255, 13, 10, 128])],
    ['a body of a DELETE', 'DELETE', Buffer.from('{"why":1}')],
    ['no body', 'POST', Buffer.alloc(0)],
  ])('%s', async (_, method, body) => {
    let got = Buffer.alloc(0);
    const url = await target(async (incoming, response) => {
      got = await buffer(incoming);
      response.end(got);
    });
    const { port, seen } = await proxyTo(url);
    const answer = await new Promise<Buffer>((done) => {
      const asked = request(
        { port, host: '127.0.0.1', method, path: '/api/x', headers: { 'content-length': body.length } },
        (response) => {
          void buffer(response).then(done);
        },
      );
      asked.end(body);
    });
    expect([got.equals(body), answer.equals(body)]).toEqual([true, true]);
    expect(body.equals(seen[0]?.body as Buffer)).toBe(true);
  });

  test('chunks, and the trailers behind them, both ways', async () => {
    const url = await target(async (incoming, response) => {
      const body = await buffer(incoming);
      response.writeHead(200, {
        trailer: 'X-After',
        'x-te': String(incoming.headers.te),
        'x-announced': String(incoming.headers.trailer),
      });
      response.write(body);
      response.addTrailers([['X-After', `${incoming.rawTrailers}`]]);
      response.end();
    });
    const { port } = await proxyTo(url);
    const asked = (version: string) =>
      raw(
        port,
        `POST /api/x HTTP/${version}\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\nTrailer: X-Sum\r\nConnection: close, TE\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n`,
      );
    const told = await asked('1.1');
    expect(told).toMatch(/^trailer: X-After\r\nx-te: trailers\r\nx-announced: X-Sum\r$/m);
    expect(told).toMatch(/\r\nabcde\r\n0\r\nX-After: X-Sum,5\r\n\r\n$/);
    // Who cannot get them is told of none.
    const old = await asked('1.0');
    expect(old).toMatch(/\r\n\r\nabcde$/);
    expect(old).not.toMatch(/^trailer:/m);
  });

  test('an announcement of trailers where there can be none', async () => {
    const lines = (method: string) =>
      `HTTP/1.1 200 OK\r\nTrailer: X-After\r\n${method === 'HEAD' ? 'Transfer-Encoding: chunked' : 'Content-Length: 2'}\r\n\r\n${method === 'HEAD' ? '' : 'ok'}`;
    const { port } = await proxyTo(await spoken((asked) => lines(asked.split(' ')[0] ?? '')));
    for (const method of ['HEAD', 'GET'])
      expect(await raw(port, `${method} /api/x HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 200 OK\r\n(?!.*trailer)/is,
      );
  });

  test('answers before the answer', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nX-Odd: 1\r\n\r\n';
    const { port } = await proxyTo(await spoken(() => `${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`));
    const told = await raw(port, 'GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(told.startsWith(`${interim}HTTP/1.1 200 OK\r\n`)).toBe(true);
    expect(await raw(port, 'GET /api/x HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test('HEAD, whose answer has a length and no body', async () => {
    const url = await target((_, response) => response.writeHead(200, { 'content-length': 1234 }).end());
    const { port } = await proxyTo(url);
    const told = await raw(port, 'HEAD /api/x HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(told).toMatch(/content-length: 1234/);
    expect(told.endsWith('\r\n\r\n')).toBe(true);
  });

  test('answers without a body', async () => {
    const { port } = await proxyTo(await target((_, response) => response.writeHead(204).end()));
    expect(await raw(port, 'GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 204 No Content\r\n(?!.*content-length)/is,
    );
  });

  test('who asks for leave to send a body gets it from the target, or its refusal', async () => {
    const server = createServer();
    server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => {
      if (incoming.url === '/no') return response.writeHead(417).end();
      response.writeContinue();
      return echo(incoming, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    endings.push(() => server.close());
    const { port, seen } = await proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const asked = (path: string) =>
      raw(
        port,
        `POST ${path} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n${path === '/no' ? '' : 'ok'}`,
      );
    const told = await asked('/yes');
    expect(told).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/);
    expect(bodyOf(told.slice(25))[3]).toBe('ok');
    expect(await asked('/no')).toMatch(/^HTTP\/1.1 417/);
    // A body that was never sent is none that is missing.
    expect(seen.map(({ body }) => String(body))).toEqual(['ok', 'cut']);
  });

  test('requests that follow each other without waiting arrive in their order, on one connection', async () => {
    const order: unknown[] = [];
    const lines = new Set();
    const url = await target((incoming, response) => {
      lines.add(incoming.socket);
      order.push(incoming.url);
      setTimeout(() => response.end(incoming.url), incoming.url === '/1' ? 30 : 0);
    });
    const { port } = await proxyTo(url);
    const told = await raw(
      port,
      ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\n${path === '/3' ? 'Connection: close\r\n' : ''}\r\n`).join(''),
    );
    expect(order).toEqual(['/1', '/2', '/3']);
    expect(lines.size).toBe(1);
    expect(told.indexOf('/1')).toBeLessThan(told.indexOf('/2'));
  });

  test('below a base path of the target', async () => {
    const { port } = await proxyTo(`${await target(echo)}/below/`);
    expect(bodyOf(await raw(port, 'GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n'))[1]).toBe('/below/api/x');
  });
});
