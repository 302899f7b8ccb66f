import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { command, endAll, env, folder, serveFixture } from '../../cli/conformance/main-fixture.ts';
import { startMock } from '../../mock/index.ts';
import { preflight } from '../core/preflight.ts';
import { openSession } from '../core/session.ts';
import type { InProcessFetch } from '../http/target.ts';

afterEach(endAll);

const page = '<!doctype html><title>Shop</title>';

/** Targets that are not the service. */
const wrongTargets: Record<string, RequestListener> = {
  'a static site': ({ url }, response) => response.writeHead(url === '/' ? 200 : 404).end(url === '/' ? page : 'Not found'),
  'a static site with error pages': ({ url }, response) => response.writeHead(url === '/' ? 200 : 404).end(page),
  'HTML for every path': (_, response) => response.writeHead(200).end(page),
  'always 500': ({ url }, response) => response.writeHead(500).end(`broken: ${url}`),
  'always 500 in JSON': (_, response) => response.writeHead(500).end('{"error":"broken"}'),
  'an empty 200': (_, response) => response.writeHead(200).end(),
  'a text for every path': (_, response) => response.writeHead(200).end('OK'),
  'a JSON text for every path': (_, response) => response.writeHead(200).end('"ok"'),
  'the same JSON for every path': (_, response) => response.writeHead(200).end('{"status":"ok"}'),
  'the same JSON with the path and the time': ({ url }, response) => response.end(JSON.stringify({ url, at: process.hrtime() })),
  '404 for every path': (_, response) => response.writeHead(404).end('<html><body>nginx 404</body></html>'),
  '404 in JSON for every path': ({ url: path }, response) =>
    response.writeHead(404).end(JSON.stringify({ error: 'no such route', path, traceId: randomUUID() })),
  'a static site with a short text': ({ url }, response) =>
    response.writeHead(url === '/' ? 200 : 404).end(url === '/' ? 'hi' : ''),
};

const commands: Record<string, (url: string, ledger: string) => string[]> = {
  run: (url, ledger) => ['run', '--target', url, '--mode', 'full', '--ledger', ledger],
  fuzz: (url, ledger) => ['fuzz', '--target', url, '--mode', 'full', '--ledger', ledger],
  learn: (url, ledger) => ['learn', '--target', url, '--mode', 'full', '--ledger', ledger, '--out', `${ledger}.yaml`],
  compare: (url) => ['compare', url, url, '--mode', 'full'],
  doctor: (url, ledger) => ['doctor', '--target', url, '--ledger', ledger],
};

const inLedger = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);

const places = Object.entries(wrongTargets).flatMap(([name, listener]) =>
  ['', '/shop'].map((path) => [name, path, listener] as const),
);

describe.each(places)('%s at "%s"', (_, path, listener) => {
  test.each(Object.entries(commands))('is refused by %s', async (name, argv) => {
    const { url: origin, requests } = await serveFixture(listener);
    const url = origin + path;
    const state = folder();
    const ledger = `${state}/ledger`;
    const flags = name === 'doctor' ? ['--rate', '100000'] : [];
    const { code, out, err } = await command([...argv(url, ledger), ...flags], { ...env, XDG_STATE_HOME: state });
    expect([code, out + err]).toEqual([3, expect.stringContaining(`${url} is not the service`)]);
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(inLedger(ledger)).toEqual([]);
  });
});

test.each(['run', 'fuzz', 'learn', 'compare'].flatMap((name) => ['/api', '/shop'].map((path) => [name, path] as const)))(
  '%s refuses the base URL with %s appended',
  async (name, path) => {
    const mock = await startMock();
    const state = folder();
    const ledger = `${state}/ledger`;
    const argv = commands[name]?.(mock.url + path, ledger) ?? [];
    const { code, err } = await command(argv, { XDG_STATE_HOME: state, GIFTCARD_API_KEY: mock.apiKey });
    await mock.close();
    expect([code, err]).toEqual([3, expect.stringContaining('Check the base URL')]);
    expect(inLedger(ledger)).toEqual([]);
  },
);

const without =
  (fetch: InProcessFetch, missing: RegExp, response: () => Response): InProcessFetch =>
  (request, about) =>
    missing.test(new URL(request.url).pathname) ? Promise.resolve(response()) : fetch(request, about);

const htmlError = () => new Response('<h1>Not Found</h1>', { status: 404 });

/** Servers that have no list or nothing but a few endpoints. A request to a path that matches `missing` gets the response. */
const halfFinished: Record<string, [missing: RegExp, response: () => Response]> = {
  'no list, HTML errors': [/List$/, htmlError],
  'a list that crashes': [/List$/, () => new Response('TypeError', { status: 500 })],
  'an empty list': [/List$/, () => new Response()],
  'no list and no profile': [/List$|Profile$|^\/$/, () => new Response('no such path', { status: 404 })],
  'only creates and look-ups by code': [/^(?!.*(\/Create|\/GetByCode\/))/, htmlError],
};

test.each(Object.entries(halfFinished))('a half-finished server is tested: %s', async (_, [missing, response]) => {
  const mock = await startMock({ listen: false });
  const fetch = without((request) => mock.fetch(request), missing, response);
  const session = openSession({ url: mock.url, key: mock.apiKey, profile: {}, fetch });
  expect(await preflight(session)).toBeUndefined();
  await mock.close();
});

test.each<[string, (request: Request) => Response]>([
  ['needs a key', ({ headers }) => new Response('no', { status: headers.has('x-api-key') ? 404 : 401 })],
  ['refuses an unknown code in JSON', ({ url }) => (url.includes('ByCode') ? Response.json({}, { status: 404 }) : htmlError())],
])('a server with a web page and without a list is tested if it %s', async (_, response) => {
  const fetch: InProcessFetch = async (request) =>
    new URL(request.url).pathname === '/' ? new Response(page) : response(request);
  expect(await preflight(openSession({ url: 'http://127.0.0.1', key: 'some-key', profile: {}, fetch }))).toBeUndefined();
});
