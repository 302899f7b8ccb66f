import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { startMock } from '../../mock/index.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { readRunResult } from '../report/result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-canary-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Options {
  /** True if the target does not prove to be the mock. */
  hidden?: boolean;
  /** The response to every create. Default: the mock's response. */
  created?: () => Response;
  /** Default: the target voids cards. If false, DELETE returns 500. `accepted`: DELETE returns 200 and does nothing. `keeps`: a voided card keeps its balance. */
  voids?: false | 'accepted' | 'keeps';
  flags?: readonly string[];
  rules?: readonly string[];
  command?: string;
}

let runs = 0;

/** Runs rules. Returns the exit code, the output, and the requests that changed something. */
async function run(
  target: string,
  { hidden = true, voids, created, flags = [], rules = ['gift-card.void.*'], command = 'run' }: Options = {},
) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const [written, changes]: [string[], string[]] = [[], []];
  const write = { write: (text: string) => written.push(text) };
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    if (hidden && pathname.startsWith('/__mock')) return new Response('no', { status: 404 });
    if (request.method !== 'GET') changes.push(`${request.method} ${pathname.split('/')[3] ?? 'event'}`);
    if (request.method === 'DELETE' && voids === false) return new Response('broken', { status: 500 });
    if (request.method === 'DELETE' && voids === 'accepted') return Response.json({});
    if (pathname.endsWith('/GiftCard/Create') && created) return created();
    const response = await mock.fetch(new Request(mock.url + pathname + search, request));
    if (voids !== 'keeps' || !/GetBy(Code|Id)/.test(pathname)) return response;
    const shown = (await response.json()) as Record<string, unknown>;
    return Response.json(shown.status === 'Voided' ? { ...shown, balance: 1 } : shown, response);
  };
  runs += 1;
  const out = join(folder, `out-${runs}`);
  const files = ['--ledger', join(folder, `${runs}`), '--out', out];
  const argv = [command, '--target', target, ...files, '--yes', '--rate', '9999', ...flags, ...rules];
  const code = await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, { stdout: write, stderr: write, fetch });
  await mock.close();
  const creates = changes.filter((each) => each === 'POST Create').length;
  return { code, changes, creates, output: written.join(''), result: () => readRunResult(join(out, 'results.json')) };
}

const remote = 'https://service.example.com';
const near = 'http://127.0.0.1';
const full = ['--mode', 'full', '--webhook-listen', '127.0.0.1:0'];

test.each([
  [remote, full],
  [near, full],
  [remote, []],
  [near, []],
])('%s with flags %j: the run stops after one card that cannot be voided', async (target, flags) => {
  const { code, creates, output } = await run(target, { voids: false, flags: [...flags, '--allow', 'void-deliveries'] });
  expect([code, creates]).toEqual([5, 1]);
  expect(output).toMatch(/first card is voided/);
  expect(output).toContain('LEFT BEHIND  card#1:');
});

test.each([
  [remote, full],
  [near, ['--allow', 'void-deliveries']],
])(
  '%s with flags %j: voids without effect fail by name, and every report names the reason and --leave-cards',
  async (target, flags) => {
    const rules = ['gift-card.*', 'idempotency.*'];
    const { code, creates, output, result } = await run(target, { voids: 'accepted', flags, rules });
    expect([code, creates]).toEqual([5, 1]);
    const { rules: all, leftBecause, ...others } = result();
    const failed = all.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ name }) => name)).toEqual([
      'gift-card.void.by-code-voids',
      'gift-card.void.by-id-voids',
      'gift-card.void.zeroes-balance',
    ]);
    for (const { name, exchanges } of failed) {
      expect(exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual(['DELETE 200', 'GET 200']);
      expect(output).toContain(`FAIL  ${name}`);
    }
    expect(leftBecause).toEqual([expect.stringMatching(/card#1: .*DELETE .*VoidByCode returned 200.*GET .* returned 200$/)]);
    const untested = all.filter(({ reason }) => reason === 'cannot-void');
    expect(untested.map(({ name }) => name)).toContain('idempotency.create.refuses-repeat');
    for (const { detail } of untested) expect(detail).toContain('--leave-cards N');
    expect(endingOfRun({ ...others, rules: all, leftBecause }).because.join()).toContain(`${untested.length} rules untested`);
    expect(output).toMatch(/Exit code 5: .*--leave-cards N/);
  },
);

test('a voided card that keeps its balance fails by name, also if the run has too few cards for a test of voids', async () => {
  const flags = ['--allow', 'void-deliveries', '--max-creates', '2'];
  const rules = ['gift-card.create.returns-200', 'gift-card.void.*'];
  const { code, creates, result } = await run(near, { voids: 'keeps', flags, rules });
  expect([code, creates, result().cards.left]).toEqual([1, 2, []]);
  const failed = result().rules.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ name }) => name)).toEqual(['gift-card.void.zeroes-balance']);
});

test('a run sends no events to a target that cannot void cards', async () => {
  const more = { flags: [...full, '--profile', withEvent], rules: ['automation.status-created'] };
  const events = ({ changes }: { changes: string[] }) => changes.filter((each) => each === 'POST event').length;
  expect(events(await run(near, more))).toBeGreaterThan(0);
  const { code, creates, ...others } = await run(near, { voids: false, ...more });
  expect([code, creates, events(others)]).toEqual([5, 1, 0]);
});

const withEvent = join(folder, 'profile.json');
writeFileSync(withEvent, '{"automationEvent": {"name": "review_created", "amount": 10}}');

const fails = [1, expect.stringMatching(/FAIL {2}gift-card.*returns-the-card/s)];
// A refusal of the first card, for example because the allowance is used up, violates nothing.
const isBlocked = [4, expect.stringMatching(/Create never succeeded: 400.*INCOMPLETE {2}.*0 violated/s)];

test.each<[string, unknown[], () => Response]>([
  ['404', fails, () => new Response('none', { status: 404 })],
  ['501', fails, () => new Response('', { status: 501 })],
  ['400', isBlocked, () => new Response('no allowance', { status: 400 })],
  ['a JSON object without a card', fails, () => Response.json({ status: 'ok' })],
  ['a text', fails, () => new Response('OK')],
])(
  'if the first create gets a response with %s, the run creates nothing more, and shows this response',
  async (_, ending, created) => {
    const rules = ['gift-card.*', 'webhook.*', 'automation.*', 'delivery.*', 'authentication.*', 'robustness.*'];
    const flags = [...full, '--profile', withEvent, '--leave-cards', '9'];
    const { code, changes, output } = await run(near, { created, flags, rules });
    expect(changes.filter((each) => each.startsWith('POST'))).toEqual(['POST Create']);
    expect([code, output]).toEqual(ending);
    expect(output).not.toContain('FAIL  authentication');
  },
);

test('the run voids its first card before it creates another; the mock needs no first card', async () => {
  const [elsewhere, here] = [await run(remote, { flags: full }), await run(near, { hidden: false, flags: full })];
  expect(elsewhere.code).toBe(here.code);
  expect(elsewhere.changes.slice(0, 3)).toEqual(['POST Create', 'DELETE VoidById', 'POST Create']);
  expect(elsewhere.creates).toBe(here.creates + 1);
  expect(elsewhere.output).not.toMatch(/first card is voided/);
});

const sequences = { command: 'fuzz', rules: ['sequences'] };

test('fuzz stops after one card that cannot be voided, or leaves at most the cards that --leave-cards allows', async () => {
  for (const target of [remote, near]) {
    const { code, creates, output } = await run(target, { ...sequences, voids: false, flags: ['--mode', 'full'] });
    expect([code, creates]).toEqual([5, 1]);
    expect(output).toMatch(/first card is voided.*--leave-cards N/);
  }
  const allowed = await run(near, { ...sequences, voids: false, flags: ['--mode', 'full', '--leave-cards', '9'] });
  expect(allowed.creates).toBeGreaterThan(1);
  expect(allowed.creates).toBeLessThanOrEqual(9);
  expect([1, 4]).toContain(allowed.code);
});

test('fuzz voids its first card before it creates another; the budget counts this card', async () => {
  const flags = ['--mode', 'full', '--max-creates', '3'];
  const [elsewhere, here] = [await run(near, { ...sequences, flags }), await run(near, { ...sequences, hidden: false, flags })];
  expect([elsewhere.code, here.code]).toEqual([4, 4]);
  expect([elsewhere.creates, here.creates]).toEqual([3, 3]);
  expect(elsewhere.changes.slice(0, 3)).toEqual(['POST Create', 'DELETE VoidById', 'POST Create']);
  expect(here.changes.slice(0, 2)).not.toEqual(['POST Create', 'DELETE VoidById']);
});

test('the budget counts the first card', async () => {
  const { code, creates, output } = await run(near, { flags: ['--max-creates', '3', '--allow', 'void-deliveries'] });
  expect(creates).toBe(3);
  expect(output).not.toMatch(/over the budget/);
  expect(code).not.toBe(5);
});

test('a run that needs no cards creates none', async () => {
  const flags = ['--mode', 'read-only'];
  expect((await run(near, { flags })).changes).toEqual([]);
  expect((await run(near, { rules: ['company.profile-succeeds'], flags: ['--allow', 'void-deliveries'] })).changes).toEqual([]);
});
