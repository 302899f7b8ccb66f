import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Names } from '../http/redactor.ts';
import type { Entry } from './entries.ts';
import { Ledger } from './ledger.ts';
import { LedgerFile, usualLedger } from './ledger-file.ts';
import { leftoversIn } from './leftovers.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-ledger-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = () => new LedgerFile(join(folder, `${++files}`, 'ledger.jsonl'), 'http://127.0.0.1');

const keys = {
  key: 'the-key',
  profile: { secondKey: 'the-second-key', deletedKey: 'the-deleted-key' },
};

async function begun(file: LedgerFile) {
  const ledger = new Ledger(new Names(), keys.profile, keys.key, (run) => file.keeperOf(run));
  return { ledger, lock: await file.begin(ledger.runId, keys) };
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
  const { entries } = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), keys);
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
  const during = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), keys);
  expect([during.entries.length, during.living.map(({ run }) => run)]).toEqual([0, [ledger.runId]]);
  await lock.release();
  const after = await leftoversIn(new LedgerFile(file.path, 'http://127.0.0.1'), keys);
  expect([after.entries.length, after.living]).toEqual([1, []]);
});

test('a run whose ledger was named from the folder that it is in lives for those elsewhere, too', async () => {
  const { path } = fresh();
  mkdirSync(dirname(path), { recursive: true });
  const here = process.cwd();
  try {
    process.chdir(dirname(path));
    const { ledger, lock } = await begun(new LedgerFile('ledger.jsonl', target));
    process.chdir(folder);
    const elsewhere = new LedgerFile(path, target);
    const { entries, living } = await leftoversIn(elsewhere, keys);
    expect([entries, living.map(({ run }) => run)]).toEqual([[], [ledger.runId]]);
    const other = await begun(elsewhere);
    const { code } = ledger.open(ledger.fresh(), undefined);
    expect(readFileSync(path, 'utf8')).toContain(code);
    await Promise.all([lock.release(), other.lock.release()]);
  } finally {
    process.chdir(here);
  }
});

test('a lock that a killed run left on the disk holds nobody, and is taken away', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  ledger.open(ledger.fresh(), undefined);
  await lock.release();
  writeFileSync(lock.path as string, '');
  expect((await leftoversIn(file, keys)).entries).toHaveLength(1);
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
  expect((await leftoversIn(again, keys)).entries).toHaveLength(2);
});

test('what is settled is no leftover, but a refusal is none before somebody has looked; what was made is remembered as made', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  const answer = (status: number, json?: unknown) => ({ status, json }) as Parameters<Ledger['settle']>[1];
  const entries = [0, 1, 2].map(() => ledger.open(ledger.fresh(), undefined)) as [Entry, Entry, Entry];
  ledger.settle(entries[0], answer(400));
  ledger.settle(entries[1], answer(200, { id: 7 }));
  ledger.gone(entries[1]);
  ledger.settle(entries[2], answer(200, { id: 8 }));
  await lock.release();
  const left = (await leftoversIn(file, keys)).entries;
  expect(left).toMatchObject([
    { number: 1, state: 'doubted' },
    { number: 3, state: 'created', made: true, id: 8 },
  ]);
});

test('each target has a ledger of its own, in the folder for state', () => {
  const of = (target: string) => usualLedger(target, { XDG_STATE_HOME: '/state', HOME: '/home/somebody' });
  expect(of('http://127.0.0.1:8460')).toMatch(/^\/state\/giftcard-sandbox\/127\.0\.0\.1-8460-\w{8}\.jsonl$/);
  expect(new Set(['http://127.0.0.1:1', 'http://127.0.0.1:1/a', 'https://127.0.0.1:1'].map(of)).size).toBe(3);
  expect(usualLedger('https://example.com', { HOME: '/home/somebody' })).toContain('/home/somebody/.local/state/');
});

const target = 'http://127.0.0.1';
const took = (status = 200) => ({ status, json: { id: 7 } }) as Parameters<Ledger['settle']>[1];

test('what is gone is left out when the next run begins, so that the file does not grow', async () => {
  const file = fresh();
  const sizes: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const { ledger, lock } = await begun(file);
    const [left, ...others] = [1, 2, 3, 4, 5, 6].map(() => ledger.open(ledger.fresh(), undefined));
    for (const entry of others) {
      ledger.settle(entry, took());
      ledger.gone(entry);
    }
    if (run === 0) ledger.settle(left as Entry, took());
    else ledger.gone(left as Entry);
    await lock.release();
    sizes.push(statSync(file.path).size);
  }
  expect(sizes[4]).toBe(sizes[1]);
  const { entries, runs } = await leftoversIn(file, keys);
  expect(entries).toMatchObject([{ number: 1, state: 'created', made: true, id: 7, account: 'key' }]);
  expect(runs).toHaveLength(1);
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
});

test('nothing is left out while another run lives, and two runs at once do not get into each other’s way', async () => {
  const file = fresh();
  const other = new LedgerFile(file.path, target);
  const [one, two] = await Promise.all([begun(file), begun(other)]);
  const first = one.ledger.open(one.ledger.fresh(), undefined);
  two.ledger.open(two.ledger.fresh(), undefined);
  one.ledger.gone(first);
  await one.lock.release();
  const third = await begun(new LedgerFile(file.path, target));
  third.ledger.open(third.ledger.fresh(), undefined);
  two.ledger.open(two.ledger.fresh(), undefined);
  const during = await leftoversIn(file, keys);
  expect([during.entries, during.living.map(({ entries }) => entries.length).sort()]).toEqual([[], [1, 2]]);
  await Promise.all([two.lock.release(), third.lock.release()]);
  expect((await leftoversIn(file, keys)).entries).toHaveLength(3);
});

test('what another key has left, and what was left on another target, is looked up by neither', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  for (const key of [undefined, 'the-second-key']) ledger.settle(ledger.open(ledger.fresh(), key), took());
  await lock.release();
  const seen = async (given: Parameters<LedgerFile['read']>[0], url = target) => {
    const { ended, elsewhere } = await new LedgerFile(file.path, url).sorted(given);
    return [ended.flatMap(({ entries }) => entries.map(({ key, outOfReach }) => outOfReach ?? key)), elsewhere.length];
  };
  expect(await seen(keys)).toEqual([[undefined, 'the-second-key'], 0]);
  expect(await seen({ key: 'a-new-key', profile: {} })).toEqual([[true, true], 0]);
  expect(await seen({ key: 'the-second-key', profile: { secondKey: 'the-key' } })).toEqual([['the-key', undefined], 0]);
  expect(await seen(keys, 'https://elsewhere.example.com')).toEqual([[], 1]);
});

test('damaged lines are counted and kept; one that was cut off is not missed', async () => {
  const file = fresh();
  const { ledger, lock } = await begun(file);
  ledger.gone(ledger.open(ledger.fresh(), undefined));
  await lock.release();
  appendFileSync(file.path, '{"run":"A","en\n');
  expect(file.damaged).toEqual([]);
  appendFileSync(file.path, 'null\n\u0000\u0000\n{"run":"A" "open"}\n');
  expect(file.damaged).toEqual([5, 6, 7]);
  await (await begun(file)).lock.release();
  expect([file.damaged, readFileSync(file.path, 'utf8')]).toEqual([[5, 6, 7], expect.stringContaining(ledger.runId)]);
});

test('a file of a later version is not touched', async () => {
  const file = fresh();
  const { lock } = await begun(file);
  await lock.release();
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('"ledger":1', '"ledger":2'));
  expect(() => file.read()).toThrow('was written by a later version of giftcard-sandbox (2, and this one reads 1)');
  await expect(begun(file)).rejects.toThrow('later version');
});

test('a place where nothing can be written is told before anything is sent', () => {
  expect(() => new LedgerFile('/dev/null/ledger.jsonl', target).ready()).toThrow(
    /^The ledger \/dev\/null\/ledger.jsonl cannot be written: .*Name another with --ledger FILE/,
  );
});

test('a run that waits while another begins writes into the file that all read', async () => {
  const waiting = fresh();
  const before = await begun(new LedgerFile(waiting.path, target));
  await before.lock.release();
  waiting.ready();
  const first = await begun(new LedgerFile(waiting.path, target));
  const second = await begun(waiting);
  const { code } = second.ledger.open(second.ledger.fresh(), undefined);
  expect(readFileSync(waiting.path, 'utf8')).toContain(code);
  await Promise.all([first.lock.release(), second.lock.release()]);
});

test('a file that was open before it begins is opened anew', async () => {
  const file = fresh();
  const before = await begun(file);
  await before.lock.release();
  const first = await begun(new LedgerFile(file.path, target));
  const { ledger, lock } = await begun(file);
  const { code } = ledger.open(ledger.fresh(), undefined);
  expect(readFileSync(file.path, 'utf8')).toContain(code);
  await Promise.all([first.lock.release(), lock.release()]);
});

test('what is written in parts is whole, and what cannot be written whole is told and swallows nothing', async () => {
  let room = Number.POSITIVE_INFINITY;
  const put = (handle: number, bytes: Uint8Array, from: number) => {
    const part = Math.min(7, room, bytes.length - from);
    room -= part;
    return part === 0 ? 0 : writeSync(handle, bytes, from, part);
  };
  const file = new LedgerFile(fresh().path, target, undefined, put);
  const { ledger, lock } = await begun(file);
  ledger.open(ledger.fresh(), undefined);
  room = 10;
  const lost = ledger.fresh();
  expect(() => ledger.open(lost, undefined)).toThrow('only 10 of');
  room = Number.POSITIVE_INFINITY;
  ledger.open(ledger.fresh(), undefined);
  await lock.release();
  expect(file.damaged).toEqual([]);
  const codes = (await leftoversIn(file, keys)).entries.map((entry) => (entry.kind === 'card' ? entry.code : ''));
  expect([codes.length, codes.includes(lost)]).toEqual([2, false]);
});
