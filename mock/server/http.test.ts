import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import { LARGEST_BODY } from '../pipeline/exchange.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await startMock({ rateLimit: 'off', seed: 1, allowHosts: ['X'] });
});
afterEach(() => mock.close());

const port = () => Number(new URL(mock.url).port);
const key = () => ({ 'x-api-key': mock.apiKey });

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The parts of the body, which are sent one after another. Without a length in the headers, the body is chunked. */
  readonly chunks?: readonly (string | Buffer)[];
  readonly agent?: Agent;
}

/** Sends one request over a socket. */
function send(path: string, { method = 'GET', headers = {}, chunks = [], agent }: Sending = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port: port(), path, method, headers, ...(agent ? { agent } : {}) }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() });
      });
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}

/** Returns all bytes that the server sends in response to these bytes, until the connection is closed. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port(), '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (part) => {
      got += part;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

const create = '/api/GiftCard/Create';

describe('a response', () => {
  test('has its content type, its length in bytes and the time', async () => {
    const body = JSON.stringify({ balance: 5, notes: 'Grüße 🎁' });
    const { status, headers, body: response } = await send(create, { method: 'POST', headers: key(), chunks: [body] });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(response));
    expect(JSON.parse(response).notes).toContain('Grüße 🎁');
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(5000);
    const ours = Object.keys(headers).filter((name) => !['connection', 'keep-alive'].includes(name));
    expect(ours.sort()).toEqual(['content-length', 'content-type', 'date']);
  });

  test('to HEAD is the response to GET without the body', async () => {
    const [head, get] = [
      await send('/api/GiftCard/List', { method: 'HEAD', headers: key() }),
      await send('/api/GiftCard/List', { headers: key() }),
    ];
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('does not allow a page of another origin to read it', async () => {
    const headers = { ...key(), origin: 'https://page.example' };
    expect((await send('/api/GiftCard/List', { headers })).headers['access-control-allow-origin']).toBeUndefined();
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    expect((await send(create, { method: 'OPTIONS', headers: preflight })).status).toBe(404);
  });
});

test('a mock on loopback responds only under hosts that mean this machine, and allowed hosts', async () => {
  await using open = await startMock({ host: '0.0.0.0', publicUrl: 'https://cards.example', controlPort: 0 });
  await using shown = await startMock({ publicUrl: 'https://cards.example', controlPort: 0 });
  const status = async (url: string | undefined, host: string) => {
    const outgoing = request(`${url}/api/GiftCard/List`, { headers: { host } }).end();
    const [response] = await once(outgoing, 'response');
    return [response.statusCode, String(await response.setEncoding('utf8').toArray())];
  };
  const accepted = ['x', 'x:80', 'X', '127.1.2.3', '[::1]:1', 'LocalHost:3000'];
  for (const host of accepted) expect([host, (await status(mock.url, host))[0]]).toEqual([host, 401]);
  for (const host of ['page.example:8460', 'x.example', 'sandbox.invalid', '127.0.0.1.example', 'constructor', '0.0.0.0']) {
    for (const url of [mock.url, shown.url, shown.controlUrl]) expect([host, (await status(url, host))[0]]).toEqual([host, 403]);
    for (const url of [open.url, open.controlUrl]) expect([host, (await status(url, host))[0]]).toEqual([host, 401]);
  }
  expect((await status(shown.controlUrl, 'cards.example'))[0]).toBe(401);
  expect((await status(mock.url, 'Page.example:8460'))[1]).toMatch(
    /^[^.]+ Page\.example:8460; .*--allow-host page\.example .*\.\n$/,
  );
  expect(await raw('GET /api/GiftCard/List HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
  expect((await mock.fetch('https://page.example/api/GiftCard/List')).status).toBe(401);
});

describe('a body', () => {
  const padded = (size: number) => `{"balance": 5, "notes": "${'x'.repeat(size - 27)}"}`;

  test('of the largest size is read, in one part or many', async () => {
    const body = Buffer.from(padded(LARGEST_BODY));
    expect(body.length).toBe(LARGEST_BODY);
    const pieces = [body.subarray(0, 7), body.subarray(7, 500_000), body.subarray(500_000)];
    expect((await send(create, { method: 'POST', headers: key(), chunks: pieces })).status).toBe(200);
  });

  test('split within a character is joined again', async () => {
    const body = Buffer.from('{"balance": 5, "giftMessage": "ü"}');
    const at = body.indexOf('ü') + 1;
    const { body: response } = await send(create, {
      method: 'POST',
      headers: key(),
      chunks: [body.subarray(0, at), body.subarray(at)],
    });
    expect(JSON.parse(response).giftMessage).toBe('ü');
  });

  test.each([
    ['chunked', true],
    ['with its length', false],
  ])('a byte too large, %s, is 413, also without a key and for an unknown path', async (_, chunked) => {
    const body = padded(LARGEST_BODY + 1);
    const length: Record<string, string> = chunked ? {} : { 'content-length': String(body.length) };
    for (const [path, headers] of [
      [create, key()],
      [create, {}],
      ['/api/Nowhere', { 'x-api-key': 'wrong' }],
    ] as const) {
      const got = await send(path, { method: 'POST', headers: { ...headers, ...length }, chunks: [body] });
      expect([got.status, got.headers['content-type']]).toEqual([413, 'text/plain; charset=utf-8']);
    }
    expect(
      JSON.parse((await send('/api/GiftCard/List?since=2026-01-01T00:00:00Z&pageSize=1', { headers: key() })).body),
    ).toBeTruthy();
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', ''])(
    'is read as JSON when its type is said to be %j',
    async (type) => {
      const headers = { ...key(), 'content-type': type };
      expect((await send(create, { method: 'POST', headers, chunks: ['{"balance": 5}'] })).status).toBe(200);
    },
  );

  test('of no bytes is 400, with a length of 0 or without any', async () => {
    for (const headers of [{ ...key(), 'content-length': '0' }, key()]) {
      expect((await send(create, { method: 'POST', headers })).status).toBe(400);
    }
  });

  test('with "Expect: 100-continue" gets a 100 first', async () => {
    const text = `POST ${create} HTTP/1.1\r\nhost: x\r\nx-api-key: ${mock.apiKey}\r\nexpect: 100-continue\r\ncontent-length: 14\r\nconnection: close\r\n\r\n{"balance": 5}`;
    const got = await raw(text);
    expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});

describe('HTTP', () => {
  const rest = () => `x-api-key: ${mock.apiKey}\r\nconnection: close\r\n\r\n`;

  test.each([
    ['rubbish', 'rubbish\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a length and chunks', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['a chunk of no size', 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'],
  ])('that is not HTTP (%s) gets 400 in plain text', async (_, text) => {
    const got = await raw(text);
    expect(got).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
    expect(got).toMatch(/connection: close\r\n\r\n\S/);
  });

  test('with headers too large is 431', async () => {
    expect(await raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each([
    ['without a host', () => `GET /api/GiftCard/List HTTP/1.1\r\n${rest()}`],
    ['of 1.0', () => `GET /api/GiftCard/List HTTP/1.0\r\n${rest()}`],
    ['with an expectation of its own', () => `GET /api/GiftCard/List HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\n${rest()}`],
    ['that would be something else', () => `GET /api/GiftCard/List HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\n${rest()}`],
    ['with the whole address', () => `GET http://api.example/api/GiftCard/List HTTP/1.1\r\nhost: x\r\n${rest()}`],
    [
      'with the whole address and a port',
      () => `GET HTTP://api.example:80/api/GiftCard/List?pageSize=1 HTTP/1.1\r\nhost: x\r\n${rest()}`,
    ],
  ])('%s reaches the service', async (_, text) => {
    expect(await raw(text())).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test.each(['*', 'http://api.example', 'http://api.example?x=1', '//api.example/api/GiftCard/List'])(
    'of the target %s gets 404',
    async (target) => {
      expect(await raw(`OPTIONS ${target} HTTP/1.1\r\nhost: x\r\n${rest()}`)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test('keeps a connection for the next request, also after a refusal', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses = [];
    for (const [path, headers] of [
      ['/api/GiftCard/List', key()],
      ['/api/GiftCard/List', {}],
      ['/api/Nowhere', key()],
      ['/api/GiftCard/List', key()],
    ] as const) {
      statuses.push((await send(path, { headers, agent })).status);
    }
    expect(statuses).toEqual([200, 401, 404, 200]);
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
  });

  test('requests sent without waiting get responses in their order', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${mock.apiKey}\r\n`;
    const got = await raw(
      `${get('/__mock/openapi.yaml')}\r\n${get('/api/Nowhere')}\r\n${get('/api/GiftCard/List')}connection: close\r\n\r\n`,
    );
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('a client that leaves within a body causes no defect', async () => {
    const socket = connect(port(), '127.0.0.1');
    await new Promise<void>((resolve) =>
      socket.write(`POST ${create} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`, () => resolve()),
    );
    socket.destroy();
    expect((await send('/api/GiftCard/List', { headers: key() })).status).toBe(200);
    expect(JSON.parse((await send('/__mock/health')).body).status).toBe('ok');
  });
});

test('pipelined requests run in their order, with and without a body', async () => {
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${mock.apiKey}\r\n${more}\r\n`;
  const post = (path: string, body: string) =>
    `${head(`POST ${path}`, `content-type: application/json\r\ncontent-length: ${body.length}\r\n`)}${body}`;
  const got = await raw(
    [
      post(create, '{"balance":5,"code":"PIPED"}'),
      head('GET /api/GiftCard/GetByCode/PIPED'),
      post(create, '{"balance":5,"code":"PIPED-2"}'),
      post(create, '{"balance":5,"code":"PIPED-3"}'),
      head('DELETE /api/GiftCard/VoidByCode/PIPED-3'),
      head('GET /api/GiftCard/GetByCode/PIPED-3', 'connection: close\r\n'),
    ].join(''),
  );
  expect([...got.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual(Array(6).fill('200'));
  expect(got.slice(got.lastIndexOf('HTTP/1.1'))).toContain('"status":"Voided"');
});

test('closing does not wait for idle connections while requests come in', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  let count = 0;
  const load = Array.from({ length: 20 }, async () => {
    try {
      for (;;) {
        await send(create, { method: 'POST', headers: key(), chunks: ['{"balance": 5}'], agent });
        count++;
      }
    } catch {
      return 'closed';
    }
  });
  while (count < 100) await send('/api/GiftCard/List', { headers: key() });
  const idle = connect(port(), '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  const started = performance.now();
  await mock.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(new Set(await Promise.all(load))).toEqual(new Set(['closed']));
  idle.destroy();
  agent.destroy();
});
