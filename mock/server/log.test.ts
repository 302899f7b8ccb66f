import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { type LogFormat, logTo } from './log.ts';

/** A sandbox and the lines that it logs. */
function logged(format: LogFormat, accounts: Parameters<typeof sandboxOf>[0] = [{}]) {
  const lines: string[] = [];
  const log = logTo(
    (line) => lines.push(line),
    format,
    () => NOON,
  );
  return { lines, ...sandboxOf(accounts, { log }) };
}

test('a request is one line: time, account, request, status and duration', () => {
  const { lines, ask } = logged('text');
  ask('GET', '/api/GiftCard/List?pageSize=5');
  ask('GET', '/api/GiftCard/GetByCode/NONE-1');
  ask('GET', '/api/GiftCard/List', undefined, 'wrong-key');
  expect(lines).toEqual([
    expect.stringMatching(/^2026-01-15T12:00:00\.000Z main GET \/api\/GiftCard\/List\?pageSize=5 200 \d+\.\d ms\n$/),
    expect.stringMatching(
      /^2026-01-15T12:00:00\.000Z main GET \/api\/GiftCard\/GetByCode\/NONE-1 404 gift-card\.not-found \d+\.\d ms\n$/,
    ),
    expect.stringMatching(/^2026-01-15T12:00:00\.000Z - GET \/api\/GiftCard\/List 401 auth\.key-unknown \d+\.\d ms\n$/),
  ]);
});

test('in JSON every line is an object', () => {
  const { lines, ask } = logged('json');
  ask('GET', '/api/GiftCard/List');
  ask('GET', '/api/GiftCard/GetByCode/NONE-1');
  const [list, none] = lines.map((line) => JSON.parse(line));
  const common = {
    at: '2026-01-15T12:00:00.000Z',
    kind: 'request',
    account: 'main',
    method: 'GET',
    milliseconds: expect.any(Number),
  };
  expect(list).toEqual({ ...common, path: '/api/GiftCard/List', status: 200 });
  expect(none).toEqual({ ...common, path: '/api/GiftCard/GetByCode/NONE-1', status: 404, refusal: 'gift-card.not-found' });
  expect(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
});

describe('a delivery', () => {
  test.each<LogFormat>(['text', 'json'])('is one line in %s, without token and secrets', async (format) => {
    const url = 'http://user:s3cret@127.0.0.1:9/hook?token=s3cret&x=1';
    const { lines, account, ask, create } = logged(format, [{ webhooks: [{ url, requestHeaderVerificationToken: 's3cret' }] }]);
    const { code } = create();
    ask('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    await account.effects.settled();
    const [line, ...more] = lines.filter((each) => each.includes('giftcard/voided'));
    expect(more).toEqual([]);
    expect(line).toContain('failed');
    expect(line).toContain('1 of 6');
    expect(line).toContain('x=1');
    expect(lines.join('')).not.toContain('s3cret');
  });
});

test.each<LogFormat>(['text', 'json'])('no key is ever printed in %s', (format) => {
  const { lines, sandbox, account } = logged(format);
  const key = account.keys[0]?.key as string;
  const targets = [
    `/api/GiftCard/List?x-api-key=${key}`,
    `/api/GiftCard/List?a=1&API_KEY=${key}&b=2`,
    `/api/v1/${key}/GiftCard/List`,
    `/api/GiftCard/GetByEmail?emailAddress=${key}`,
  ];
  for (const target of targets) {
    sandbox.handle({ method: 'GET', target, headers: { 'x-api-key': key, authorization: `Bearer ${key}` }, body: undefined });
    sandbox.handle({ method: 'GET', target, headers: {}, body: undefined });
    sandbox.defect(new Error(`broken by ${key}`), { method: 'GET', target, headers: {}, body: undefined });
  }
  expect(lines).toHaveLength(12);
  expect(lines.join('') + sandbox.defects.join('')).not.toContain(key);
  expect(lines[6]).toContain('/api/v1/***/GiftCard/List');
});

test('a key is masked while its account exists', () => {
  const { lines, sandbox, account } = logged('text');
  const ask = () => sandbox.handle({ method: 'GET', target: '/api/a-key-to-come/x', headers: {}, body: undefined });
  ask();
  const before = account.keys;
  sandbox.accounts.useKeys(account, [...before, { key: 'a-key-to-come', description: 'New', deleted: false, deletedAt: null }]);
  ask();
  sandbox.accounts.useKeys(account, before);
  ask();
  expect(lines.map((line) => line.includes('a-key-to-come'))).toEqual([true, false, true]);
});

test('a defect is logged with its request', () => {
  const { lines, sandbox } = logged('json');
  sandbox.defect(new Error('broken'), { method: 'GET', target: '/api/x?key=secret', headers: {}, body: undefined });
  const line = JSON.parse(lines[0] as string);
  expect(line).toMatchObject({ kind: 'defect', sentence: 'GET /api/x: broken', stack: expect.stringContaining('log.test.ts') });
});
