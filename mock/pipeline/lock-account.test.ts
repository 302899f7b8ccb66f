import { expect, test, vi } from 'vitest';
import { AccountConflict } from '../account/accounts.ts';
import { withoutPause } from '../account/clock.ts';
import { advanceClock } from '../control/clock.ts';
import { handleControl } from '../control/control.ts';
import { capture } from '../store/snapshot/capture.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { lockAccount } from './commit.ts';
import { serve } from './handle.ts';

const ACCOUNTS = [
  { id: 'one', keys: [{ key: 'key-one' }], channels: [{ id: 'store' }] },
  { id: 'two', keys: [{ key: 'key-two' }] },
];

/** Work that lasts until `end` is called. */
function longWork() {
  let isOver = false;
  const work = function* (): Generator<undefined, string> {
    while (!isOver) yield;
    return 'done';
  };
  return { work: work(), end: () => (isOver = true) };
}

const request = (key: string, method: string, target: string, body?: object) => ({
  method,
  target,
  headers: { 'x-api-key': key, 'content-type': 'application/json', host: '127.0.0.1' },
  body: body && Buffer.from(JSON.stringify(body)),
});
const creation = (code: string) => request('key-one', 'POST', '/api/GiftCard/Create', { balance: 5, code });

test('while an account is locked, its requests wait in order, and other accounts get responses', async () => {
  const { sandbox, account } = sandboxOf(ACCOUNTS);
  const { work, end } = longWork();
  const lock = lockAccount(account, work);
  const log: string[] = [];
  const pending = ['A', 'B', 'C'].map(async (code) => {
    const { response } = await serve(sandbox, creation(code));
    log.push(`${code} ${response.status}`);
  });
  const listed = handleControl(sandbox, request('', 'GET', '/__mock/accounts/one/channels'), { hosts: [], token: undefined });
  const other = serve(sandbox, request('key-two', 'GET', '/api/GiftCard/List'));
  expect(other).toMatchObject({ response: { status: 200 } });
  await new Promise((resolve) => setImmediate(resolve));
  expect([log, account.state.count(true)]).toEqual([[], 0]);
  end();
  expect(await lock).toBe('done');
  await Promise.all(pending);
  expect(log).toEqual(['A 200', 'B 200', 'C 200']);
  expect(await listed).toMatchObject({ status: 200 });
});

test('before work on an account, its effects are sent; due events wait for the work', async () => {
  const { sandbox, account } = sandboxOf(ACCOUNTS);
  await serve(sandbox, request('key-one', 'POST', '/api/GiftCard/Create', { balance: 5, expiresAtUtc: '2026-01-16T12:00:00Z' }));
  const { work, end } = longWork();
  const lock = lockAccount(account, work);
  const advanced = advanceClock({ account, body: { by: 'P2D' } });
  await account.effects.left();
  await new Promise((resolve) => setImmediate(resolve));
  const { records, scheduler, effects } = withoutPause(capture(sandbox, account));
  expect([records.listings.length, effects.waiting.length, scheduler.planned.length]).toEqual([1, 0, 1]);
  end();
  await lock;
  expect((await advanced).events).toMatchObject([{ what: 'expiry', pushes: [{ channelId: 'store', state: 'synced' }] }]);
});

test('work on an account begins after other work, and a failure ends it', async () => {
  const { account } = sandboxOf(ACCOUNTS);
  const first = longWork();
  const one = lockAccount(account, first.work);
  const log: string[] = [];
  const failing = function* (): Generator<undefined, void> {
    log.push('begins');
    const end = performance.now() + 30;
    while (performance.now() < end) yield;
    throw new Error('Out of order.');
  };
  const two = lockAccount(account, failing());
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([]);
  first.end();
  await one;
  await expect(two).rejects.toThrow('Out of order.');
  expect([log, account.work.underWay]).toEqual([['begins'], undefined]);
});

test('work on an account ends when the account is stopped', async () => {
  const { account } = sandboxOf(ACCOUNTS);
  let steps = 0;
  const endless = function* (): Generator<undefined, void> {
    for (;;) yield void steps++;
  };
  const lock = lockAccount(account, endless());
  await new Promise((resolve) => setImmediate(resolve));
  account.effects.stop();
  const before = steps;
  await expect(lock).rejects.toThrow(AccountConflict);
  expect([before > 0, steps - before, account.work.underWay]).toEqual([true, 0, undefined]);
});

test.each([
  ['GET', 'snapshot'],
  ['GET', 'allowance'],
  ['POST', 'settle'],
  ['PATCH', 'settings', { plan: 'Basic' }],
  ['PUT', 'behaviors', {}],
])('%s %s gets 409 if a reset replaces the account while the request waits', async (method, path, body?: object) => {
  const { sandbox, account } = sandboxOf(ACCOUNTS);
  await serve(sandbox, creation('PUSHED'));
  const target = `/__mock/accounts/one/${path}`;
  const pending = handleControl(sandbox, request('', method, target, body), { hosts: [], token: undefined });
  sandbox.accounts.reset(account);
  expect(await pending).toMatchObject({ status: 409 });
});

test('a search by source ID that waits for its index gets its response from the account that replaced the old one', async () => {
  const { sandbox, account } = sandboxOf(ACCOUNTS);
  vi.spyOn(account.state, 'count').mockReturnValue(1_000_000);
  await serve(sandbox, creation('PUSHED'));
  const searched = serve(
    sandbox,
    request('key-one', 'GET', '/api/GiftCard/GetByAccountPlatformIdAndSourceId?accountPlatformId=store&sourceId=1'),
  );
  expect(searched).toBeInstanceOf(Promise);
  sandbox.accounts.reset(account);
  expect(await searched).toMatchObject({ response: { status: 404 }, refusal: { code: 'gift-card.not-found' } });
});
