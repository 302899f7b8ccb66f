import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Redactor } from '../http/redactor.ts';
import type { Entry } from './entries.ts';
import { Ledger } from './ledger.ts';
import { type Disk, defaultLedger, LedgerFolder } from './ledger-folder.ts';
import { describeDamage, leftoversIn } from './leftovers.ts';

const root = mkdtempSync(join(tmpdir(), 'conformance-ledger-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const target = 'http://127.0.0.1';
const newFolder = () => join(root, `${++folders}`);
const open = (path: string, disk?: Partial<Disk>) => new LedgerFolder(path, target, disk);
const keys = { key: 'the-key', profile: { secondKey: 'the-second-key', deletedKey: 'the-deleted-key' } };

async function begin(ledgers: LedgerFolder) {
  const ledger = new Ledger(new Redactor(), keys.profile, keys.key, (run) => ledgers.writerOf(run));
  return { ledger, lock: await ledgers.begin(ledger.runId, keys), file: join(ledgers.path, `${ledger.runId}.jsonl`) };
}

const answer = (status: number, json?: unknown) => ({ status, json }) as Parameters<Ledger['recordAnswer']>[1];

test('an entry is on disk before open() returns, and no key is ever written', async () => {
  const ledgers = open(newFolder());
  const { ledger, lock, file } = await begin(ledgers);
  const used = [undefined, 'the-key', 'the-second-key', 'the-deleted-key', 'some-other-key'];
  const codes = used.map((key) => ledger.open(ledger.fresh(), key).code);
  ledger.openWebhook('https://conformance.invalid/1', 'the-second-key');
  const text = readFileSync(file, 'utf8');
  for (const code of codes) expect(text).toContain(code);
  for (const key of used.slice(1)) expect(text).not.toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await lock.release();
  const { entries } = await leftoversIn(open(ledgers.path), keys);
  expect(entries.map(({ account, key }) => [account, key])).toEqual([
    ['key', undefined],
    ['key', undefined],
    ['secondKey', 'the-second-key'],
    ['deletedKey', 'the-deleted-key'],
    ['other', undefined],
    ['secondKey', 'the-second-key'],
  ]);
});

test('entries of a running process are not leftovers; after its end they are', async () => {
  const path = newFolder();
  const [one, two] = await Promise.all([begin(open(path)), begin(open(path))]);
  one.ledger.open(one.ledger.fresh(), undefined);
  two.ledger.open(two.ledger.fresh(), undefined);
  const during = await leftoversIn(open(path), keys);
  expect([during.entries, during.living.map(({ run }) => run).sort()]).toEqual([[], [one.ledger.runId, two.ledger.runId].sort()]);
  await one.lock.release();
  const after = await leftoversIn(open(path), keys);
  expect([after.entries.length, after.living.length]).toEqual([1, 1]);
  await two.lock.release();
});

test('a run with a relative ledger path is locked for processes in other folders', async () => {
  const path = newFolder();
  mkdirSync(path, { recursive: true });
  const here = process.cwd();
  try {
    process.chdir(path);
    const { ledger, lock } = await begin(open('ledger'));
    ledger.open(ledger.fresh(), undefined);
    process.chdir(root);
    const { entries, living } = await leftoversIn(open(join(path, 'ledger')), keys);
    expect([entries, living.map(({ run }) => run)]).toEqual([[], [ledger.runId]]);
    await lock.release();
  } finally {
    process.chdir(here);
  }
});

test('the socket file of a killed run does not lock', async () => {
  const ledgers = open(newFolder());
  const { ledger, lock } = await begin(ledgers);
  ledger.open(ledger.fresh(), undefined);
  await lock.release();
  writeFileSync(lock.path, '');
  expect((await leftoversIn(ledgers, keys)).entries).toHaveLength(1);
});

describe('the ledger file of a run', () => {
  test('is deleted at its end if nothing is left', async () => {
    const ledgers = open(newFolder());
    const { ledger, lock, file } = await begin(ledgers);
    ledger.markGone(ledger.open(ledger.fresh(), undefined));
    expect(existsSync(file)).toBe(true);
    await lock.release();
    expect(readdirSync(ledgers.path)).toEqual([]);
  });

  test('stays while something is left, and is deleted once nothing is', async () => {
    const ledgers = open(newFolder());
    const { ledger, lock, file } = await begin(ledgers);
    ledger.recordAnswer(ledger.open(ledger.fresh(), undefined), answer(200, { id: 7 }));
    await lock.release();
    const { runs, entries } = await leftoversIn(ledgers, keys);
    expect(entries).toMatchObject([{ number: 1, state: 'created', made: true, id: 7, account: 'key' }]);
    for (const entry of entries) {
      entry.state = 'gone';
      ledgers.changed(runs[0] as (typeof runs)[number], entry);
    }
    await ledgers.deleteClean();
    expect(existsSync(file)).toBe(false);
  });

  test('stays while its run lives, even if nothing is left', async () => {
    const ledgers = open(newFolder());
    const { lock, file } = await begin(ledgers);
    await open(ledgers.path).deleteClean();
    expect(existsSync(file)).toBe(true);
    await lock.release();
  });
});

test('a settled entry is not a leftover; a refused card is one until it was looked up', async () => {
  const ledgers = open(newFolder());
  const { ledger, lock } = await begin(ledgers);
  const entries = [0, 1, 2].map(() => ledger.open(ledger.fresh(), undefined)) as [Entry, Entry, Entry];
  ledger.recordAnswer(entries[0], answer(400));
  ledger.recordAnswer(entries[1], answer(200, { id: 7 }));
  ledger.markGone(entries[1]);
  ledger.recordAnswer(entries[2], answer(200, { id: 8 }));
  await lock.release();
  expect((await leftoversIn(ledgers, keys)).entries).toMatchObject([
    { number: 1, state: 'doubted' },
    { number: 3, state: 'created', made: true, id: 8 },
  ]);
});

test('entries of another key are out of reach, and runs against another target are separate', async () => {
  const path = newFolder();
  const { ledger, lock } = await begin(open(path));
  for (const key of [undefined, 'the-second-key']) ledger.recordAnswer(ledger.open(ledger.fresh(), key), answer(200, { id: 7 }));
  await lock.release();
  const read = async (given: Parameters<LedgerFolder['runs']>[0], url = target) => {
    const { ended, otherTargets } = await new LedgerFolder(path, url).sorted(given);
    return [ended.flatMap(({ entries }) => entries.map(({ key, outOfReach }) => outOfReach ?? key)), otherTargets.length];
  };
  expect(await read(keys)).toEqual([[undefined, 'the-second-key'], 0]);
  expect(await read({ key: 'a-new-key', profile: {} })).toEqual([[true, true], 0]);
  expect(await read({ key: 'the-second-key', profile: { secondKey: 'the-key' } })).toEqual([['the-key', undefined], 0]);
  expect(await read(keys, 'https://other.example.com')).toEqual([[], 1]);
});

describe('damage', () => {
  test('a line that was cut off is ignored, and the next line is readable', async () => {
    const ledgers = open(newFolder());
    const { ledger, lock, file } = await begin(ledgers);
    ledger.open(ledger.fresh(), undefined);
    ledgers.close();
    appendFileSync(file, '{"run":"ABC","op');
    ledger.open(ledger.fresh(), undefined);
    await lock.release();
    expect([(await leftoversIn(ledgers, keys)).entries.length, ledgers.damage()]).toEqual([2, []]);
  });

  test.each([
    ['null'],
    ['\u0000\u0000'],
    ['{"run":"A" "open"}'],
    ['{"run":"A","entry":1,"state":"lost"}'],
    ['{"run":"A","open":{"kind":"card","number":1}}'],
    ['{"run":"A","entry":"1","state":"gone"}'],
  ])('the line %s is reported with its number, and keeps the file', async (line) => {
    const ledgers = open(newFolder());
    const { ledger, lock, file } = await begin(ledgers);
    ledger.markGone(ledger.open(ledger.fresh(), undefined));
    appendFileSync(file, `${line}\n`);
    await lock.release();
    expect(ledgers.damage()).toEqual([{ file, lines: [4] }]);
    expect(describeDamage(ledgers.damage())).toEqual([expect.stringMatching(/ at line 4: /)]);
    await ledgers.deleteClean();
    expect(existsSync(file)).toBe(true);
  });

  test('a file of a later version is a usage error', async () => {
    const ledgers = open(newFolder());
    const { ledger, lock, file } = await begin(ledgers);
    ledger.open(ledger.fresh(), undefined);
    await lock.release();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"ledger":1', '"ledger":2'));
    expect(() => ledgers.runs()).toThrow(/format 2, this one reads 1/);
  });

  test('a line is written in several parts if necessary; an incomplete line throws, and the next line is readable', async () => {
    let room = Number.POSITIVE_INFINITY;
    const put: Disk['put'] = (handle, bytes, from) => {
      const part = Math.min(7, room, bytes.length - from);
      room -= part;
      return part === 0 ? 0 : writeSync(handle, bytes, from, part);
    };
    const ledgers = open(newFolder(), { put });
    const { ledger, lock } = await begin(ledgers);
    ledger.open(ledger.fresh(), undefined);
    room = 10;
    const lost = ledger.fresh();
    expect(() => ledger.open(lost, undefined)).toThrow('only 10 of');
    room = Number.POSITIVE_INFINITY;
    ledger.open(ledger.fresh(), undefined);
    await lock.release();
    const codes = (await leftoversIn(ledgers, keys)).entries.map((entry) => (entry.kind === 'card' ? entry.code : ''));
    expect([ledgers.damage(), codes.length, codes.includes(lost)]).toEqual([[], 2, false]);
  });

  test('a read-only folder is a usage error before any request', () => {
    expect(() => open('/dev/null/ledger').ready()).toThrow(/\/dev\/null\/ledger cannot be written: .*--ledger/);
  });
});

test('each target has its own folder in the state folder of the user', () => {
  const of = (url: string) => defaultLedger(url, { XDG_STATE_HOME: '/state', HOME: '/home/user' });
  expect(of('http://127.0.0.1:8460')).toMatch(/^\/state\/giftcard-sandbox\/127\.0\.0\.1-8460-\w{8}$/);
  expect(new Set(['http://127.0.0.1:1', 'http://127.0.0.1:1/a', 'https://127.0.0.1:1'].map(of)).size).toBe(3);
  expect(defaultLedger('https://example.com', { HOME: '/home/user' })).toContain('/home/user/.local/state/');
});

test('the ledger file of version 0.1 is read, updated, and deleted once it is clean', async () => {
  const path = newFolder();
  const file = `${path}.jsonl`;
  copyFileSync(new URL('../testing/fixtures/0.1/ledger.jsonl', import.meta.url), file);
  const of01 = 'http://127.0.0.1:8479';
  const secondKey = 'sandbox-key-other-not-a-real-key';
  const keysOf01 = { key: 'sandbox-key-main-not-a-real-key', profile: { secondKey } };
  for (const name of [path, file]) {
    const { runs, entries } = await leftoversIn(new LedgerFolder(name, of01), keysOf01);
    expect(runs.map(({ run }) => run)).toEqual(['QN2C6D', '969U4E']);
    expect(entries.map(({ kind, state, key }) => [kind, state, key])).toEqual([
      ['card', 'created', undefined],
      ['card', 'created', undefined],
      ['card', 'created', secondKey],
      ['card', 'created', undefined],
      ['card', 'asked', undefined],
      ['card', 'doubted', undefined],
      ['record', 'asked', undefined],
    ]);
  }
  const ledgers = new LedgerFolder(path, of01);
  for (const run of (await leftoversIn(ledgers, keysOf01)).runs)
    for (const entry of run.entries) {
      entry.state = 'gone';
      ledgers.changed(run, entry);
    }
  await ledgers.deleteClean();
  expect(existsSync(file)).toBe(false);
});
