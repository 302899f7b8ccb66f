import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { startMock } from '../../mock/index.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { readRunResult } from '../report/result-file.ts';
import { LedgerFolder } from './ledger-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-breaking-off-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rules = ['gift-card.create.*', 'gift-card.void.*'];
const target = 'http://127.0.0.1';

/** Starts a mock, and runs commands in this process. Calls `at` at each request of a command. */
async function commanding(ledger: string, at: (sent: number, io: EventEmitter) => void = () => undefined) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let sent = 0;
  const command = async (argv: string[], broken = false) => {
    const [written, errors]: [string[], string[]] = [[], []];
    const events = new EventEmitter();
    const io = Object.assign(events, {
      stdout: { write: (part: string) => written.push(part) },
      stderr: { write: (part: string) => [written, errors].map((each) => each.push(part)) },
      fetch: async (request: Request) => {
        if (broken && request.method === 'DELETE') return new Response('', { status: 500 });
        const response = await mock.fetch(request);
        at(++sent, events);
        return response;
      },
    });
    const code = await main([...argv, '--target', target, '--ledger', ledger], { GIFTCARD_API_KEY: mock.apiKey }, io);
    return {
      code,
      outputText: written.join(''),
      errors: errors.join(''),
      listeners: events.listenerCount('SIGINT') + events.listenerCount('SIGTERM'),
    };
  };
  return { command, mock };
}

const leftIn = async (ledger: string, url = target) => (await new LedgerFolder(ledger, url).read()).entries;

test.each(['SIGINT', 'SIGTERM'])('after %s a run cleans up and exits with 130', async (signal) => {
  const ledger = join(folder, `${signal}-ledger`);
  const { command, mock } = await commanding(ledger, (sent, events) => sent === 9 && events.emit(signal));
  const { code, outputText, listeners } = await command(['run', ...rules]);
  expect(outputText).toContain('Interrupted');
  expect([code, listeners, await leftIn(ledger)]).toEqual([130, 0, []]);
  expect(outputText).toMatch(/after \d+ of \d+ rules/);
  expect(outputText).toMatch(/Exit code 130/);
  await mock.close();
});

test('the next run first cleans up what an earlier run left, and so does sweep', async () => {
  const ledger = join(folder, 'next-ledger');
  const { command, mock } = await commanding(ledger);
  const failed = await command(['run', ...rules], true);
  expect(failed.code).toBe(5);
  expect((await leftIn(ledger)).length).toBeGreaterThan(3);
  expect((await command(['ledger'])).code).toBe(5);
  expect((await command(['doctor'])).code).toBe(5);
  expect((await command(['sweep'], true)).code).toBe(5);

  const next = await command(['run', 'gift-card.get-by-code.unknown-is-404']);
  expect([next.code, await leftIn(ledger)]).toEqual([0, []]);
  expect(next.outputText).toContain('leftovers of earlier runs');
  expect((await command(['sweep'])).code).toBe(0);
  expect((await command(['ledger'])).code).toBe(0);
  expect((await command(['doctor'])).code).toBe(0);
  await mock.close();
});

test('a safe run creates nothing if it cannot clean up what earlier runs left', async () => {
  const ledger = join(folder, 'canary-ledger');
  const { command, mock } = await commanding(ledger);
  const safe = ['run', '--mode', 'safe', ...rules];
  expect((await command(safe, true)).code).toBe(5);
  const left = (await leftIn(ledger)).length;
  expect(left).toBeGreaterThan(0);
  const next = await command(safe, true);
  expect([next.code, (await leftIn(ledger)).length]).toEqual([5, left]);
  expect(next.outputText).toContain('creates nothing');
  // After voiding works again, the next run first voids the leftovers.
  const mended = await command(safe);
  expect([mended.code === 5, await leftIn(ledger)]).toEqual([false, []]);
  expect(mended.outputText).not.toContain('creates nothing');
  await mock.close();
});

test('leftovers are printed and exit with 5 even if no report can be written, and the next run reports them', async () => {
  const ledger = join(folder, 'unwritten-ledger');
  const out = join(folder, 'unwritten');
  mkdirSync(join(out, 'results.json'), { recursive: true });
  const { command, mock } = await commanding(ledger);
  const first = await command(['run', ...rules, '--out', out], true);
  expect(first.code).toBe(5);
  for (const part of ['LEFT BEHIND  card#1', 'results.json']) expect(first.outputText).toContain(part);
  const before = (await leftIn(ledger)).length;
  const next = await command(
    ['run', 'gift-card.get-by-code.unknown-is-404', '--out', `${out}-next`, '--reporter', 'junit'],
    true,
  );
  expect(next.code).toBe(5);
  const result = readRunResult(join(`${out}-next`, 'results.json'));
  const counts = result.leftBefore?.map((each) => 1 + Number(/ and (\d+) more of the earlier run/.exec(each)?.[1] ?? 0)) ?? [];
  expect(counts.reduce((sum, count) => sum + count)).toBe(before);
  expect(endingOfRun(result).code).toBe(5);
  expect(readFileSync(join(`${out}-next`, 'junit.xml'), 'utf8')).toMatch(/<error [^>]*Exit code 5[^>]*>[^<]*card#\d+/);
  const healed = await command(['run', 'gift-card.get-by-code.unknown-is-404', '--out', out]);
  expect([healed.code, await leftIn(ledger)]).toEqual([6, []]);
  await mock.close();
});

test('a damaged ledger exits with 5, because its lost lines may have named cards', async () => {
  const ledger = join(folder, 'damaged-ledger');
  const { command, mock } = await commanding(ledger);
  const only = ['run', 'gift-card.get-by-code.unknown-is-404'];
  expect((await command(only)).code).toBe(0);
  const file = join(ledger, 'damaged.jsonl');
  appendFileSync(file, 'null\nnull\n');
  const says = `${file} is damaged at line 1, 2: `;
  const times = (text: string) => text.split(says).length - 1;
  const rerun = await command(only);
  // `outputText` has both streams. The damage appears once on stderr and once in the report.
  expect([rerun.code, times(rerun.errors), times(rerun.outputText)]).toEqual([5, 1, 2]);
  const all = [
    await command(['ledger']),
    await command(['doctor']),
    await command(['sweep']),
    await command(['fuzz', 'sequences', '--runs', '1']),
  ];
  expect(all.map(({ code, outputText }) => [code, times(outputText)])).toEqual(all.map(() => [5, 1]));
  await mock.close();
});

test.each([
  ['run', ['run']],
  ['learn', ['learn', '--out', join(folder, 'killed.yaml')]],
])(
  'a killed process leaves nothing after sweep: %s',
  async (name, command) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    let child: ChildProcess | undefined;
    let creates = 0;
    const server = createServer(async (request, res) => {
      const body = await text(request);
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      const { method = 'GET', url = '' } = request;
      const response = await mock.fetch(new Request(`${mock.url}${url}`, { method, headers, ...(body === '' ? {} : { body }) }));
      if (url.endsWith('/Create') && response.ok && ++creates === 3) child?.kill('SIGKILL');
      res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ledger = join(folder, `${name}-killed-ledger`);
    const cli = resolve(import.meta.dirname, '../../cli/main.ts');
    const env = { ...process.env, GIFTCARD_API_KEY: mock.apiKey };
    const flags = ['--target', url, '--ledger', ledger];
    child = spawn(process.execPath, ['--import', 'tsx', cli, 'conformance', ...command, ...flags, ...rules], {
      env,
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect((await leftIn(ledger, url)).length).toBeGreaterThanOrEqual(3);
    const codes = (await leftIn(ledger, url)).map(({ code }) => code);

    const io = { stdout: { write: () => 0 }, stderr: { write: () => 0 } };
    expect(await main(['sweep', ...flags], env, io)).toBe(0);
    const statuses: string[] = [];
    for (const code of new Set(codes)) {
      const response = await mock.fetch(
        new Request(`${mock.url}/api/GiftCard/GetByCode/${code}`, { headers: { 'x-api-key': mock.apiKey } }),
      );
      // A 404 means that the create was refused.
      if (response.status !== 404) statuses.push(((await response.json()) as { status: string }).status);
    }
    expect(statuses).toEqual(['Voided', 'Voided', 'Voided']);
    expect(await leftIn(ledger)).toEqual([]);
    // The variant file is written whole or not at all.
    expect(readdirSync(folder).filter((file) => file.startsWith('killed.yaml'))).toEqual([]);
    server.closeAllConnections();
    server.close();
    await mock.close();
  },
  60_000,
);
