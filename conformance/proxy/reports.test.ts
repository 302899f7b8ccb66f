import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';
import { readResult } from '../report/result-file.ts';
import { command } from '../testing/command-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A client that sends an amount as text, twice, and a balance that somebody else moves. */
const record = join(folder, 'seen.jsonl');
beforeAll(async () => {
  const mock = await startMock({ port: 0 });
  const asking = (url: string) => (path: string, body?: unknown) =>
    fetch(`${url}/api/${path}`, {
      headers: { 'x-api-key': mock.apiKey },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const adjust = (adjustmentAmount: unknown, uniqueAdjustmentId: string) =>
    [
      'GiftCardAdjustment/AddAdjustmentByGiftCardCode',
      { giftCardCode: 'TWO-1', actionedAtUtc: '2026-01-01T00:00:00Z', adjustmentAmount, uniqueAdjustmentId },
    ] as const;
  await command(['--target', mock.url, '--record', record], async (url) => {
    const ask = asking(url);
    await ask('GiftCard/Create', { balance: 15, code: 'TWO-1' });
    await ask(...adjust('-3', 'a'));
    await ask(...adjust('-3', 'b'));
    await ask('GiftCard/GetByCode/TWO-1');
    await asking(mock.url)(...adjust(-3, 'c'));
    await ask('GiftCard/GetByCode/TWO-1');
  });
  await mock.close();
});

const clause = 'gift-card.get-by-code.returns-the-card';
const moved = 'card#1 held 15.00 in exchange 4; nothing that passed since moves it; it holds 12.00.';
const asText = 'adjustmentAmount is a string, and should be a number.';
const replay = (...flags: string[]) => command(['--replay', record, '--quiet', ...flags]);

test.each(['text', 'markdown', 'junit', 'html', 'json'])(
  '%s shows possible violations and findings about the client',
  async (reporter) => {
    const { code, out } = await replay('--reporter', reporter);
    expect(code).toBe(0);
    for (const part of [clause, moved, asText, '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode'])
      expect(out).toContain(part);
  },
);

test('with --only-client a possible violation fails', async () => {
  const { code, out } = await replay('--only-client', '--reporter', 'junit');
  expect(code).toBe(1);
  expect(out).toMatch(/failures="1"/);
  expect((await replay('--only-client')).out).toContain(`VIOLATED  ${clause}`);
});

test('of many findings about a clause the first are shown, and robustness does not fail', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.method === 'GET' ? 500 : 201, { 'content-type': 'application/json' }).end('true');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kept = join(folder, 'broken.jsonl');
  await command(['--target', target, '--record', kept, '--quiet'], async (url) => {
    const headers = { 'x-api-key': 'k' };
    for (let n = 1; n <= 7; n += 1) {
      const body = {
        giftCardCode: 'A-1',
        adjustmentAmount: 1,
        actionedAtUtc: '2026-01-01T00:00:00Z',
        uniqueAdjustmentId: `u${n}`,
      };
      await fetch(`${url}/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    }
    await fetch(`${url}/api/GiftCard/GetByCode/A-1`, { headers });
  });
  server.closeAllConnections();
  server.close();
  const { out } = await command(['--replay', kept, '--quiet', '--reporter', 'text']);
  expect(out).toMatch(/VIOLATED {2}adjustment\.answers-200[\s\S]*2 more in results\.json/);
  expect(out).toMatch(/UNEXPECTED {2}robustness\.get-by-code/);
  const junit = (await command(['--replay', kept, '--quiet', '--reporter', 'junit'])).out;
  expect(junit).toMatch(/name="adjustment.answers-200"[^>]*>\s*<failure /);
  expect(junit).toMatch(/name="robustness.get-by-code"[^>]*>\s*<skipped /);
});

describe('--out', () => {
  test('has the files that --out of the suite has, from which report makes the others', async () => {
    const out = join(folder, 'out');
    const { out: printed } = await replay('--out', out);
    expect(readdirSync(out).sort()).toEqual(['report.html', 'report.txt', 'results.json']);
    expect(readFileSync(join(out, 'report.txt'), 'utf8').split('\n')[0]).toBe(printed.split('\n')[0]);
    expect(readResult(join(out, 'results.json'))).toMatchObject({
      kind: 'proxy',
      onlyClient: false,
      findings: [
        { kind: 'client', times: 2, exchanges: [2] },
        { kind: 'possible', clause, what: moved, times: 1, exchanges: [4, 5] },
      ],
      exchanges: [{ n: 2, status: 400 }, { n: 4 }, { n: 5, status: 200 }],
    });
    for (const reporter of ['text', 'markdown', 'junit', 'html', 'json']) {
      const told: string[] = [];
      const io = { stdout: { write: (text: string) => told.push(text) }, stderr: { write: () => true } };
      expect(await main(['report', join(out, 'results.json'), '--reporter', reporter], {}, io)).toBe(0);
      expect(told.join('')).toBe((await replay('--reporter', reporter)).out);
    }
  });

  test('has more where more is asked for', async () => {
    const out = join(folder, 'more');
    await replay('--out', out, '--reporter', 'junit', '--reporter', 'markdown');
    expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.md', 'report.txt', 'results.json']);
  });

  test('that cannot be written is said, and what was found stands on standard output', async () => {
    const out = join(folder, 'taken');
    mkdirSync(join(out, 'results.json'), { recursive: true });
    const { code, out: printed, err } = await replay('--out', out);
    expect([code, existsSync(join(out, 'report.txt'))]).toEqual([6, false]);
    expect(printed).toContain('POSSIBLE');
    expect(err).toMatch(/results\.json: it is a folder\.\n$/);
  });
});
