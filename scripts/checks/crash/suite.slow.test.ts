import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { main } from '../../../cli/conformance/main.ts';
import { checks } from '../../../conformance/core/rule.ts';
import { runRules } from '../../../conformance/core/run.ts';
import { arrays, leaves } from '../../../conformance/http/json-search.ts';
import { LedgerFolder } from '../../../conformance/safety/ledger-folder.ts';
import { type Mock, startMock } from '../../../mock/index.ts';
import { defaultWorldProfile } from '../../default-world-profile.ts';
import { isSample } from '../../sample.ts';
import '../../../conformance/rules/index.ts';
import '../../../conformance/questions/index.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Each point of a run kills it, or with SAMPLE=1 each fourth point. */
const stride = isSample ? 4 : 1;

test('a run that is killed at any of its requests leaves nothing after sweep', async () => {
  const { points, kills, records, faults } = await crashRun(stride);
  expect(faults).toEqual([]);
  expect(kills).toBe(Math.floor(points / stride));
  expect(points).toBeGreaterThan(800);
  expect(records).toBeGreaterThan(10 * kills);
});

/** The result of simulating a kill of the run at many of its requests. */
interface CrashResult {
  /** The number of points of the run where the mock or the ledger differed from the previous point. */
  points: number;
  /** The number of simulated kills. */
  kills: number;
  /** The total number of the run's records that existed at these kills. */
  records: number;
  /** Records that `sweep` did not remove, records of others that `sweep` changed, and requests that were sent before their ledger lines were on disk. */
  faults: string[];
}

const url = 'http://127.0.0.1';

/**
 * Runs all checks once, and simulates a kill before and after requests. A kill would leave the mock and the ledger as they are at that point.
 * So, at every `stride`th point, copies the mock and the ledger, and sweeps the copy as the next process would do.
 */
async function crashRun(stride: number): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-crash-'));
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const before = await recordsOf(mock);
  const result: CrashResult = { points: 0, kills: 0, records: 0, faults: [] };
  const disk = { length: 0 };
  const ledger = new LedgerFolder(join(folder, 'ledger'), url, { flush: () => (disk.length = bytesOf(ledger).length) });
  let last = '';
  let changes = 0;

  const point = async (where: string) => {
    const text = bytesOf(ledger).toString('utf8');
    const current = `${changes} ${text.length}`;
    if (current === last) return;
    last = current;
    result.points += 1;
    if (result.points % stride !== 0) return;
    result.kills += 1;
    const { records, faults } = await sweepCopy(mock, text, before, folder);
    result.records += records;
    for (const fault of faults) result.faults.push(`${where}: ${fault}`);
  };

  // Requests run one at a time, so that mock and ledger are compared at the same point.
  let queue: Promise<unknown> = Promise.resolve();
  const fetch = (request: Request): Promise<Response> => {
    const sending = queue.then(async () => {
      const what = `${request.method} ${new URL(request.url).pathname}`;
      const body = await request.clone().text();
      const flushed = bytesOf(ledger).subarray(0, disk.length).toString('utf8');
      if (CREATES.test(what) && !isRecorded(body, flushed))
        result.faults.push(`${what} is not on disk yet: ${body.slice(0, 200)}`);
      await point(`before ${what}`);
      const response = await mock.fetch(request);
      if (request.method !== 'GET') changes += 1;
      await point(`after ${what}`);
      return response;
    });
    queue = sending.catch(() => undefined);
    return sending;
  };

  // Checks of malformed input are left out, because they would create similar records thousands of times.
  const names = checks().flatMap(({ name, inputs }) => (inputs ? [] : [name]));
  const target = { url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  // The deadline is long, because the time of a check includes the sweeps during the check.
  const run = await runRules({ target, names, checks: checks(), ledger, deadline: 600_000 });
  if (run.cards.left.length + run.recordsLeft.length > 0) result.faults.push('the run itself left something behind');
  await mock.close();
  rmSync(folder, { recursive: true });
  return result;
}

/** Returns the content of the run's ledger file. Empty before the run creates the file, and after the run deletes the file. */
function bytesOf({ path }: LedgerFolder): Buffer {
  const [file] = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.jsonl')) : [];
  return file === undefined ? Buffer.alloc(0) : readFileSync(join(path, file));
}

const CREATES = /^POST \/api\/(GiftCard\/Create|Webhook\/Create|WebStoreCoupon\/Create|AutomationTriggerEvents)$/i;

/** Reports whether the ledger has a value that lets `sweep` find the record. A malformed body, and an event for an unknown recipient, create nothing and need no line. */
function isRecorded(body: string, ledger: string): boolean {
  if (!body.startsWith('{') || (body.includes('event_name') && !/"gcs\w+@example\.com"/.test(body))) return true;
  return ledger.split('\n').some((line) => {
    const { open } = (line === '' ? {} : JSON.parse(line)) as { open?: Record<string, unknown> };
    const values = [open?.url, open?.mark, open?.recipient, open?.code];
    return values.some((value) => typeof value === 'string' && value !== '' && body.includes(JSON.stringify(value)));
  });
}

/** Copies the mock and the ledger, sweeps the copy, and compares what remains with the records before the run. */
async function sweepCopy(mock: Mock, ledger: string, before: Records, folder: string) {
  await using copy = await startMock({ listen: false, rateLimit: 'off' });
  await copy.restore(await mock.snapshot());
  const path = join(folder, 'copy');
  const profile = join(folder, 'profile.json');
  mkdirSync(path, { recursive: true });
  // The lock says that the run is alive. The copy has no lock, so `sweep` takes it for the ledger of a dead process.
  writeFileSync(join(path, 'run.jsonl'), ledger.replaceAll(/"lock":"[^"]*"/g, '"lock":null'));
  writeFileSync(profile, JSON.stringify(defaultWorldProfile));
  const atKill = await recordsOf(copy);
  const output: string[] = [];
  const write = { write: (text: string) => output.push(text) };
  const io = { stdout: write, stderr: write, fetch: (request: Request) => copy.fetch(request) };
  const command = (argv: string[]) => main([...argv, '--target', url, '--ledger', path], { GIFTCARD_API_KEY: copy.apiKey }, io);
  const code = await command(['sweep', '--profile', profile]);
  const remaining = await command(['ledger']);
  const after = await recordsOf(copy);
  const faults = [...newRecords(after, before).map((each) => `${each} is left`), ...changedRecords(atKill, after, before)];
  if (code !== 0 || remaining !== 0) faults.push(`sweep ended with ${code} and ledger with ${remaining}: ${output.join('')}`);
  return { records: newRecords(atKill, before).length, faults };
}

/** The cards, webhooks and coupons of a mock's accounts, as JSON by ID. Voided cards are left out. */
type Records = ReadonlyMap<string, string>;

async function recordsOf(mock: Mock): Promise<Records> {
  const found = new Map<string, string>();
  for (const key of [mock.apiKey, defaultWorldProfile.secondKey as string]) {
    const get = async (path: string) =>
      (await mock.fetch(new Request(`${mock.url}${path}`, { headers: { 'x-api-key': key } }))).json();
    const records = [arrays(await get('/api/Webhook/List')).at(0), arrays(await get('/api/WebStoreCoupon/List')).at(0)].flat();
    for (let page = 0, more = true; more; page += 1) {
      const { giftCards } = (await get(`/api/GiftCard/List?pageSize=50&pageNumber=${page}`)) as { giftCards: unknown[] };
      records.push(...giftCards);
      more = giftCards.length === 50;
    }
    for (const record of records) {
      const { id, status } = record as { id?: unknown; status?: unknown };
      if (status !== 'Voided') found.set(String(id), JSON.stringify(leaves(record)));
    }
  }
  return found;
}

const newRecords = (now: Records, before: Records): string[] => [...now].flatMap(([id, text]) => (before.has(id) ? [] : [text]));

/** Returns the records that existed before the run, and changed between `then` and `now`. */
const changedRecords = (then: Records, now: Records, before: Records): string[] =>
  [...then].flatMap(([id, text]) => (before.has(id) && now.get(id) !== text ? [`${text} was changed`] : []));
