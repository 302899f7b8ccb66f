import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { openSession } from '../core/session.ts';
import { fuzzSequences } from '../fuzz/fuzz.ts';
import { leftBehind } from '../report/run-document.ts';
import { isCanaryVoided, tryCreate } from '../scenarios/cards.ts';
import { Client } from './client.ts';
import { LedgerFolder } from './ledger-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-full-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a run with a full disk voids everything, and reports the fault', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch: (request: Request) => mock.fetch(request) };
  let isFull = false;
  const file = new LedgerFolder(join(folder, 'ledger'), target.url, {
    write: (handle, text) => {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      writeFileSync(handle, text);
    },
  });
  const name = 'gift-card.create.returns-200';
  const check = ruleTest(name, [], async (t) => {
    for (const _ of [1, 2, 3]) await tryCreate(t);
    isFull = true;
  });
  const result = await runRules({ target, names: [name], checks: [check], ledger: file });
  expect(result.cards).toEqual({ created: 3, voided: 3, left: [] });
  expect(endingOfRun(result).code).toBe(6);
  expect(leftBehind(result)).toEqual([expect.stringContaining('ENOSPC')]);
  isFull = false;
  // The lock is free, so the next run looks the cards up again.
  const { entries, living } = await file.read(target);
  expect([entries.length, living]).toEqual([3, []]);
  await mock.close();
});

test.each([9, 12, 15, 20, 21, 22])(
  'a fuzz run whose disk is full after %i writes voids its cards or reports them',
  async (room) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    let [writes, deletes] = [0, 0];
    const fetch = (request: Request) => {
      deletes += request.method === 'DELETE' ? 1 : 0;
      return writes > room && request.method === 'DELETE'
        ? Promise.resolve(new Response('no', { status: 500 }))
        : mock.fetch(request);
    };
    const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch };
    const file = new LedgerFolder(join(folder, `fuzz-${room}-ledger`), target.url, {
      write: (handle, text) => {
        writes += 1;
        if (writes > room) throw new Error('ENOSPC: no space left on device');
        writeFileSync(handle, text);
      },
    });
    const options = {
      session: openSession(target),
      file,
      signal: undefined,
      path: undefined,
      canary: undefined,
      maxLeft: Infinity,
    };
    const about = { again: 'fuzz', leftBefore: [] };
    const { cards, endedEarly, cleanupFault, cases } = await fuzzSequences({
      ...options,
      ...about,
      seed: 1,
      runs: 10,
      steps: 8,
    });
    expect([String(endedEarly?.detail ?? cleanupFault), cases < 100, deletes > 0]).toEqual([
      expect.stringContaining('ENOSPC'),
      true,
      true,
    ]);
    expect(cards.created - cards.voided).toBe(cards.left.length);
    const listed = await mock.fetch(
      new Request(`${mock.url}/api/GiftCard/List?pageSize=50`, { headers: { 'x-api-key': mock.apiKey } }),
    );
    const { giftCards } = (await listed.json()) as { giftCards: { code: string; status: string }[] };
    expect(giftCards.filter(({ code, status }) => status === 'Active' && code.startsWith('GCS'))).toHaveLength(cards.left.length);
    expect((await file.read(target)).living).toEqual([]);
    await mock.close();
  },
);

test('a card that cannot be voided is reported although the disk is full', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let isFull = false;
  const fetch = async (request: Request) => {
    if (request.method !== 'DELETE') return mock.fetch(request);
    isFull = true;
    return new Response('no', { status: 500 });
  };
  const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch };
  const file = new LedgerFolder(join(folder, 'first-ledger'), target.url, {
    write: (handle, text) => {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      writeFileSync(handle, text);
    },
  });
  const name = 'gift-card.create.returns-200';
  const check = ruleTest(name, [], async (t) => void (await tryCreate(t)));
  const result = await runRules({
    target,
    names: [name],
    checks: [check],
    ledger: file,
    canary: isCanaryVoided,
  });
  expect(result.cards).toEqual({ created: 1, voided: 0, left: ['card#1'] });
  expect([endingOfRun(result).code, leftBehind(result)]).toEqual([
    5,
    [expect.stringContaining('card#1'), expect.stringContaining('returned 500')],
  ]);
  await mock.close();
});

test('a run that cannot start closes its connections', async () => {
  const file = new LedgerFolder('/dev/null/ledger', 'http://127.0.0.1');
  const target = { url: 'http://127.0.0.1', key: 'the-key', profile: {}, fetch: async () => new Response('') };
  const closed = vi.spyOn(Client.prototype, 'close');
  await expect(runRules({ target, names: [], checks: [], ledger: file })).rejects.toThrow();
  expect(closed).toHaveBeenCalledOnce();
  closed.mockRestore();
});
