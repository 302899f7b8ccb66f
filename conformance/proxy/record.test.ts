import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { documentOf } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import type { Finding } from './finding.ts';
import { readRecord } from './record.ts';
import { Recorder } from './recorder.ts';
import { resultOf } from './result.ts';
import { replayed, watching } from './watching.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-record-'));
afterAll(() => rmSync(folder, { recursive: true }));
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.jsonl`);
};

const judging = (say: (finding: Finding) => void) => ({
  reader: new Reader(standardDocument, []),
  onlyClient: true,
  suite: 'test',
  say,
  trouble: () => {},
  notice: () => {},
});

/** What a client has to do with a mock through a proxy that keeps a record; the texts must be read nowhere. */
const secrets = ['SECRET-CODE-1', 'secret.person@shop.example', 'Secret Person', 'secret unique', '98765432101', 'a secret note'];

async function recorded(path: string) {
  const mock = await startMock({ port: 0, rateLimit: 'off' });
  endings.push(() => mock.close());
  const found: Finding[] = [];
  const recorder = new Recorder(path, 'http://127.0.0.1', '2026-01-01T00:00:00.000Z', () => {});
  const live = await watching({
    ...judging((finding) => found.push(finding)),
    target: mock.url,
    host: '127.0.0.1',
    port: 0,
    record: (seen) => recorder.add(seen),
  });
  const ask = async (method: string, path: string, body?: unknown, key = mock.apiKey) => {
    const headers = { ...(key === '' ? {} : { 'x-api-key': key }), 'content-type': 'application/json' };
    const answer = await fetch(`${live.url}/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.text();
  };
  const person = {
    recipientName: 'Secret Person',
    recipientEmailAddress: 'secret.person@shop.example',
    customField1: '98765432101',
  };
  const { id } = JSON.parse(
    await ask('POST', 'GiftCard/Create', { balance: 5, code: 'SECRET-CODE-1', uniqueId: 'secret unique', ...person }),
  ) as { id: string };
  const adjustment = { giftCardCode: 'SECRET-CODE-1', actionedAtUtc: '2026-01-01T00:00:00Z', notes: 'a secret note' };
  await ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
    ...adjustment,
    adjustmentAmount: -7,
    uniqueAdjustmentId: 'secret unique',
  });
  await ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
    ...adjustment,
    adjustmentAmount: 'x',
    uniqueAdjustmentId: '98765432101',
  });
  await Promise.all([
    ask('GET', 'GiftCard/GetByCode/SECRET-CODE-1'),
    ask('GET', `GiftCard/GetById/${id}`),
    ask('GET', 'GiftCard/List?pageSize=50'),
  ]);
  await ask('GET', 'GiftCard/GetByEmail?emailAddress=secret.person%40shop.example');
  await ask('GET', 'GiftCardAdjustment/ListAdjustmentsByGiftCardCode/SECRET-CODE-1');
  await ask('POST', 'Nothing/SECRET-CODE-1', {});
  await ask('DELETE', 'GiftCard/VoidByCode/SECRET-CODE-1');
  await ask('GET', 'GiftCard/GetByCode/SECRET-CODE-1', undefined, 'another secret key');
  await ask('GET', 'Company/Profile', undefined, '');
  // Somebody else moves the balance of another card between two looks.
  await ask('GET', 'GiftCard/GetByCode/ACTIVE-0001');
  await fetch(`${mock.url}/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode`, {
    method: 'POST',
    headers: { 'x-api-key': mock.apiKey },
    body: JSON.stringify({ ...adjustment, giftCardCode: 'ACTIVE-0001', adjustmentAmount: 1.5, uniqueAdjustmentId: 'elsewhere' }),
  });
  await ask('GET', 'GiftCard/GetByCode/ACTIVE-0001');
  const watched = await live.stop();
  recorder.close();
  return { watched, found, key: mock.apiKey };
}

test('a record judges like the traffic, and holds neither key nor code, link, address nor name', async () => {
  const path = newFile();
  const { watched, found, key } = await recorded(path);
  const again: Finding[] = [];
  const second = replayed(
    readRecord(path).sections,
    judging((finding) => again.push(finding)),
  );
  expect(again).toEqual(found);
  expect([...second.tally.held]).toEqual([...watched.tally.held]);
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['client', 'violated']));
  expect(watched.tally.held.size).toBeGreaterThan(20);
  const texts = [
    readFileSync(path, 'utf8'),
    textReport(documentOf([resultOf(watched)])),
    JSON.stringify(resultOf(watched)),
    JSON.stringify(found),
  ].join('');
  for (const secret of [...secrets, key, 'another secret key', 'ACTIVE-0001', 'robin'])
    expect(texts.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(texts).not.toMatch(/https?:\/\/(?!veiled\.invalid|127\.0\.0\.1)/);
});

test('what several proxies have written is judged one after another', async () => {
  const path = newFile();
  const one = await recorded(path);
  appendFileSync(path, '{"n":7,"beg');
  const two = await recorded(path);
  const { sections, cut } = readRecord(path);
  expect([sections.length, cut]).toEqual([2, 1]);
  const again: Finding[] = [];
  replayed(
    sections,
    judging((finding) => again.push(finding)),
  );
  const told = ({ kind, clause, what }: Finding) => `${kind} ${clause} ${what.replace(/\d+/g, 'n')}`;
  expect(new Set(again.map(told))).toEqual(new Set([...one.found, ...two.found].map(told)));
});

test('a last line that was cut is left aside', async () => {
  const path = newFile();
  await recorded(path);
  const whole = readRecord(path).sections[0]?.exchanges.length ?? 0;
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40));
  const { sections, cut } = readRecord(path);
  expect([sections[0]?.exchanges.length, cut]).toEqual([whole - 1, 1]);
});

const heading = (more = {}) =>
  JSON.stringify({ record: 'giftcard-sandbox proxy', version: 1, target: 'http://a', at: '2026-01-01', ...more });
const exchange = {
  ...{ n: 1, began: 1, ended: 2, at: 0, ms: 1, method: 'GET', path: '/api/…', own: true, parameters: {} },
  ...{ body: { is: 'empty' }, status: 200, answer: { is: 'json', json: null, size: 4 } },
};

test('a record that an editor has begun with a mark of its own is one', () => {
  const path = newFile();
  writeFileSync(path, `\uFEFF${heading()}\n${JSON.stringify(exchange)}\n`);
  new Recorder(path, 'http://a', '2026-01-02', () => {}).close();
  expect(readRecord(path).sections.map(({ at, exchanges }) => [at, exchanges.length])).toEqual([
    ['2026-01-01', 1],
    ['2026-01-02', 0],
  ]);
});

test.each<[object]>([
  [{ lost: null }],
  [{ lost: { why: 'lost', unsent: true, code: 'X' } }],
  [{ parameters: { since: 7 } }],
  [{ answer: { is: 'json', size: 4 } }],
  [{ answer: { is: 'json', json: JSON.parse('['.repeat(4_000) + ']'.repeat(4_000)), size: 8_000 } }],
  [{ body: { is: 'odd' } }],
  [{ at: 1e300 }],
  [{ at: 9e15 }],
  [{ ms: 8.7e15 }],
  [{ status: '200' }],
  [{ operation: 'toString' }],
  [{ clock: null }],
])('an exchange with %j is none', (more) => {
  const path = newFile();
  const last = { ...exchange, began: 3, ended: 4 };
  writeFileSync(path, [heading(), JSON.stringify(exchange), JSON.stringify({ ...last, ...more }), ''].join('\n'));
  expect(() => readRecord(path)).toThrow('is damaged: line 3 is no exchange');
});

test.each([[{ target: undefined }], [{ at: undefined }], [{ at: 'y' }], [{ target: 7 }]])('a heading with %j is none', (more) => {
  const path = newFile();
  writeFileSync(path, `${heading(more)}\n`);
  expect(() => readRecord(path)).toThrow('is damaged: line 1 does not say');
});

test.each([
  ['an empty file', '', 'it is empty'],
  ['something else', '{"giftCards":[]}\n', 'is no record of this proxy'],
  [
    'a line in the middle that is none',
    '{"record":"giftcard-sandbox proxy","version":1,"target":"x","at":"2026-01-01"}\n{"n":1\n{"n":2}\n',
    'is damaged: line 2',
  ],
  [
    'a line of something else',
    '{"record":"giftcard-sandbox proxy","version":1,"target":"x","at":"2026-01-01"}\n{"n":1}\n',
    'is damaged: line 2',
  ],
  [
    'another version',
    '{"record":"giftcard-sandbox proxy","version":2,"target":"x","at":"2026-01-01"}\n',
    'of another version (2)',
  ],
])('%s is refused', (_, text, says) => {
  const path = newFile();
  writeFileSync(path, text);
  expect(() => readRecord(path)).toThrow(says);
});

test('a record is of one target', () => {
  const path = newFile();
  const far = `http://127.0.0.1/${'a'.repeat(300)}`;
  new Recorder(path, far, '2026-01-01', () => {}).close();
  const before = readFileSync(path, 'utf8');
  expect(() => new Recorder(path, `${far}b`, '2026-01-02', () => {})).toThrow(
    `is of ${far}, and what passes to ${far}b would be`,
  );
  expect(readFileSync(path, 'utf8')).toBe(before);
  new Recorder(path, far, '2026-01-02', () => {}).close();
  expect(readRecord(path).sections).toHaveLength(2);
  writeFileSync(path, `${heading()}\n${heading({ target: 'http://b' })}\n`);
  expect(() => readRecord(path)).toThrow('is of several targets (http://a, http://b)');
});

test('nothing is written to a file of something else', () => {
  const path = newFile();
  writeFileSync(path, 'my notes');
  expect(() => new Recorder(path, 'x', 'y', () => {})).toThrow('is no record of this proxy');
  expect(readFileSync(path, 'utf8')).toBe('my notes');
  expect(() => new Recorder('/dev/null/x', 'x', 'y', () => {})).toThrow('cannot be written');
});
