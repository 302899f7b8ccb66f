import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { generate } from 'selfsigned';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { command, endAll, env, fewCards, folder, serveFixture } from '../../cli/conformance/main-fixture.ts';
import { startMock } from '../../mock/index.ts';
import { startForwarder } from '../proxy/forwarder.ts';
import { examine, TARGET_HEADER } from './trust.ts';

afterEach(endAll);

const mock = await startMock({ listen: false });
const inProcess = (fetch: (request: Request) => Promise<Response>) => examine({ url: 'http://127.0.0.1', fetch });
const toMock = (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return mock.fetch(new Request(mock.url + pathname + search, request));
};

test('a mock proves itself by its journal', async () => {
  expect(await inProcess(toMock)).toMatchObject({ place: 'mock', service: 'http://127.0.0.1' });
});

test('a gateway that sends only /__mock to a mock is not the mock', async () => {
  const split = async (request: Request) =>
    request.url.includes('/__mock') ? toMock(request) : new Response('', { status: 401, headers: {} });
  expect(await inProcess(split)).toMatchObject({ place: 'near', because: expect.stringContaining('journal') });
});

test('the examination sends no key, changes nothing, and never fails', async () => {
  const seen: (string | null)[] = [];
  const trust = await inProcess(async (request) => {
    seen.push(request.method, request.headers.get('x-api-key'));
    throw new Error('refused');
  });
  expect([trust.place, seen]).toEqual(['near', ['GET', null]]);
});

test.each([
  ['https://live.example.com/', { place: 'remote', service: 'https://live.example.com' }],
  ['https://live.example.com/shop', { place: 'remote', service: 'https://live.example.com/shop' }],
  ['http://127.0.0.1:8460', { place: 'near', service: 'http://127.0.0.1:8460' }],
  ['nonsense', { place: 'near', service: 'http://127.0.0.1' }],
])('a proxy that names %s can only lower trust', async (named, expected) => {
  expect(await inProcess(async () => new Response('', { headers: { [TARGET_HEADER]: named } }))).toMatchObject(expected);
});

const proxyTo = (target: string) => startForwarder({ target, host: '127.0.0.1', port: 0, begin: () => () => {} });

test('a proxy to a mock leads to the mock, also through a second proxy, and names the mock', async () => {
  const real = await startMock({ port: 0 });
  const inner = await proxyTo(real.url);
  const outer = await proxyTo(inner.url);
  expect(await examine({ url: outer.url })).toEqual({ place: 'mock', service: real.url, because: '' });
  await Promise.all([outer.close(0), inner.close(0), real.close()]);
});

/** Serves a mock over https below the path /shop. Its voids fail. Returns its base URL. */
async function secureShop(): Promise<string> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const server = createSecureServer({ cert, key }, async (request, res) => {
    const { method = 'GET', url = '' } = request;
    if (!url.startsWith('/shop/') || method === 'DELETE') return res.writeHead(url.startsWith('/shop/') ? 500 : 404).end();
    const sent = new Request(mock.url + url.slice('/shop'.length), {
      method,
      headers: request.headers['x-api-key'] === undefined ? {} : { 'x-api-key': mock.apiKey },
      body: method === 'GET' ? null : await buffer(request),
    });
    const response = await mock.fetch(sent);
    res.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' }).end(await response.text());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
}

test.each([
  ['the proxy', '/shop', '', ''],
  ['the client', '', '/shop', ''],
  ['the client of two proxies', '', '', '/shop'],
])(
  'a proxy to an https target with a path names the whole base URL, also if %s adds the path',
  async (_, first, second, third) => {
    const service = await secureShop();
    const inner = await proxyTo(service.replace('/shop', first));
    const outer = await proxyTo(inner.url + second);
    const url = outer.url + third;
    expect(await examine({ url })).toEqual({ place: 'mock', service, because: '' });
    expect((await command(['run', '--target', url, '--mode', 'full', 'gift-card.create.returns-200'])).code).toBe(5);
    expect((await command(['ledger', '--target', service])).out).toMatch(/created/);
    expect((await command(['ledger', '--target', service.replace('/shop', '')])).out).not.toMatch(/created/);
    await Promise.all([outer.close(0), inner.close(0)]);
  },
);

/** A server that counts the created cards, and a TCP tunnel to it, as ssh -L opens one. */
async function tunneled() {
  let created = 0;
  const cards = fewCards(404);
  const { url, requests } = await serveFixture((request, res) => {
    if (request.url === '/api/Webhook/List') return res.writeHead(200).end('[]');
    if (request.url === '/api/GiftCard/Create') created += 1;
    return cards(request, res);
  });
  const tunnel = createServer((socket) => {
    const through = connect(Number(new URL(url).port), '127.0.0.1');
    socket
      .on('error', () => {})
      .pipe(through.on('error', () => {}))
      .pipe(socket);
  });
  await new Promise<void>((done) => tunnel.listen(0, '127.0.0.1', done));
  const { port } = tunnel.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, created: () => created, close: () => tunnel.close() };
}

test('a run through a tunnel is a safe run, and says why', async () => {
  const { url, created, requests, close } = await tunneled();
  const { out, err } = await command(['run', '--target', url, '--rate', '100000', 'gift-card.*', 'adjustment.*', 'automation.*']);
  close();
  expect(created()).toBeGreaterThan(0);
  expect(created()).toBeLessThanOrEqual(5);
  expect(requests.filter((each) => /Automation|Webhook\/(?!List)/.test(each))).toEqual([]);
  expect(err).toMatch(/^http:\/\/127.0.0.1:\d+: safe mode \(.*--mode full/);
  expect(out).toMatch(/ · safe mode \(not the mock; --mode full/);
});

/** Returns a function that sends the requests of this process to another server. */
const forwardTo = (url: string) => (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return fetch(new Request(url + pathname + search, request));
};

test.each(['a tunnel', 'a function in this process'])('learn through %s is a safe run, and says why', async (how) => {
  const { url, created, requests, close } = await tunneled();
  const err: string[] = [];
  const io = { stdout: { write: () => {} }, stderr: { write: (text: string) => err.push(text) } };
  const place = how === 'a tunnel' ? { target: url } : { target: 'http://127.0.0.1', fetch: forwardTo(url) };
  const flags = ['--target', place.target, '--rate', '100000', '--out', join(folder(), 'variant.yaml')];
  await main(['learn', ...flags, 'gift-card.*', 'automation.*', 'webhook.*'], env, { ...io, ...place });
  close();
  expect(created()).toBeGreaterThan(0);
  expect(created()).toBeLessThanOrEqual(5);
  expect(requests.filter((each) => /Automation|Webhook\/(?!List)/.test(each))).toEqual([]);
  expect(err.join('')).toMatch(/^http:\/\/127.0.0.1(:\d+)?: safe mode \(.*--mode full/);
});

/** Runs vitest on a file that calls conformance() with these options. Returns the messages of failed tests and the number of passed tests. */
async function vitestWith(...options: readonly string[]): Promise<{ failures: string[]; passed: number }> {
  const root = folder();
  const entry = fileURLToPath(new URL('../vitest.ts', import.meta.url));
  const calls = options.map((each) => `conformance(${each});`).join('\n');
  writeFileSync(join(root, 'rules.test.ts'), `import { conformance } from ${JSON.stringify(entry)};\n${calls}\n`);
  const program = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [program, 'run', '--root', root, '--reporter', 'json'];
  const out = await new Promise<string>((done) => {
    const vitest = execFile(process.execPath, args, { env: { ...process.env, ...env, GIFTCARD_MODE: '' } }, (_, stdout) =>
      done(stdout),
    );
    onTestFinished(() => void vitest.kill());
  });
  const { testResults, numPassedTests } = JSON.parse(out) as {
    testResults: { assertionResults: { failureMessages: string[] }[] }[];
    numPassedTests: number;
  };
  const failures = testResults.flatMap(({ assertionResults }) => assertionResults.flatMap((each) => each.failureMessages));
  return { failures, passed: numPassedTests };
}

test('giftcard-sandbox/vitest creates nothing on a server that may lead to a live account', async () => {
  const { url, requests, close } = await tunneled();
  const proxy = await serveFixture((_, res) => res.setHeader(TARGET_HEADER, 'https://live.example.com').end('[]'));
  const inProcess = `(request) => fetch(new Request(${JSON.stringify(url)} + new URL(request.url).pathname, request))`;
  const only = "only: ['gift-card.*', 'automation.*', 'webhook.*']";
  const { failures, passed } = await vitestWith(
    `{ target: ${JSON.stringify(url)}, ${only} }`,
    `{ target: 'http://127.0.0.1', fetch: ${inProcess}, ${only} }`,
    `{ target: ${JSON.stringify(proxy.url)}, mode: 'full', ${only} }`,
  );
  close();
  const ownServer = expect.stringContaining('GIFTCARD_MODE=full');
  expect(failures).toEqual([ownServer, ownServer, expect.stringContaining('https://live.example.com')]);
  expect(passed).toBe(0);
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((each) => !each.startsWith('GET '))).toEqual([]);
  // The key is not sent to a service that only the command may test.
  expect(proxy.requests.filter((each) => !each.endsWith('undefined'))).toEqual([]);
});

test('giftcard-sandbox/vitest removes what an earlier run left', async () => {
  const cards = fewCards(404);
  let canVoid = false;
  const { url, requests } = await serveFixture((request, res) =>
    request.method === 'DELETE' && !canVoid ? res.writeHead(500).end() : cards(request, res),
  );
  const rule = 'gift-card.create.returns-200';
  expect((await command(['run', '--target', url, '--mode', 'full', rule])).code).toBe(5);
  canVoid = true;
  const before = requests.length;
  const { failures, passed } = await vitestWith(`{ target: ${JSON.stringify(url)}, mode: 'full', only: ['${rule}'] }`);
  expect([failures, passed]).toEqual([[], 1]);
  expect(requests.slice(before).find((each) => !each.startsWith('GET '))).toMatch(/^DELETE /);
  expect((await command(['ledger', '--target', url])).out).not.toContain('card#');
});

test('fuzz through a tunnel is refused, and compare is a safe run', async () => {
  const { url, created, close } = await tunneled();
  expect(await command(['fuzz', '--target', url])).toMatchObject({ code: 2, err: expect.stringContaining('--mode full') });
  expect(created()).toBe(0);
  const compared = await command([
    'compare',
    url,
    url,
    '--rate',
    '100000',
    '--reporter',
    'json',
    'gift-card.get-by-code.unknown-is-404',
  ]);
  expect(JSON.parse(compared.out)).toMatchObject({ a: { mode: 'safe' }, b: { mode: 'safe' } });
  close();
});

test('a proxy to a remote service needs a yes, also with --mode full, and shares the ledger of that service', async () => {
  const cards = fewCards(404);
  const { url, requests } = await serveFixture((request, res) => {
    res.setHeader(TARGET_HEADER, 'https://live.example.com');
    if (request.method === 'DELETE') return res.writeHead(500).end();
    return cards(request, res);
  });
  const requested = await command(['run', '--target', url, '--mode', 'full', 'gift-card.*']);
  expect(requested).toMatchObject({ code: 2, err: expect.stringContaining('https://live.example.com') });
  expect(requests.filter((each) => each.includes('/api/GiftCard'))).toEqual([]);
  const run = ['run', '--target', url, '--yes', '--allow', 'void-deliveries', '--rate', '100000', 'gift-card.create.returns-200'];
  const first = await command(run);
  expect(first.code).toBe(5);
  const { out } = await command(['ledger', '--target', 'https://live.example.com']);
  expect(out).toMatch(/created/);
  const [, hint = ''] = /giftcard-sandbox conformance (ledger .*--forget) NAME/.exec(first.err) ?? [];
  expect((await command([...hint.split(' '), /^Run \w+/m.exec(out)?.[0] ?? ''])).code).toBe(0);
});
