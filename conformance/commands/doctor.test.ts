import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { Ledger } from '../ledger.ts';
import { main } from '../main.ts';
import { Names } from '../names.ts';
import { LedgerFile } from '../safety/ledger-file.ts';
import { stranger } from '../stranger/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));
const url = 'http://127.0.0.1:9';
let ledgers = 0;

/** The lines that the doctor prints, by label, and what it sent. */
async function doctor(
  fetch: ((request: Request) => Promise<Response>) | undefined,
  key = 'the-key',
  ledger = join(folder, `${++ledgers}`),
  target = url,
  flags: readonly string[] = [],
) {
  const [written, sent]: [string[], string[]] = [[], []];
  const io = {
    stdout: { write: (text: string) => written.push(text) },
    stderr: { write: (text: string) => written.push(text) },
    ...(fetch
      ? {
          fetch: (request: Request) => {
            sent.push(request.method);
            return fetch(request);
          },
        }
      : {}),
  };
  const code = await main(['doctor', '--target', target, '--ledger', ledger, ...flags], { GIFTCARD_API_KEY: key }, io);
  const lines = written.join('').trimEnd().split('\n');
  expect(sent.filter((method) => method !== 'GET')).toEqual([]);
  // The stranger's is a word.
  if (key.length > 3) expect(written.join('')).not.toContain(key);
  return { code, told: Object.fromEntries(lines.map((line) => [line.slice(0, 11).trimEnd(), line.slice(11)])) };
}

/** A service of which only what the doctor looks at is there. */
const saying =
  ({
    headers = {},
    webhooks = [],
    webhookStatus = 200,
  }: {
    headers?: Record<string, string>;
    webhooks?: unknown;
    webhookStatus?: number;
  }) =>
  async (request: Request) =>
    request.url.includes('/Webhook/')
      ? Response.json(webhooks, { status: webhookStatus })
      : Response.json({ giftCards: [], totalCount: 0 }, { headers });

const healthy = { target: `${url} answers, and takes the key`, 'left over': 'nothing of earlier runs' };

test('a mock with its own clock and rate', async () => {
  const mock = await startMock({ listen: false });
  expect(await doctor((request) => mock.fetch(request), mock.apiKey)).toEqual({
    code: 0,
    told: { ...healthy, clock: 'the same there and here', rate: expect.any(String), webhooks: 'none' },
  });
  await mock.close();
});

test('a server that shares nothing with it', async () => {
  const { fetch, key } = stranger();
  expect(await doctor(fetch, key)).toMatchObject({ code: 0, told: { ...healthy, webhooks: 'none' } });
});

test.each([
  [{ webhooks: [{ id: 1 }] }, 4],
  [{ webhookStatus: 404 }, 4],
  [{}, 0],
])('elsewhere than on this machine, where a safe run may create nothing: %j', async (service, code) => {
  expect(await doctor(saying(service), 'the-key', undefined, 'https://service.example.com')).toMatchObject({ code });
  expect(await doctor(saying(service))).toMatchObject({ code: 0 });
});

test('keys of the profile that are not what it says of them', async () => {
  const mock = await startMock({ listen: false });
  const of = async (profile: object) => {
    const file = join(folder, `${++ledgers}.json`);
    writeFileSync(file, JSON.stringify(profile));
    const { code, told } = await doctor((request) => mock.fetch(request), mock.apiKey, undefined, url, ['--profile', file]);
    return [code, told.profile];
  };
  const says = 'secondKey is refused with 401, so that nothing that needs it can be judged: set it right, or leave it out';
  expect(await of({ secondKey: 'a key of another account' })).toEqual([4, says]);
  expect(await of({ secondKey: mock.apiKey })).toEqual([4, expect.stringContaining('must be one of another account')]);
  expect(await of({ deletedKey: mock.apiKey })).toEqual([4, expect.stringContaining('deletedKey is taken')]);
  const { secondKey = '', deletedKey = '', basicKey = '' } = mock.profile();
  expect(await of({ secondKey, deletedKey, basicKey })).toEqual([0, undefined]);
  await mock.close();
});

test('nobody there, and a key that is refused', async () => {
  const dead = await doctor(undefined);
  expect([dead.code, Object.keys(dead.told)]).toEqual([3, ['target', 'left over']]);
  expect(dead.told.target).toContain('could not be reached');
  const refused = await doctor(async () => new Response('', { status: 401 }));
  expect([refused.code, refused.told.target]).toEqual([3, expect.stringContaining('refuses the key')]);
});

test.each([
  [{}, 'the target does not tell its time'],
  [{ date: new Date(Date.now() + 90_000).toUTCString() }, /^(89|90|91) s ahead of this machine's$/],
  [{ date: new Date(Date.now() - 3_600_000).toUTCString() }, /^(3599|3600|3601) s behind this machine's$/],
])('its clock: %j', async (headers, says) => {
  expect((await doctor(saying({ headers }))).told.clock).toMatch(says);
});

test.each([
  [{}, 'no header tells what is left; the service is said to let in 200 requests a minute'],
  [{ 'x-ratelimit-remaining': '17' }, 'x-ratelimit-remaining: 17'],
  [{ 'retry-after': '3' }, 'retry-after: 3'],
])('its rate: %j', async (headers, says) => {
  expect((await doctor(saying({ headers }))).told.rate).toBe(says);
});

test.each([
  [{ webhooks: [] }, 'none'],
  [{ webhooks: { hooks: [{ id: 1 }, { id: 2 }] } }, '2; a safe run creates nothing until --allow webhooks'],
  [{ webhooks: 'none' }, 'the list could not be read; a safe run creates nothing'],
  [{ webhookStatus: 500 }, 'the list could not be read; a safe run creates nothing'],
])('its webhooks: %j', async (has, says) => {
  expect((await doctor(saying(has))).told.webhooks).toBe(says);
});

test.each(['/GiftCard/', '/Webhook/'])('a connection that is lost at a later look, %s, is trouble and no fault', async (at) => {
  let asked = 0;
  const { code, told } = await doctor(async (request) => {
    asked += 1;
    if (asked > 1 && request.url.includes(at)) throw new Error('socket hang up');
    return saying({})(request);
  });
  expect([code, told.trouble]).toEqual([3, expect.stringContaining('could not be reached')]);
});

test('a run that cannot see the webhooks is told so, and ends with 3', async () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const fetch = async (request: Request) => {
    if (request.url.includes('/Webhook/')) throw new Error('socket hang up');
    return saying({})(request);
  };
  const flags = ['--mode', 'safe', '--target', url, '--ledger', join(folder, `${++ledgers}`)];
  const code = await main(['run', ...flags], { GIFTCARD_API_KEY: 'the-key' }, { stdout: { write }, stderr: { write }, fetch });
  expect([code, written.join('')]).toEqual([3, expect.stringContaining('could not be reached')]);
});

test('what is left over, what is under way, and what cannot be read', async () => {
  const path = join(folder, 'ledger.jsonl');
  const file = new LedgerFile(path, url);
  const keys = { key: 'the-key', profile: {} };
  const begun = async () => {
    const ledger = new Ledger(new Names(), {}, keys.key, (run) => file.keeperOf(run));
    const lock = await file.begin(ledger.runId, keys);
    ledger.open(ledger.fresh(), undefined);
    return lock;
  };
  const [first, second] = [await begun(), await begun()];
  await first.release();
  const seen = await doctor(saying({}), keys.key, path);
  expect([seen.code, seen.told['left over'], seen.told['under way']]).toEqual([
    5,
    '1 card or webhook of earlier runs; sweep takes it away',
    '1 other run',
  ]);
  await second.release();
  file.close();
});
