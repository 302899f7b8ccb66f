import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Finding } from '../oracle/findings.ts';
import { Recorder, readRecord } from './record.ts';
import { type WatchOptions, watchLive, watchRecord } from './watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

function optionsOf(onlyClient: boolean) {
  const findings: Finding[] = [];
  const notices: string[] = [];
  const reader = new Reader(standardDocument, []);
  const options: WatchOptions = {
    reader,
    onlyClient,
    report: (each) => findings.push(each),
    notice: (each) => notices.push(each),
  };
  return { options, findings, notices };
}

/** Sends requests through a proxy, while another client changes a balance without the proxy. */
async function watchClient(record: string, onlyClient = false) {
  const mock = await startMock();
  const { options, findings, notices } = optionsOf(onlyClient);
  const recorder = new Recorder(record, mock.url, '2026-01-01T00:00:00.000Z', options.notice);
  const live = await watchLive({ ...options, target: mock.url, host: '127.0.0.1', port: 0, token: undefined, recorder });
  const send = (base: string, method: string, path: string, body?: unknown) =>
    fetch(`${base}/api/${path}`, {
      method,
      headers: { 'x-api-key': mock.apiKey },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const card = { balance: 20, code: 'SECRET-CODE-1', recipientEmailAddress: 'jo@shop.example', notes: 'for Josephine' };
  const adjustment = {
    giftCardCode: card.code,
    adjustmentAmount: -5,
    actionedAtUtc: '2025-12-01T00:00:00Z',
    uniqueAdjustmentId: 'a-1',
  };
  await send(live.url, 'POST', 'GiftCard/Create', card);
  await send(live.url, 'POST', 'GiftCard/Create', { ...card, expiresAtUtc: 7 });
  await send(mock.url, 'POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment);
  await Promise.all([1, 2, 3].map(() => send(live.url, 'GET', 'GiftCard/GetByCode/SECRET-CODE-1')));
  await fetch(`${live.url}/elsewhere/SECRET-CODE-1`);
  const result = await live.stop();
  await mock.close();
  return { result, findings, notices, key: mock.apiKey };
}

const briefly = ({ kind, rule, times }: { kind: string; rule?: string | undefined; times?: number }) => [kind, rule, times];

test('the result has the findings with their exchanges, and no secrets', async () => {
  const file = join(folder, 'live.jsonl');
  const { result, findings, notices, key } = await watchClient(file);
  expect(result).toMatchObject({ kind: 'proxy', onlyClient: false, requests: 6, lost: 0, notService: 1, unread: 0, faults: 0 });
  expect(result.findings.map(briefly)).toEqual([
    ['client', undefined, 1],
    ['possible', 'gift-card.get-by-code.returns-the-card', expect.any(Number)],
  ]);
  expect(findings.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['client', 'possible']));
  expect(result.exchanges.map(({ n }) => n)).toEqual(expect.arrayContaining([1, 2]));
  expect(result.held.map(({ rule }) => rule)).toContain('gift-card.create.starts-with-given-balance');
  expect(notices).toEqual([]);
  for (const text of [JSON.stringify(result), readFileSync(file, 'utf8')])
    expect(text).not.toMatch(new RegExp(`SECRET|shop|Josephine|${key}`));
});

test('a record gives the same result as the live traffic', async () => {
  const file = join(folder, 'replayed.jsonl');
  const { result } = await watchClient(file, true);
  const record = readRecord(file);
  const again = watchRecord(record, optionsOf(true).options);
  expect(result.findings.map(briefly)).toContainEqual(['violated', 'gift-card.get-by-code.returns-the-card', expect.any(Number)]);
  expect({ ...again, startedAt: '', finishedAt: '' }).toEqual({ ...result, startedAt: '', finishedAt: '' });
  expect([record.isCut, statSync(file).mode & 0o777]).toEqual([false, 0o600]);
});

test('a lost response is reported once', async () => {
  const { options, notices } = optionsOf(false);
  const live = await watchLive({
    ...options,
    target: 'http://127.0.0.1:9',
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    recorder: undefined,
  });
  await fetch(`${live.url}/api/GiftCard/List`);
  await fetch(`${live.url}/api/GiftCard/List`);
  expect(await live.stop()).toMatchObject({ requests: 2, lost: 2, held: [], findings: [] });
  expect(notices).toEqual([expect.stringMatching(/ECONNREFUSED/)]);
});

describe('a record', () => {
  const heading = JSON.stringify({
    record: 'giftcard-sandbox proxy',
    version: 1,
    target: 'http://a.example',
    at: '2026-01-01T00:00:00Z',
  });
  const exchange = JSON.stringify({
    began: 1,
    ended: 2,
    at: 0,
    ms: 1,
    method: 'GET',
    target: '/api/GiftCard/List',
    headers: {},
    body: '',
  });
  const fileOf = (...lines: string[]) => {
    const file = join(folder, 'some.jsonl');
    writeFileSync(file, lines.join('\n'));
    return file;
  };

  test.each<[string, readonly string[], RegExp]>([
    ['empty', [], /first line/],
    ['of something else', ['[]'], /first line/],
    ['of another version', [heading.replace(':1', ':2')], /version.*--record/],
    ['damaged', [heading, '{"began": 1}', exchange], /Line 2/],
    ['of two targets', [heading, heading.replace('//a', '//b')], /a\.example/],
  ])('that is %s is refused', (_, lines, message) => {
    expect(() => readRecord(fileOf(...lines))).toThrow(message);
  });

  test('that a killed proxy cut off, and another continued, is read', () => {
    const { runs, isCut } = readRecord(fileOf(heading, exchange, exchange.slice(0, 40), heading, exchange));
    expect([runs.map(({ length }) => length), isCut]).toEqual([[1, 1], true]);
  });

  test('of another target, or a file of the user, is not written to', () => {
    const report = () => {};
    for (const file of [fileOf('my notes'), fileOf(heading)])
      expect(() => new Recorder(file, 'http://b.example', '2026-01-01T00:00:00Z', report)).toThrow(
        /not a record of http:\/\/b\.example/,
      );
    expect(() => new Recorder(join(folder, 'none', 'x'), 'http://b.example', '', report)).toThrow(/cannot be written/);
  });
});
