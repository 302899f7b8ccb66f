import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock } from '../index.ts';

/** A state file that version 0.1 wrote. The README in its folder describes the file. */
const file = new URL('../testing/fixtures/0.1/state.json', import.meta.url);

let folder: string;
let mock: Awaited<ReturnType<typeof startMock>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  copyFileSync(file, join(folder, 'state.json'));
  mock = await startMock({ listen: false, state: join(folder, 'state.json') });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

const key = (account: string) => `sandbox-key-${account}-not-a-real-key`;
async function ask(path: string, account = 'main', init: RequestInit = {}) {
  const response = await mock.fetch(path, { ...init, headers: { 'x-api-key': key(account) } });
  const text = await response.text();
  return { status: response.status, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
}
const post = (path: string, body: object, account?: string) => ask(path, account, { method: 'POST', body: JSON.stringify(body) });
const control = async (path: string) => (await mock.fetch(`/__mock${path}`)).json() as Promise<never>;

test('every account is restored, with its keys, settings and seed', async () => {
  expect(mock.seed).toBe(41);
  expect(mock.accounts.map(({ id }) => id)).toEqual(expect.arrayContaining(['main', 'other', 'basic', 'hooks', 'renamed']));
  expect(await control('/accounts/main')).toMatchObject({
    plan: 'Pro',
    reminderAfterDays: 30,
    monthlyAllowance: 10,
    keys: [{ deleted: false }, { deleted: true }, { description: 'Second', deleted: true }],
  });
});

test('cards of every status and kind, with their adjustments', async () => {
  const status = async (code: string) => (await ask(`/api/GiftCard/GetByCode/${code}`)).body.status;
  const codes = ['API-0001', 'API-0002', 'EXPIRED-0001', 'REDEEMED-0001', 'SCHEDULED-0001', 'STORE-CREDIT-0001', 'VOUCHER-0001'];
  expect(await Promise.all(codes.map(status))).toEqual([
    'Redeemed',
    'Voided',
    'Expired',
    'Redeemed',
    'Scheduled',
    'Active',
    'Redeemed',
  ]);
  expect((await ask('/api/GiftCard/List?includeAll=true')).body.totalCount).toBe(24);
  const { body } = await ask('/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/API-0001');
  expect(body.adjustments.map(({ amount }: { amount: number }) => amount)).toEqual([-1000, 5, -10]);
  expect(body.giftCard.balance).toBe(-955);
});

test('unique values, idempotency keys and coupons', async () => {
  expect((await post('/api/GiftCard/Create', { balance: 1, uniqueId: 'order-1' })).status).toBe(400);
  const again = { giftCardCode: 'API-0001', adjustmentAmount: -1, actionedAtUtc: '2026-11-01T00:00:00Z' };
  const path = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
  expect((await post(path, { ...again, uniqueAdjustmentId: 'payment-1' })).status).toBe(400);
  const event = { event_name: 'signed_up', recipient_email: 'rita@example.com', idempotency_key: 'signup-rita' };
  const skipped = await post('/api/AutomationTriggerEvents', event);
  expect([skipped.body.gift_cards, skipped.body.automations[0].status]).toEqual([[], 'SkippedIdempotent']);
  expect((await ask('/api/WebStoreCoupon/GetByCode/SPRING')).body).toMatchObject({ discountValue: 15, usageLimit: 3 });
});

test('clocks that are frozen or run', async () => {
  expect(await control('/accounts/hooks/clock')).toMatchObject({ mode: 'frozen', nowUtc: '2027-01-31T12:00:00.000Z' });
  expect(await control('/accounts/renamed/clock')).toMatchObject({
    mode: 'running',
    nowUtc: expect.stringMatching(/^2027-02-01/),
  });
});

test('webhooks with their failures, and deliveries: queued ones are sent, running ones are unknown', async () => {
  expect(await control('/accounts/hooks')).toMatchObject({
    webhooks: [
      { enabled: false, lifetimeFailures: { count: 6 } },
      { enabled: true, signed: true },
      { enabled: true, signed: false },
    ],
  });
  await mock.settled();
  const states = (deliveries: readonly { state: string }[]) => deliveries.map(({ state }) => state);
  // No server listens at the addresses any more, so the queued deliveries fail.
  expect(states(await control('/accounts/hooks/deliveries'))).toEqual([
    'failed',
    'failed',
    'failed',
    'failed',
    'unknown',
    'failed',
    'failed',
  ]);
});

test('faults, emails and the journal', async () => {
  const faults: readonly { fault: string; hits: number }[] = await control('/accounts/hooks/faults');
  expect(faults.map(({ fault, hits }) => [fault, hits])).toEqual([
    ['status', 1],
    ['delay', 1],
    ['rate-limit', 0],
  ]);
  expect(((await control('/accounts/main/outbox')) as readonly object[]).length).toBeGreaterThan(0);
  const { entries }: { entries: readonly { what: string }[] } = await control('/accounts/main/journal');
  expect(entries.map(({ what }) => what)).toEqual(expect.arrayContaining(['createGiftCard', 'voidGiftCardByCode', 'adjustCard']));
});

test('behaviors and overrides that still exist', async () => {
  const spent = { giftCardId: await idOf('R-1'), adjustmentAmount: -100, uniqueAdjustmentId: 'r-2' };
  const path = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId';
  expect((await post(path, { ...spent, actionedAtUtc: '2027-02-01T00:00:00Z' }, 'renamed')).status).toBe(409);
  expect((await ask('/api/GiftCard/GetByCode/R-1', 'renamed')).body).toMatchObject({ openingValue: 10 });
});

async function idOf(code: string): Promise<string> {
  return (await ask(`/api/GiftCard/GetByCode/${code}`, 'renamed')).body.id;
}

test('the state is written in the present format, and read again', async () => {
  await mock.close();
  await using again = await startMock({ listen: false, state: join(folder, 'state.json') });
  expect([again.accounts, again.state?.wasThere]).toEqual([mock.accounts, true]);
});
