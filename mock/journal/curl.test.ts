import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listJournal, listSandboxJournal } from '../control/journal.ts';
import { startMock } from '../index.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { serveNow } from '../pipeline/handle.ts';
import { sandboxOf } from '../testing/fixture.ts';

/** Returns the arguments that a shell makes from the line. */
function run(line: string): string[] {
  const env = {
    PATH: process.env.PATH,
    GIFTCARD_BASE_URL: 'http://mock',
    GIFTCARD_API_KEY: 'the key',
    GIFTCARD_SECRET: 'the secret',
  };
  const script = `curl() { for argument; do printf '%s\\0' "$argument"; done; }\n${line}`;
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

const KEYS = [
  { key: 'a-key-that-is-usable', description: 'One' },
  { key: 'a-key-that-was-deleted', description: 'Other', deleted: true },
];

function lineOf(request: Partial<ServiceRequest>, options: Parameters<typeof sandboxOf>[1] = {}): string {
  const { sandbox, account } = sandboxOf([{ keys: KEYS }], options);
  const headers = {
    'x-api-key': 'a-key-that-is-usable',
    host: '127.0.0.1:8460',
    connection: 'keep-alive',
    ...request.headers,
  };
  serveNow(sandbox, { method: 'GET', target: '/api/GiftCard/List', body: undefined, ...request, headers });
  const [entry] = [...listJournal({ sandbox, account }).entries, ...listSandboxJournal({ sandbox }).entries];
  return entry?.curl as string;
}

describe('the line makes the same request again', () => {
  test('a read', () => {
    const line = lineOf({ target: '/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z' });
    expect(line).toBe(
      'curl -i "$GIFTCARD_BASE_URL/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z" -H "x-api-key: $GIFTCARD_API_KEY"',
    );
    expect(run(line)).toEqual([
      '-i',
      'http://mock/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z',
      '-H',
      'x-api-key: the key',
    ]);
  });

  test('a creation', () => {
    const headers = { 'content-type': 'application/json' };
    const line = lineOf({ method: 'POST', target: '/api/GiftCard/Create', body: Buffer.from('{"balance":5}'), headers });
    expect(line).toBe(
      `curl -i -X POST "$GIFTCARD_BASE_URL/api/GiftCard/Create" -H "x-api-key: $GIFTCARD_API_KEY" -H 'content-type: application/json' --data-raw '{"balance":5}'`,
    );
  });

  test.each([
    `{"balance":5,"notes":"it's $HOME, \`id\` and $(id) \\\\ \\"q\\"\\n"}`,
    '{"balance":5,\n"notes":"two lines é 🎁"}',
    '@/etc/passwd',
    "'; echo broken; '",
  ])('a body with characters that a shell interprets: %s', (body) => {
    const args = run(
      lineOf({
        method: 'POST',
        target: '/api/GiftCard/Create',
        body: Buffer.from(body),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(args).toEqual([
      '-i',
      '-X',
      'POST',
      'http://mock/api/GiftCard/Create',
      '-H',
      'x-api-key: the key',
      '-H',
      'content-type: application/json',
      '--data-raw',
      body,
    ]);
  });

  test.each([
    [0, 34],
    [34, 255, 34],
  ])('a body that is not text has no line', (...bytes) => {
    expect(lineOf({ method: 'POST', target: '/api/GiftCard/Create', body: Buffer.from(bytes) })).toBeNull();
  });

  test('a secret is replaced by a variable', () => {
    const body = Buffer.from('{"url":"https://a.example","requestHeaderVerificationToken":"s3cret"}');
    const line = lineOf({ method: 'POST', target: '/api/Webhook/Create?token=s3cret&a=$HOME', body });
    expect(line).not.toContain('s3cret');
    const args = run(line);
    expect(args).toContain('http://mock/api/Webhook/Create?token=the secret&a=$HOME');
    expect(args.at(-1)).toBe('{"url":"https://a.example","requestHeaderVerificationToken":"the secret"}');
  });

  test('a secret in the URL of a webhook is replaced by a variable', () => {
    const body = Buffer.from('{"url":"https://shop:s3cret@a.example/hook?token=s3cret&x=1"}');
    const line = lineOf({ method: 'POST', target: '/api/Webhook/Create', body });
    expect(line).not.toContain('s3cret');
    expect(run(line).at(-1)).toBe('{"url":"https://shop:the secret@a.example/hook?token=the secret&x=1"}');
  });

  test.each([
    ['/api/v1/a-key-that-is-usable/List', '/api/v1/the secret/List'],
    ['/api/List?x-api-key=a-key-that-is-usable&a=1', '/api/List?x-api-key=the secret&a=1'],
    ['/api/a-key-that-is-usablexyz', '/api/the secretxyz'],
    ['/api/List?x-api-key=a-key-that-was-deleted', '/api/List?x-api-key=the secret'],
  ])('the key of the account and another key in %s', (target, sent) => {
    const line = lineOf({ target });
    expect(line).not.toContain('a-key-that');
    expect(run(line)[1]).toBe(`http://mock${sent}`);
  });

  test.each([
    ['wrong', { 'x-api-key': 'misspelt' }, ['x-api-key: (hidden)']],
    ['deleted', { 'x-api-key': 'a-key-that-was-deleted' }, ['x-api-key: (hidden)']],
    ['missing', { 'x-api-key': undefined }, []],
    ['not where it belongs', { 'x-api-key': undefined, authorization: 'Bearer misspelt' }, ['authorization: (hidden)']],
    ['sent with another key', { 'x-auth-token': 's3cret' }, ['x-api-key: the key', 'x-auth-token: (hidden)']],
  ])('a key that was %s is not replaced by a usable one', (_, headers, sent) => {
    const args = run(lineOf({ headers }));
    expect(args.slice(2).filter((each) => each !== '-H')).toEqual(sent);
  });

  test.each([
    ['DELETE', '/api/Webhook/Delete/1', ['-i', '-X', 'DELETE', 'http://mock/api/Webhook/Delete/1']],
    ['HEAD', '/api/Webhook/List', ['-I', 'http://mock/api/Webhook/List']],
    ['GET', '/api/GiftCard/GetByCode/A{1-2}[x]', ['-i', '-g', 'http://mock/api/GiftCard/GetByCode/A{1-2}[x]']],
    ['GET', "/api/GiftCard/GetByCode/'\u00e9 $HOME", ['-i', "http://mock/api/GiftCard/GetByCode/'%e9%20$HOME"]],
  ])('%s %s', (method, target, args) => {
    expect(run(lineOf({ method, target }))).toEqual([...args, '-H', 'x-api-key: the key']);
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('lines do again what was done, in a shell', async () => {
  await using mock = await startMock({ port: 0 });
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${mock.url}${path}`, { ...init, headers: { 'x-api-key': mock.apiKey, 'content-type': 'application/json' } });
  const created = await send('/api/GiftCard/Create', { method: 'POST', body: '{"balance":5,"notes":"it\'s $HOME"}' });
  await send('/api/GiftCard/GetByCode/a%20b?x=\'"$(id)"');
  await fetch(`${mock.url}/api/Company/Profile`, { headers: { 'x-api-key': '' } });
  const { entries } = await mock.journal.list();
  const strangers = (await (await mock.fetch('/__mock/journal')).json()) as { entries: { curl: string }[] };
  const env = { PATH: process.env.PATH, GIFTCARD_BASE_URL: mock.url, GIFTCARD_API_KEY: mock.apiKey };
  const again = async (line: unknown) => (await promisify(execFile)('sh', ['-c', `${line} -s`], { env })).stdout;
  expect(created.status).toBe(200);
  expect(await again(entries[0]?.curl)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(await again(entries[1]?.curl)).toMatch(/^HTTP\/1.1 404 /);
  expect(await again(strangers.entries[0]?.curl)).toMatch(/^HTTP\/1.1 401 /);
  expect((await mock.journal.list()).entries.slice(2).map(({ request }) => request)).toMatchObject(
    entries.map(({ request }) => ({ method: request?.method, target: request?.target, body: request?.body })),
  );
});
