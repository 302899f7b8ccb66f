import { describe, expect, test } from 'vitest';
import { painter } from '../../cli/color.ts';
import { advanceClock, setClock } from '../control/clock.ts';
import { serveNow } from '../pipeline/handle.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { logTo } from './log.ts';

type Style = Parameters<typeof logTo>[1];
const piped: Style = { isTerminal: false, paint: painter(false) };
const terminal: Style = { isTerminal: true, paint: painter(true) };
const styles = [
  ['text', piped],
  ['json', 'json'],
] as const;

/** A sandbox and the lines that it logs. */
function logged(style: Style, accounts: Parameters<typeof sandboxOf>[0] = [{}]) {
  const lines: string[] = [];
  const log = logTo(
    (line) => lines.push(line),
    style,
    () => NOON,
  );
  return { lines, ...sandboxOf(accounts, { log }) };
}

test('a request is one line: time, request, status, duration, and why it was refused', () => {
  const { lines, send, create } = logged(piped);
  send('GET', '/api/GiftCard/List?pageSize=5');
  send('GET', '/api/GiftCard/List', undefined, 'wrong-key');
  create({ uniqueId: 'order\u001b[31m\n1001' });
  send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'order\u001b[31m\n1001' });
  send('POST', '/api/GiftCard/Create', { balance: 'x' });
  expect(lines.map((line) => line.replace(/<?[\d.]+ ms */, (text) => (text.endsWith(' ') ? 'N ms  ' : 'N ms')))).toEqual([
    '2026-01-15T12:00:00.000Z  GET /api/GiftCard/List?pageSize=5  200  N ms\n',
    '2026-01-15T12:00:00.000Z  GET /api/GiftCard/List             401  N ms  The API key is not valid\n',
    expect.stringMatching(/ 200 {2}N ms\n$/),
    expect.stringMatching(/ 400 {2}N ms {2}A gift card has already been .*order \[31m 1001\n$/),
    expect.stringMatching(/ 400 {2}N ms {2}balance must be a number, got "x"\n$/),
  ]);
});

test('no text from outside controls the terminal', () => {
  const lines: string[] = [];
  const log = logTo(
    (line) => lines.push(line),
    piped,
    () => NOON,
  );
  const hostile = 'a\u001b[2J\u009b8m\u202e\u0007\rb';
  const redactor = sandboxOf([{}]).sandbox.accounts.keyHolders.redactor;
  const delivery = { topic: 'giftcard/voided', url: `http://127.0.0.1/${hostile}`, state: 'failed', result: { error: hostile } };
  log.delivery('main', delivery as Parameters<typeof log.delivery>[1], redactor);
  log.notice(hostile);
  log.defect(hostile, `Error: ${hostile}\n    at ${hostile}`);
  expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(lines.join('').match(/\n/g)).toHaveLength(5);
});

test('on a terminal: the local time of day, colors by status', () => {
  const { lines, send } = logged(terminal);
  send('GET', '/api/GiftCard/List');
  send('GET', '/api/GiftCard/List', undefined, null);
  const time = new Date(NOON).toTimeString().slice(0, 8);
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^\x1b\\[2m${time}\x1b\\[22m {2}GET .*\x1b\\[32m200\x1b\\[39m {2}\x1b\\[2m<?[\\d.]+ ms\x1b\\[22m\n$`),
    ),
    expect.stringContaining('\x1b[33m401\x1b[39m'),
  ]);
});

test('the account is shown from the second account on', () => {
  const { lines, sandbox, send } = logged(piped, [{ id: 'main' }, { id: 'another' }]);
  const other = sandbox.accounts.get('another')?.keys[0]?.key;
  send('GET', '/api/GiftCard/List', undefined, null);
  send('GET', '/api/GiftCard/List');
  send('GET', '/api/GiftCard/List', undefined, other);
  send('GET', '/api/GiftCard/List');
  expect(lines.map((line) => line.slice(26, 38))).toEqual(['GET /api/Gif', 'GET /api/Gif', 'another  GET', 'main     GET']);
});

test('in JSON every line is an object', () => {
  const { lines, send } = logged('json');
  send('GET', '/api/GiftCard/List');
  send('GET', '/api/GiftCard/GetByCode/NONE-1');
  const [list, none] = lines.map((line) => JSON.parse(line));
  const common = {
    at: '2026-01-15T12:00:00.000Z',
    kind: 'request',
    account: 'main',
    method: 'GET',
    milliseconds: expect.any(Number),
  };
  expect(list).toEqual({ ...common, path: '/api/GiftCard/List', status: 200 });
  expect(none).toEqual({
    ...common,
    path: '/api/GiftCard/GetByCode/NONE-1',
    status: 404,
    refusal: 'gift-card.not-found',
    rule: 'authentication.foreign-record-is-404',
    reason: expect.stringContaining('NONE-1'),
  });
  expect(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
});

describe('a delivery', () => {
  test.each(styles)('is one line in %s, without token and secrets', async (_, style) => {
    const url = 'http://user:s3cret@127.0.0.1:9/hook?token=s3cret&x=1';
    const { lines, account, send, create } = logged(style, [{ webhooks: [{ url, requestHeaderVerificationToken: 's3cret' }] }]);
    const { code } = create();
    send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
    await account.effects.settled();
    const [line, ...more] = lines.filter((each) => each.includes('giftcard/voided'));
    expect(more).toEqual([]);
    expect(line).toContain('failed');
    expect(line).toContain('1 of 6');
    expect(line).toContain('x=1');
    expect(lines.join('')).not.toContain('s3cret');
  });
});

test.each(styles)('no key is ever printed in %s', (_, style) => {
  const { lines, sandbox, account } = logged(style);
  const key = account.keys[0]?.key as string;
  const targets = [
    `/api/GiftCard/List?x-api-key=${key}`,
    `/api/GiftCard/List?a=1&API_KEY=${key}&b=2`,
    `/api/v1/${key}/GiftCard/List`,
    `/api/GiftCard/GetByEmail?emailAddress=${key}`,
  ];
  for (const target of targets) {
    serveNow(sandbox, { method: 'GET', target, headers: { 'x-api-key': key, authorization: `Bearer ${key}` }, body: undefined });
    serveNow(sandbox, { method: 'GET', target, headers: {}, body: undefined });
    sandbox.defect(new Error(`broken by ${key}`), { method: 'GET', target, headers: {}, body: undefined });
  }
  expect(lines).toHaveLength(12);
  expect(lines.join('') + sandbox.defects.join('')).not.toContain(key);
  expect(lines[6]).toContain('/api/v1/***/GiftCard/List');
});

test('emails and changes of the clock are lines, too', async () => {
  const events = async (style: Style) => {
    const { account, create, lines } = logged(style, [{ id: 'main', reminderAfterDays: 10 }]);
    create({ expiresAtUtc: '2026-01-20T00:00:00Z' });
    create({ recipientEmailAddress: 'ann@example.com' });
    lines.length = 0;
    await advanceClock({ account, body: { by: 'P31D' } });
    await setClock({ account, body: { mode: 'frozen' } });
    return lines;
  };
  expect(await events(piped)).toEqual([
    '2026-01-15T12:00:00.000Z  ✉ reminder → ann@example.com\n',
    '2026-01-15T12:00:00.000Z  ⏱ advanced 31 days: 1 expiry, 1 reminder, 1 email\n',
    '2026-01-15T12:00:00.000Z  ⏱ frozen at 2026-02-15T12:00:00.000Z\n',
  ]);
  const common = { at: '2026-01-15T12:00:00.000Z', account: 'main' };
  const [from, to] = ['2026-01-15T12:00:00.000Z', '2026-02-15T12:00:00.000Z'];
  expect((await events('json')).map((line) => JSON.parse(line))).toEqual([
    { ...common, kind: 'email', email: 'reminder', to: 'ann@example.com', giftCardId: expect.any(String) },
    { ...common, kind: 'clock', change: 'advanced', from, to, events: { expiry: 1, reminder: 1 }, emails: 1, deliveries: 0 },
    { ...common, kind: 'clock', change: 'frozen', from: to, to, events: {}, emails: 0, deliveries: 0 },
  ]);
});

test.each([
  ['PT0S', '0 ms'],
  ['PT45S', '45 seconds'],
  ['PT25H', '1 day 1 hour'],
  ['P1DT2H3M4S', '1 day 2 hours'],
])('an advance by %s is %s', async (by, text) => {
  const { account, lines } = logged(piped);
  await advanceClock({ account, body: { by } });
  expect(lines.at(-1)).toMatch(new RegExp(`⏱ advanced ${text}\n$`));
});

test('a key is masked while its account exists', () => {
  const { lines, sandbox, account } = logged(piped);
  const send = () => serveNow(sandbox, { method: 'GET', target: '/api/a-key-to-come/x', headers: {}, body: undefined });
  send();
  const before = account.keys;
  sandbox.accounts.useKeys(account, [...before, { key: 'a-key-to-come', description: 'New', deleted: false, deletedAt: null }]);
  send();
  sandbox.accounts.useKeys(account, before);
  send();
  expect(lines.map((line) => line.includes('a-key-to-come'))).toEqual([true, false, true]);
});

test('a defect is logged with its request', () => {
  const { lines, sandbox } = logged('json');
  sandbox.defect(new Error('broken'), { method: 'GET', target: '/api/x?key=secret', headers: {}, body: undefined });
  const line = JSON.parse(lines[0] as string);
  expect(line).toMatchObject({ kind: 'defect', sentence: 'GET /api/x: broken', stack: expect.stringContaining('log.test.ts') });
});

test('no text from outside controls the terminal, in JSON neither', () => {
  const { lines, send } = logged('json');
  send('POST', '/api/GiftCard/Create', { balance: '\u009b31m\u202e\u{e0041}' });
  expect(lines.join('')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(lines[0] ?? '').reason).toContain('\u009b31m\u202e');
});
