import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Redactor } from '../../conformance/http/redactor.ts';
import { Ledger } from '../../conformance/safety/ledger.ts';
import { LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import { referenceServer } from '../../conformance/testing/reference-server/server.ts';
import { startMock } from '../../mock/index.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));
const url = 'http://127.0.0.1:9';
let ledgers = 0;

/** Runs doctor. Returns the printed texts by label, and all texts of `label`. */
async function doctor(
  fetch: ((request: Request) => Promise<Response>) | undefined,
  key = 'the-key',
  ledger = join(folder, `${++ledgers}`),
  target = url,
  flags: readonly string[] = [],
  label = '',
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
  const argv = ['doctor', '--target', target, '--ledger', ledger, '--rate', '100000', ...flags];
  const code = await main(argv, { GIFTCARD_API_KEY: key }, io);
  const lines = written.join('').trimEnd().split('\n');
  expect(sent.filter((method) => method !== 'GET')).toEqual([]);
  // A key of the reference server is a short word that may occur in texts.
  if (key.length > 3) expect(written.join('')).not.toContain(key);
  const texts = lines.map((line) => [line.slice(0, 11).trimEnd(), line.slice(11)] as const);
  return { code, texts: Object.fromEntries(texts), all: texts.flatMap(([of, says]) => (of === label ? [says] : [])) };
}

/** A service with only the operations that doctor uses. */
const serviceWith =
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

const healthy = { target: expect.stringContaining('accepts the key'), leftovers: 'none' };

test('a mock with its own clock and rate is ready', async () => {
  const mock = await startMock({ listen: false });
  expect(await doctor((request) => mock.fetch(request), mock.apiKey)).toMatchObject({
    code: 0,
    texts: { ...healthy, clock: expect.stringContaining('equal'), rate: expect.any(String), webhooks: 'none' },
  });
  const headers = { 'x-api-key': mock.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/hook' });
  await mock.fetch(new Request(`${mock.url}/api/Webhook/Create`, { method: 'POST', headers, body }));
  const withWebhook = await doctor((request) => mock.fetch(request), mock.apiKey);
  expect(withWebhook).toMatchObject({ code: 0, texts: { webhooks: '1', mode: expect.stringMatching(/^full/) } });
  await mock.close();
});

test('the reference server is ready', async () => {
  const { fetch, key } = referenceServer();
  expect(await doctor(fetch, key)).toMatchObject({ code: 0, texts: { ...healthy, webhooks: 'none' } });
});

test.each([
  [{ webhooks: [{ id: 1 }] }, 4],
  [{ webhookStatus: 404 }, 4],
  [{}, 0],
])('exit code 4 if a safe run could create nothing: %j', async (service, code) => {
  expect(await doctor(serviceWith(service), 'the-key', undefined, 'https://service.example.com')).toMatchObject({ code });
  expect(await doctor(serviceWith(service))).toMatchObject({ code });
});

test.each([
  [() => new Response('no', { status: 404 }), '404'],
  [() => new Response('<html>welcome</html>'), '200'],
])('doctor suspects the URL if the list of cards is not readable: %#', async (response, got) => {
  const { code, texts } = await doctor(async (request) => (request.url.includes('/Webhook/') ? Response.json([]) : response()));
  expect([code, texts.target]).toEqual([4, expect.stringMatching(`GET /api/GiftCard/List returned .*${got}`)]);
});

test('doctor reports keys of the profile that do not work as declared', async () => {
  const mock = await startMock({ listen: false });
  const of = async (profile: object) => {
    const file = join(folder, `${++ledgers}.json`);
    writeFileSync(file, JSON.stringify(profile));
    const { code, texts } = await doctor((request) => mock.fetch(request), mock.apiKey, undefined, url, ['--profile', file]);
    return [code, texts.profile];
  };
  expect(await of({ secondKey: 'a key of another account' })).toEqual([
    4,
    expect.stringContaining('secondKey is refused with 401'),
  ]);
  expect(await of({ secondKey: mock.apiKey })).toEqual([4, expect.stringContaining('secondKey equals the key of the run')]);
  expect(await of({ deletedKey: mock.apiKey })).toEqual([4, expect.stringContaining('deletedKey is accepted')]);
  const { secondKey = '', deletedKey = '', basicKey = '' } = mock.profile();
  expect(await of({ secondKey, deletedKey, basicKey })).toEqual([0, undefined]);
  await mock.close();
});

test('doctor reports each card of the profile, and exits with 4 if one is missing or used up', async () => {
  const mock = await startMock({ listen: false });
  const file = join(folder, 'cards.json');
  const profile = mock.profile();
  const examine = async (more = {}) => {
    writeFileSync(file, JSON.stringify({ ...profile, ...more }));
    return doctor((request) => mock.fetch(request), mock.apiKey, undefined, url, ['--profile', file], 'profile');
  };
  const fresh = await examine();
  expect([fresh.code, fresh.all]).toEqual([
    0,
    [
      'voucherCode: Active with 20.00',
      'expiredCode: Expired with 30.00',
      'redeemedCode: Redeemed with 0.00',
      'scheduledCode: Scheduled with 75.00',
      'expiringGift: Scheduled with 20.00',
      'storeCreditCode: Active with 12.34',
      'channelCard: Active with 50.00',
    ],
  ]);
  const gone = await examine({ expiredCode: 'NO-SUCH-CODE' });
  expect([gone.code, gone.all]).toEqual([
    4,
    expect.arrayContaining(['expiredCode: the look-up returned 404; correct or remove this entry']),
  ]);
  const headers = { 'x-api-key': mock.apiKey };
  await mock.fetch(new Request(`${mock.url}/api/GiftCard/VoidByCode/VOUCHER-0001`, { method: 'DELETE', headers }));
  await mock.clock.advance('P40D');
  const later = await examine();
  expect([later.code, later.all]).toEqual([
    4,
    expect.arrayContaining([
      expect.stringMatching(/^voucherCode: Voided with 0.00, must have a balance/),
      expect.stringMatching(/^scheduledCode: Active with 75.00, must be Scheduled/),
    ]),
  ]);
  await mock.close();
});

test('a failed look-up is reported with its status; a card may have no status', async () => {
  const file = join(folder, 'broken.json');
  writeFileSync(
    file,
    JSON.stringify({ voucherCode: 'CARD-1', expiredCode: 'CARD-2', redeemedCode: 'CARD-3', storeCreditCode: 'CARD-4' }),
  );
  const others = serviceWith({});
  const service = async (request: Request) => {
    if (request.url.endsWith('/CARD-1') || request.url.endsWith('/CARD-4')) return Response.json({ balance: 20 });
    if (request.url.endsWith('/CARD-2')) return Response.json({ code: 'CARD-2' });
    return request.url.endsWith('/CARD-3') ? Response.json(null, { status: 500 }) : others(request);
  };
  const examine = async () => {
    const { code, all } = await doctor(service, 'the-key', undefined, url, ['--profile', file], 'profile');
    return [code, all];
  };
  expect(await examine()).toEqual([
    4,
    [
      'voucherCode: found with 20.00',
      expect.stringMatching(/^expiredCode: found, must be Expired/),
      expect.stringMatching(/^redeemedCode: the look-up returned 500/),
      'storeCreditCode: found with 20.00',
    ],
  ]);
  writeFileSync(file, JSON.stringify({ voucherCode: 'CARD-1', storeCreditCode: 'CARD-4' }));
  expect((await examine())[0]).toBe(0);
});

test('exit code 3: the target does not respond, or rejects the key', async () => {
  const dead = await doctor(undefined);
  expect([dead.code, Object.keys(dead.texts)]).toEqual([3, ['target', 'leftovers', 'result']]);
  expect(dead.texts).toMatchObject({
    target: expect.stringContaining('could not be reached'),
    result: expect.stringContaining('target'),
  });
  const refused = await doctor(async () => new Response('', { status: 401 }));
  expect([refused.code, refused.texts.target]).toEqual([3, expect.stringContaining('refuses the key in GIFTCARD_API_KEY:')]);
});

test.each([
  [undefined, 'no Date header'],
  [90_000, /^(89|90|91) s ahead of/],
  [-3_600_000, /^(3599|3600|3601) s behind/],
])('the clock difference, milliseconds ahead: %j', async (ahead, says) => {
  const headers: Record<string, string> = ahead === undefined ? {} : { date: new Date(Date.now() + ahead).toUTCString() };
  expect((await doctor(serviceWith({ headers }))).texts.clock).toMatch(says);
});

test.each([
  [{}, expect.stringContaining('200 requests')],
  [{ 'x-ratelimit-remaining': '17' }, 'x-ratelimit-remaining: 17'],
  [{ 'retry-after': '3' }, 'retry-after: 3'],
])('the rate limit: %j', async (headers, says) => {
  expect((await doctor(serviceWith({ headers }))).texts.rate).toEqual(says);
});

test.each([
  [{ webhooks: [] }, 'none'],
  [{ webhooks: { hooks: [{ id: 1 }, { id: 2 }] } }, expect.stringMatching(/^2; .*--allow void-deliveries/)],
  [{ webhooks: 'none' }, expect.stringMatching(/not readable; .*--allow void-deliveries/)],
  [{ webhookStatus: 500 }, expect.stringMatching(/not readable; .*--allow void-deliveries/)],
])('the webhooks: %j', async (has, says) => {
  expect((await doctor(serviceWith(has))).texts.webhooks).toEqual(says);
});

test.each([
  [['--mode', 'full'], 'full', 0],
  [['--mode', 'safe'], 'safe', 4],
  [['--mode', 'safe', '--allow', 'void-deliveries'], 'safe', 0],
  [['--mode', 'read-only'], 'read-only', 0],
  [[], expect.stringMatching(/^safe, because .*default/), 4],
])('an account with a webhook, with the flags of a run: %j', async (flags, mode, code) => {
  const found = await doctor(serviceWith({ webhooks: [{ id: 1 }] }), 'the-key', undefined, url, flags);
  expect([found.texts.mode, found.code]).toEqual([mode, code]);
});

test('--json prints the findings with the exit code', async () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const fetch = serviceWith({ webhooks: [{ id: 1 }] });
  const flags = ['--json', '--mode', 'safe', '--target', url, '--ledger', join(folder, `${++ledgers}`)];
  const code = await main(['doctor', ...flags], { GIFTCARD_API_KEY: 'the-key' }, { stdout: { write }, stderr: { write }, fetch });
  const { target, exitCode, findings } = JSON.parse(written.join(''));
  expect([code, target, exitCode]).toEqual([4, url, 4]);
  expect(findings).toContainEqual({ label: 'leftovers', text: 'none' });
  expect(findings.filter((finding: { code?: number }) => finding.code !== undefined)).toEqual([
    { label: 'webhooks', text: expect.stringContaining('--allow void-deliveries'), code: 4 },
  ]);
});

test.each(['/GiftCard/', '/Webhook/'])(
  'a connection lost at a later request, %s, is reported as trouble, not as a defect',
  async (at) => {
    let examine = 0;
    const { code, texts } = await doctor(async (request) => {
      if (request.headers.has('x-api-key')) examine += 1;
      if (examine > 1 && request.url.includes(at)) throw new Error('socket hang up');
      return serviceWith({})(request);
    });
    expect([code, texts.trouble]).toEqual([3, expect.stringContaining('could not be reached')]);
  },
);

test('exit code 3 if the webhooks cannot be listed', async () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const fetch = async (request: Request) => {
    if (request.url.includes('/Webhook/')) throw new Error('socket hang up');
    return serviceWith({})(request);
  };
  const flags = ['--mode', 'safe', '--target', url, '--ledger', join(folder, `${++ledgers}`)];
  const code = await main(['run', ...flags], { GIFTCARD_API_KEY: 'the-key' }, { stdout: { write }, stderr: { write }, fetch });
  expect([code, written.join('')]).toEqual([3, expect.stringContaining('could not be reached')]);
});

test('doctor reports leftovers, running runs and damaged ledgers', async () => {
  const path = join(folder, 'ledger');
  const file = new LedgerFolder(path, url);
  const keys = { key: 'the-key', profile: {} };
  const begun = async () => {
    const ledger = new Ledger(new Redactor(), keys);
    await ledger.storeIn(file);
    ledger.open(ledger.fresh());
    return ledger;
  };
  const [first, second] = [await begun(), await begun()];
  await first.close();
  const seen = await doctor(serviceWith({}), keys.key, path);
  expect([seen.code, seen.texts.leftovers, seen.texts.running]).toEqual([
    5,
    expect.stringMatching(/^1 record .*sweep/),
    '1 other run',
  ]);
  await second.close();
});
