import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { leaves } from '../http/json-search.ts';
import { evidence } from '../http/redact-exchange.ts';
import { Redactor } from '../http/redactor.ts';

const root = mkdtempSync(join(tmpdir(), 'conformance-masking-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Servers with correct responses, and servers with wrong responses. Wrong responses make rules fail, and reports quote the responses. */
const servers: [name: string, spoil: (text: string, status: number) => [string, number], rules: string[]][] = [
  ['keeps the specification', (text, status) => [text, status], []],
  [
    'spoils amounts, states and refusals',
    (text, status) => [spoilt(text), status === 400 ? 409 : status],
    ['gift-card.*', 'idempotency.*', 'list.*'],
  ],
];

const spoilt = (text: string) => text.replaceAll(/"balance":(-?\d)/g, '"balance":1$1').replaceAll('"Active"', '"Scheduled"');

test.each(servers)(
  'no output of a full run shows a key or a code, id, link or address of a card: a server that %s',
  async (name, spoil, rules) => {
    const folder = join(root, name.slice(0, 5));
    mkdirSync(folder);
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const secrets = new Set<string>();
    const codes: string[] = [];
    const isSecret = /(code|id|url|address)$/i;
    const fetch = async (request: Request) => {
      const sent = await request.clone().text();
      for (const [, code = ''] of sent.matchAll(/"code":"(GCS[^"]{5,})"/g)) codes.push(code);
      const response = await mock.fetch(request);
      const text = await response.clone().text();
      if (/\/api\/GiftCard/.test(request.url) && response.status === 200 && text.startsWith('{'))
        for (const { path, value } of leaves(JSON.parse(text)))
          if (typeof value === 'string' && value.length > 6 && isSecret.test(path)) secrets.add(value);
      const [body, status] = spoil(text, response.status);
      return new Response(text === '' || response.status === 204 ? null : body, { status, headers: response.headers });
    };
    const profile = join(folder, 'profile.json');
    writeFileSync(profile, JSON.stringify(defaultWorldProfile));
    const ledger = join(folder, 'ledger');
    const out = join(folder, 'out');
    const written: string[] = [];
    const io = {
      stdout: { write: (text: string) => written.push(text) },
      stderr: { write: (text: string) => written.push(text) },
      fetch,
    };
    const flags = ['--target', 'http://127.0.0.1', '--profile', profile, '--ledger', ledger, '--out', out];
    const code = await main(
      [
        'run',
        ...flags,
        '--skip',
        'robustness.*',
        ...rules,
        '--reporter',
        'text',
        '--reporter',
        'junit',
        '--reporter',
        'markdown',
      ],
      { GIFTCARD_API_KEY: mock.apiKey },
      io,
    );
    const result = join(out, 'results.json');
    for (const argv of [
      ['plan', '--target', 'http://127.0.0.1', '--profile', profile],
      ['doctor', '--target', 'http://127.0.0.1', '--profile', profile, '--ledger', ledger],
      ['sweep', '--target', 'http://127.0.0.1', '--profile', profile, '--ledger', ledger],
      ['list'],
      ['compare', result, result],
      ['report', result],
    ])
      await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, io);
    await mock.close();
    expect(written.join('')).toMatch(/^(PASS|FAIL) {2}\d/m);
    expect(code).toBe(name === servers[0]?.[0] ? 0 : 1);

    const texts = [...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8')), written.join('')];
    expect(texts.length).toBeGreaterThan(3);
    const { secondKey, deletedKey, basicKey } = defaultWorldProfile;
    const keys = [mock.apiKey, secondKey, deletedKey, basicKey] as string[];
    expect(codes.length).toBeGreaterThan(30);
    expect(secrets.size).toBeGreaterThan(200);
    const mayBeRead = (value: string) => /^(recipient|buyer|(other-)?gcs\w+(\+conformance)?)@example\.com$/.test(value);
    const shown = [...keys, ...codes, ...secrets].filter(
      (value) => !mayBeRead(value) && texts.some((text) => text.includes(value)),
    );
    expect(shown).toEqual([]);
  },
);

test('a key is masked plain and percent-encoded', async () => {
  const key = 'abc+/defghij12345==';
  const out = join(root, 'encoded');
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  let urls = '';
  const fetch = async (request: Request) => {
    urls += request.url;
    const isKnown = request.headers.get('x-api-key') === key;
    return isKnown ? Response.json({ giftCards: [] }) : new Response(`no such key in ${request.url}`, { status: 401 });
  };
  const flags = ['--target', 'http://127.0.0.1', '--ledger', join(root, 'encoded-ledger'), '--out', out];
  const io = { stdout: { write }, stderr: { write }, fetch };
  await main(['run', ...flags, 'authentication.key-is-in-header'], { GIFTCARD_API_KEY: key }, io);
  expect(urls).toContain('abc%2B');
  const texts = [...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8')), ...written].join('');
  expect(texts).toContain('«key»');
  expect(texts).not.toMatch(/defghij12345/);
});

const redactor = new Redactor();
redactor.learnMark('RUN234');
redactor.learn('GCSRUN2340001', 'card#1');
redactor.learn('VOUCHER-0001', '«voucherCode»');
const shown = (json: unknown, status = 200) => evidence({ status, body: JSON.stringify(json), json }, redactor);

test('records of others are kept as shapes, records of the run in full', () => {
  const own = { code: 'GCSRUN2340001', id: 'abcdef01', balance: 1, nested: { at: 'x' }, history: [{ amount: 2 }] };
  const other = { code: 'A-1234', id: 17, balance: 5, expires: null, nested: { at: 'x' } };
  redactor.learnIds(own);
  const shape = { code: '«string»', id: '«number»', balance: '«number»', expires: null, nested: { at: '«string»' } };
  const kept = { ...own, code: 'card#1', id: 'card#1.id' };
  expect(JSON.parse(shown(own))).toEqual(kept);
  expect(JSON.parse(shown(other))).toEqual(shape);
  expect(JSON.parse(shown({ totalCount: 2, giftCards: [own, other] }))).toEqual({ totalCount: 2, giftCards: [kept, shape] });
  expect(JSON.parse(shown({ hits: ['abcdef01', 'ffffff02'] }))).toEqual({ hits: ['card#1.id', '«string»'] });
  expect(JSON.parse(shown({ code: 'VOUCHER-0001', balance: 20 }))).toEqual({ code: '«string»', balance: '«number»' });
  expect(shown({ reason: 'no card VOUCHER-0001' }, 404)).toBe('{"reason":"no card «voucherCode»"}');
  expect(shown(true)).toBe('true');
});

test('a numeric ID is replaced, but not inside a longer number', () => {
  const redactor = new Redactor();
  redactor.learn('12345678', 'card#1.id');
  redactor.learn('87654321', 'card#2');
  expect(redactor.mask('{"id":12345678,"points":912345678,"code":"0087654321"}')).toBe(
    '{"id":card#1.id,"points":912345678,"code":"00card#2"}',
  );
});

test('links, addresses and names in paths have stable placeholders', () => {
  redactor.learnTarget('https://cards.example.com/v1');
  expect(redactor.mask('https://wallet.example.com/p/1 and https://wallet.example.com/p/2, https://wallet.example.com/p/1')).toBe(
    'link#1 and link#2, link#1',
  );
  expect(redactor.mask('nothing at https://wallet.example.com/p/1: it returned 404.')).toBe(
    'nothing at link#1: it returned 404.',
  );
  // A mock has the pages of its cards on its own host.
  expect(redactor.mask('"viewBalanceUrl":"https://cards.example.com/card/17/balance"')).toBe('"viewBalanceUrl":"link#3"');
  expect(redactor.mask('POST https://cards.example.com/api/GiftCard/Create')).toContain('https://cards.example.com/api/');
  expect(redactor.mask('ada@shop.example, recipient@example.com, gcsrun2340007@example.com')).toBe(
    'address#1, recipient@example.com, gcsrun2340007@example.com',
  );
  expect(redactor.mask('?emailAddress=ada%2Bgift%40shop.example&own=gcsrun2340007%2Bgift%40example.com')).toBe(
    '?emailAddress=address#2&own=gcsrun2340007%2Bgift%40example.com',
  );
  expect(redactor.mask('GET /api/GiftCard/GetById/17?x=1, /api/GiftCard/GetByCode/GCSRUN2340001')).toBe(
    'GET /api/GiftCard/GetById/other#1?x=1, /api/GiftCard/GetByCode/card#1',
  );
});
