import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';
import { readResult } from '../cli/result-file.ts';
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
const statement = 'Looking up a code answers with the card of the key';
const moved = 'card#1 held 15.00 in exchange 4; nothing that passed since moves it; it holds 12.00.';
const asText = 'adjustmentAmount is a string, and should be a number.';
const replay = (...flags: string[]) => command(['--replay', record, '--quiet', ...flags]);

describe('every report names what nobody can tell and what is of the client', () => {
  test.each(['text', 'markdown', 'junit', 'html', 'json'])('%s', async (reporter) => {
    const { code, out } = await replay('--reporter', reporter);
    expect(code).toBe(0);
    const parts = [clause, statement, moved, asText, '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode'];
    for (const part of parts) expect(out).toContain(part);
    if (reporter === 'json') return;
    for (const part of ['CANNOT TELL', 'CLIENT', '(2 times)', '#4', '#5', '#2', '1 cannot tell · 1 of the client · 5 exchanges'])
      expect(out).toContain(part);
    // What is of a run of the suite only.
    expect(out).not.toMatch(
      /\d+ cards? created|peak|0 open|1 exchanges|1 times|stale|Nothing is violated|Mode|conformance replay/i,
    );
  });

  test('markdown and html are not those of a run in which all is well', async () => {
    expect((await replay('--reporter', 'markdown')).out).toMatch(
      /^## ⚠️ Nothing is surely violated; 1 cannot tell, 1 of the client \(\d+ clauses held\)$/m,
    );
    const page = (await replay('--reporter', 'html')).out;
    expect(page).toContain('<h2>CANNOT TELL<small>1</small></h2>');
    expect(page).toContain('<h2>CLIENT<small>1</small></h2>');
    expect(page).toMatch(/<h1>Nothing is surely violated; /);
  });

  test('to JUnit they are skipped, each in a suite of its kind', async () => {
    const { out } = await replay('--reporter', 'junit');
    expect(out).toMatch(/<testsuites name="giftcard-sandbox proxy" [^>]*failures="0" errors="0" skipped="2">/);
    expect(out).toContain(`<testsuite name="CANNOT TELL" tests="1" failures="0" errors="0" skipped="1"`);
    expect(out).toContain(`name="${clause} #4 #5" time="0.000"><skipped message="cannot tell: ${moved}"/>`);
    expect(out).toContain(`<testsuite name="CLIENT" tests="1" failures="0" errors="0" skipped="1"`);
    expect(out).toMatch(/name="#2" time="0.000"><skipped message="client: [^"]*should be a number\. \(2 times\)"/);
  });

  test('where nobody else acts it is violated: a failure to JUnit, and told as one everywhere', async () => {
    const of = async (reporter: string) => {
      const { code, out } = await replay('--only-client', '--reporter', reporter);
      expect([reporter, code]).toEqual([reporter, 1]);
      return out;
    };
    expect(await of('junit')).toContain(`name="${clause}" time="0.000"><failure message="${moved}">`);
    expect(await of('markdown')).toMatch(/^## ❌ 1 clause is violated$[\s\S]*^### VIOLATED: 1$[\s\S]*^### CLIENT: 1$/m);
    expect(await of('html')).toMatch(
      /<h1 class="bad">1 clause is violated<[\s\S]*<h2>VIOLATED<small>1<[\s\S]*<h2>CLIENT<small>1</,
    );
    expect(await of('text')).toMatch(/^stated \d+ held, 1 violated · 0 cannot tell · 1 of the client · 5 exchanges$/m);
  });

  test('and where there is nothing to tell, all is well', async () => {
    const lines = readFileSync(record, 'utf8').split('\n');
    writeFileSync(join(folder, 'well.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
    const { out } = await command(['--replay', join(folder, 'well.jsonl'), '--reporter', 'markdown']);
    expect(out).toMatch(/^## ✅ Nothing is violated \(\d+ clauses held\)$/m);
    expect(out).toMatch(/^stated \d+ held, 0 violated · 0 cannot tell · 0 of the client · 1 exchange$/m);
  });
});

test('many of a clause are the first of them and a number, and what we only expect is no failure and no case that passes', async () => {
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
  const of = async (reporter: string) => (await command(['--replay', kept, '--quiet', '--reporter', reporter])).out;
  for (const reporter of ['text', 'markdown', 'junit', 'html']) {
    const out = await of(reporter);
    for (const part of ['UNEXPECTED', 'adjustment.answers-200', 'and 2 more', '1 unexpected']) expect(out).toContain(part);
    expect(out).toContain('#5 ');
  }
  const junit = await of('junit');
  expect(junit).toMatch(/<testcase [^>]*name="adjustment.answers-200" time="0.000"><failure /);
  expect(junit.match(/name="robustness.get-by-code[^>]*>/g)).toEqual(['name="robustness.get-by-code #8" time="0.000">']);
  expect(junit).toMatch(/name="robustness.get-by-code #8" time="0.000"><skipped message="unexpected: /);
});

describe('--out', () => {
  test('has the files that --out of the suite has, from which report makes the others', async () => {
    const out = join(folder, 'out');
    const { out: printed } = await replay('--out', out);
    expect(readdirSync(out).sort()).toEqual(['report.html', 'report.txt', 'results.json']);
    expect(readFileSync(join(out, 'report.txt'), 'utf8')).toBe(printed);
    // It is held against the schema.
    expect(readResult(join(out, 'results.json')).watched).toMatchObject({
      onlyClient: false,
      findings: [
        { kind: 'client', times: 2, exchanges: [2] },
        { kind: 'cannot-tell', clause, what: moved, times: 1, exchanges: [4, 5] },
      ],
      exchanges: [{ n: 2, status: 400 }, { n: 4 }, { n: 5, status: 200 }],
    });
    const text = readFileSync(join(out, 'results.json'), 'utf8');
    writeFileSync(join(folder, 'odd.json'), text.replace('"kind": "client"', '"kind": "odd"'));
    expect(() => readResult(join(folder, 'odd.json'))).toThrow('/watched/findings/0/kind must be equal to one of');
    for (const reporter of ['text', 'markdown', 'junit', 'html', 'json']) {
      const told: string[] = [];
      const io = { stdout: { write: (text: string) => told.push(text) }, stderr: { write: () => true } };
      expect(await main(['report', join(out, 'results.json'), '--reporter', reporter], {}, io)).toBe(0);
      expect(told.join('')).toBe((await replay('--reporter', reporter)).out);
    }
  });

  test('has more where more is asked for', async () => {
    const out = join(folder, 'more');
    const { out: printed } = await replay('--out', out, '--reporter', 'junit', '--reporter', 'markdown');
    expect(printed).toBe(readFileSync(join(out, 'report.txt'), 'utf8'));
    expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.md', 'report.txt', 'results.json']);
  });

  test('that cannot be written is said, and what was found stands on standard output', async () => {
    const out = join(folder, 'taken');
    mkdirSync(join(out, 'results.json'), { recursive: true });
    const { code, out: printed, err } = await replay('--out', out);
    expect([code, existsSync(join(out, 'report.txt'))]).toEqual([6, false]);
    expect(printed).toContain('CANNOT TELL');
    expect(err).toMatch(/results\.json: it is a folder\.\n$/);
  });
});
