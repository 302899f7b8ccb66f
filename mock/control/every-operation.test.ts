import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import { controlOperations } from './operations.ts';

/**
 * Calls each operation of the document once, in an order that makes all calls succeed. The control API checks every response against the document. A new
 * operation needs a line here.
 */
const THE_SNAPSHOT = { kind: 'the response before this', version: 1 };
const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/'],
  ['GET', '/health'],
  ['GET', '/openapi.json'],
  ['GET', '/openapi.yaml'],
  ['GET', '/control.json'],
  ['GET', '/variant.schema.json'],
  ['GET', '/accounts'],
  ['POST', '/accounts', { id: 'mine', webhooks: [{ url: 'http://127.0.0.1:1/' }] }],
  ['GET', '/accounts/mine'],
  ['GET', '/accounts/mine/allowance'],
  ['PATCH', '/accounts/mine/settings', { plan: 'Plus', subscriptionActive: true, reminderAfterDays: 10 }],
  ['POST', '/accounts/mine/keys'],
  ['DELETE', '/accounts/mine/keys/sandbox-key-mine-not-a-real-key'],
  ['POST', '/accounts/mine/automations', { name: 'Thank you' }],
  ['PATCH', '/accounts/mine/automations/Thank%20you', { active: false }],
  ['GET', '/accounts/mine/automations'],
  ['POST', '/accounts/mine/cards', { code: 'A', balance: 20, recipientEmailAddress: 'ada@example.com' }],
  ['POST', '/accounts/mine/cards', { code: 'V', kind: 'voucher' }],
  ['GET', '/accounts/mine/cards?search=a&status=Active&kind=voucher&skip=0&limit=1'],
  ['GET', '/accounts/mine/cards'],
  ['GET', '/accounts/mine/cards/A'],
  ['POST', '/accounts/mine/cards/A/adjustments', { amount: 5 }],
  ['POST', '/accounts/mine/cards/A/payments', { amount: 5, order: '1001' }],
  ['POST', '/accounts/mine/cards/A/refunds', { amount: 5 }],
  ['POST', '/accounts/mine/cards/V/redemption'],
  ['POST', '/accounts/mine/cards/A/reminder'],
  [
    'POST',
    '/accounts/mine/cards/A/gift',
    {
      recipientName: 'Rita',
      recipientEmailAddress: 'rita@example.com',
      buyerName: 'Ben',
      giftScheduledForUtc: '2099-01-01T00:00:00Z',
    },
  ],
  ['POST', '/accounts/mine/channels', { id: 'till' }],
  ['PATCH', '/accounts/mine/channels/till', { name: 'Till' }],
  ['PUT', '/accounts/mine/channels/till/cards/A/balance', { balance: 3 }],
  ['POST', '/accounts/mine/channels/till/cards/A/sync-error'],
  ['POST', '/accounts/mine/channels/till/cards/A/retry'],
  ['GET', '/accounts/mine/channels'],
  ['DELETE', '/accounts/mine/channels/till'],
  ['POST', '/accounts/mine/cards/A/void'],
  ['DELETE', '/accounts/mine/cards/A'],
  ['GET', '/accounts/mine/cards/A/timeline'],
  ['GET', '/accounts/mine/cards/A/adjustments'],
  ['GET', '/accounts/mine/clock'],
  ['PUT', '/accounts/mine/clock', { mode: 'frozen' }],
  ['GET', '/accounts/mine/clock/upcoming'],
  ['POST', '/accounts/mine/clock/advance', { by: 'P1D' }],
  ['POST', '/accounts/mine/settle'],
  ['GET', '/accounts/mine/outbox'],
  ['GET', '/accounts/mine/deliveries'],
  ['POST', '/accounts/mine/deliveries/REQUEST-ID/resend'],
  ['POST', '/accounts/mine/deliveries/fire', { topic: 'giftcard/reminder', card: 'V' }],
  ['GET', '/accounts/mine/suppressed'],
  ['GET', '/accounts/mine/journal'],
  ['GET', '/accounts/mine/journal/1'],
  ['GET', '/accounts/mine/cards/V/chain'],
  ['GET', '/accounts/mine/advice'],
  ['GET', '/journal'],
  ['GET', '/advice'],
  ['GET', '/behaviors'],
  ['PATCH', '/behaviors', {}],
  ['PUT', '/behaviors', {}],
  ['GET', '/accounts/mine/behaviors'],
  ['PATCH', '/accounts/mine/behaviors', { behaviors: { 'gift-card.void.body': 'true' } }],
  ['GET', '/openapi.json?account=mine'],
  ['PUT', '/accounts/mine/behaviors', {}],
  ['GET', '/accounts/mine/snapshot'],
  ['PUT', '/accounts/mine/snapshot', THE_SNAPSHOT],
  ['GET', '/snapshot'],
  ['PUT', '/snapshot', THE_SNAPSHOT],
  ['POST', '/accounts/mine/faults', { fault: 'reset', operation: 'listGiftCards' }],
  ['GET', '/accounts/mine/faults'],
  ['DELETE', '/accounts/mine/faults/fault-1'],
  ['DELETE', '/accounts/mine/faults'],
  ['POST', '/accounts/mine/reset'],
  ['DELETE', '/accounts/mine'],
  ['POST', '/reset'],
];

test('every operation responds as its document says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using mock = await startMock({ listen: false, seed: 1, state: join(folder, 'state.json') });
  let before = '';
  let requestId = '';
  for (const [method, path, body] of calls) {
    await mock.settled();
    const sent = body === THE_SNAPSHOT ? before : body && JSON.stringify(body);
    const at = `/__mock${path.replace('REQUEST-ID', requestId)}`;
    const response = await mock.fetch(at, { method, ...(sent ? { body: sent } : {}) });
    before = await response.text();
    expect([method, path, response.ok, response.ok ? '' : before]).toEqual([method, path, true, '']);
    if (path.endsWith('/deliveries')) requestId = JSON.parse(before)[0].requestId;
  }
  const health = (await (await mock.fetch('/__mock/health')).json()) as { readonly defects: readonly string[] };
  expect(health.defects).toEqual([]);
});

test('no operation is missing', () => {
  const patterns = controlOperations.map(({ method, path }) => ({
    name: `${method} ${path}`,
    pattern: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  }));
  const lines = calls.map(([method, path]) => `${method} /__mock${path}`);
  expect(patterns.filter(({ pattern }) => !lines.some((line) => pattern.test(line))).map(({ name }) => name)).toEqual([]);
});

test('every operation refuses an unknown account', async () => {
  await using mock = await startMock({ listen: false, seed: 1 });
  for (const [method, path, body] of calls.filter(([, path]) => path.startsWith('/accounts/'))) {
    const unknown = path.replace('/mine', '/unknown');
    const response = await mock.fetch(`/__mock${unknown}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect([path, response.status, sentenceIn(await response.text())]).toEqual([
      path,
      404,
      expect.stringMatching(/^There is no account unknown\./),
    ]);
  }
});

test('a wrong body is refused by every operation that takes one, and changes nothing', async () => {
  await using mock = await startMock({ listen: false, seed: 1 });
  for (const { id } of mock.accounts) await (await mock.getAccount(id)).clock.freeze();
  const before = await contentOf(mock);
  for (const { method, path } of controlOperations.filter(({ node }) => node.requestBody)) {
    const target = path.replace('{account}', 'main').replace('{card}', 'ACTIVE-0001').replace('{channel}', 'online-store');
    const response = await mock.fetch(target, { method, body: '{"nonsense": 1}' });
    const error = sentenceIn(await response.text());
    expect([path, response.status, error]).toEqual([path, expect.any(Number), expect.stringMatching(/^\S.*[.?)]$/s)]);
    expect([400, 404]).toContain(response.status);
  }
  expect(await contentOf(mock)).toEqual(before);
});

/** Returns the content of a snapshot without the time of the snapshot. */
async function contentOf(mock: Mock): Promise<unknown> {
  return JSON.parse(JSON.stringify(await mock.snapshot()), (name, value) => (name === 'takenAtUtc' ? undefined : value));
}

function sentenceIn(body: string): string {
  return (JSON.parse(body) as { readonly error: string }).error;
}
