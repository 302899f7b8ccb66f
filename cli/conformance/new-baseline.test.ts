import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mock, startMock } from '../../mock/index.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-baseline-'));
let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ listen: false, rateLimit: 'off' });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** The operations of a server whose implementation has just begun. */
const begun = /^\/api\/GiftCard\/(Create|GetByCode|List)(\/|$)/;
const rules = [
  'adjustment.*',
  'gift-card.void.*',
  'gift-card.get-by-code.*',
  'webhook.create.*',
  'company.*',
  'delivery.voided.*',
];

/** Runs rules against a server that has only some operations. Returns the exit code, the output, and the number of creates. */
async function run(operations: RegExp, ...flags: string[]) {
  const [written, creates]: [string[], string[]] = [[], []];
  const write = { write: (text: string) => written.push(text) };
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (!operations.test(pathname)) return new Response('Cannot find the path', { status: 404 });
    if (pathname.endsWith('/GiftCard/Create')) creates.push(pathname);
    return mock.fetch(request);
  };
  const mode = flags.includes('--mode') ? [] : ['--mode', 'full', '--ledger', join(folder, 'ledger')];
  const argv = ['run', '--target', 'http://127.0.0.1', ...mode, '--quiet', ...flags, ...rules];
  const code = await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, { stdout: write, stderr: write, fetch });
  return { code, creates: creates.length, output: written.join('') };
}

const file = join(folder, 'baseline.json');
const entries = () => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object);

test('a target that cannot void cards gets one card, and the message names the flag', async () => {
  const { code, creates, output } = await run(begun);
  expect([code, creates]).toEqual([5, 1]);
  expect(output).toMatch(/first card is voided.*--leave-cards N \(planned: \d+\)/);
  expect(output).toContain('LEFT BEHIND  card#1:');
  expect(output).not.toMatch(/ [1-9]\d* not sent/);
});

test('with --leave-cards, a half-finished server is green with a line for each missing operation', async () => {
  const first = await run(begun, '--leave-cards', '400', '--write-baseline', file);
  expect(first.code).toBe(0);
  expect(first.creates).toBeGreaterThan(5);
  expect(first.output).toMatch(/^ {4}GET \/api\/Webhook\/List: 404 \(\d+ rules\)$/m);
  expect(first.output).toMatch(/Exit code 0, but \d+ cards left, which --leave-cards 400 allows; \d+ lines .*REASON WANTED/);
  expect(entries()).toEqual(
    expect.arrayContaining(['--leave-cards 400', 'DELETE /api/GiftCard/VoidByCode/{code}', 'GET /api/Webhook/List']),
  );
  expect(entries().filter((entry) => !/^(--leave-cards|GET|POST|DELETE) /.test(entry))).toEqual([]);
  expect(entries().length).toBeLessThan(11);
  // The ledger still lists the cards of the earlier runs.
  const second = await run(begun, '--baseline', file);
  expect([second.code, second.creates]).toEqual([0, first.creates]);
});

test('a run creates at most the cards that it may leave', async () => {
  const { code, creates } = await run(begun, '--leave-cards', '4', '--baseline', file);
  expect([code, creates]).toEqual([0, 4]);
});

test('a safe run of all rules against a half-finished server writes a baseline, and is green with this baseline', async () => {
  const safe = ['--mode', 'safe', '--ledger', join(folder, 'safe'), '--allow', 'void-deliveries', '--rate', '9999', '*'];
  const own = join(folder, 'safe.json');
  const first = await run(begun, '--leave-cards', '5', '--write-baseline', own, ...safe);
  const second = await run(begun, '--baseline', own, ...safe);
  expect([first.code, second.code]).toEqual([0, 0]);
  for (const { output } of [first, second]) expect(output).toMatch(/^Cards ([1-5]) created, 0 voided, \1 left/m);
});

test('once an operation is there, its line is stale, and its rules are violated', async () => {
  const more = /^\/api\/(GiftCard\/(Create|GetByCode|List)|Company\/Profile)(\/|$)/;
  const { code, output } = await run(more, '--baseline', file);
  expect(code).toBe(1);
  expect(output).toMatch(/STALE BASELINE .*\n {4}GET \/api\/Company\/Profile\n\n/);
});

test('a finished server needs nothing of the baseline', async () => {
  const { code, output } = await run(/^\/api\//, '--baseline', file, '--write-baseline', file);
  expect([code, entries()]).toEqual([0, []]);
  expect(output).not.toContain('LEFT BEHIND');
});
