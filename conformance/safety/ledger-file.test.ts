import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Ledger } from '../ledger.ts';
import { Names } from '../names.ts';
import type { Entry } from './entries.ts';
import { LedgerFile, usualLedger } from './ledger-file.ts';
import { leftoversIn } from './leftovers.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-ledger-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = () => new LedgerFile(join(folder, `${++files}`, 'ledger.jsonl'), 'http://127.0.0.1');

const profile = { secondKey: 'the-second-key', deletedKey: 'the-deleted-key' };

async function begun(file: LedgerFile) {
  const ledger = new Ledger(new Names(), profile, 'the-key', (run) => file.keeperOf(run));
  return { ledger, lock: await file.begin(ledger.runId) };
}

test('what is asked for is on the disk before the ledger returns, and no key is', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  const codes = [undefined, 'the-key', 'the-second-key', 'the-deleted-key', 'some-other-key'].map(
    (key) => ledger.open(ledger.fresh(), key).code,
  );
  ledger.openWebhook('https://conformance.invalid/1', 'the-second-key');
  const text = readFileSync(file.path, 'utf8');
  for (const code of codes) expect(text).toContain(code);
  for (const key of ['the-key', 'the-second-key', 'the-deleted-key', 'some-other-key']) expect(text).not.toContain(key);
  await lock.release();
  const { entries } = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), profile);
  expect(entries.map(({ account, key }) => [account, key])).toEqual([
    ['key', undefined],
    ['key', undefined],
    ['secondKey', 'the-second-key'],
    ['deletedKey', 'the-deleted-key'],
    ['other', undefined],
    ['secondKey', 'the-second-key'],
  ]);
});

test('what a living run made is left to it, and swept once the run has ended', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  ledger.open(ledger.fresh(), undefined);
  const during = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), profile);
  expect([during.entries.length, during.living.map(({ run }) => run)]).toEqual([0, [ledger.runId]]);
  await lock.release();
  const after = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), profile);
  expect([after.entries.length, after.living]).toEqual([1, []]);
});

test('a lock that a killed run left on the disk holds nobody, and is taken away', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  ledger.open(ledger.fresh(), undefined);
  await lock.release();
  writeFileSync(lock.path as string, '');
  expect((await leftoversIn(file, profile)).entries).toHaveLength(1);
  expect(existsSync(lock.path as string)).toBe(false);
});

test('a line that was cut off swallows none that comes after it', async () => {
  const file = fresh();
  const first = await begun(file);
  first.ledger.open(first.ledger.fresh(), undefined);
  await first.lock.release();
  file.close();
  appendFileSync(file.path, '{"run":"ABC","op');
  const again = new LedgerFile(file.path, 'http://127.0.0.1');
  const second = await begun(again);
  second.ledger.open(second.ledger.fresh(), undefined);
  await second.lock.release();
  expect((await leftoversIn(again, profile)).entries).toHaveLength(2);
});

test('what is settled is no leftover, and what was made is remembered as made', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  const answer = (status: number, json?: unknown) => ({ status, json }) as Parameters<Ledger['settle']>[1];
  const entries = [0, 1, 2].map(() => ledger.open(ledger.fresh(), undefined)) as [Entry, Entry, Entry];
  ledger.settle(entries[0], answer(400));
  ledger.settle(entries[1], answer(200, { id: 7 }));
  ledger.gone(entries[1]);
  ledger.settle(entries[2], answer(200, { id: 8 }));
  await lock.release();
  const left = (await leftoversIn(file, profile)).entries;
  expect(left).toMatchObject([{ number: 3, state: 'created', made: true, id: 8 }]);
});

test('each target has a ledger of its own, in the folder for state', () => {
  const of = (target: string) => usualLedger(target, { XDG_STATE_HOME: '/state', HOME: '/home/somebody' });
  expect(of('http://127.0.0.1:8460')).toMatch(/^\/state\/giftcard-sandbox\/127\.0\.0\.1-8460-\w{8}\.jsonl$/);
  expect(new Set(['http://127.0.0.1:1', 'http://127.0.0.1:1/a', 'https://127.0.0.1:1'].map(of)).size).toBe(3);
  expect(usualLedger('https://example.com', { HOME: '/home/somebody' })).toContain('/home/somebody/.local/state/');
});
