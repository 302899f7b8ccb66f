import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Redactor } from '../http/redactor.ts';
import type { LedgerEntry } from './entries.ts';
import { Ledger } from './ledger.ts';
import { type Disk, defaultLedger, LedgerFolder, type Leftovers } from './ledger-folder.ts';
import type { StoredRun } from './ledger-lines.ts';

const root = mkdtempSync(join(tmpdir(), 'conformance-ledger-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const target = 'http://127.0.0.1';
const newFolder = () => join(root, `${++folders}`);
const open = (path: string, disk?: Partial<Disk>) => new LedgerFolder(path, target, disk);
const keys = { key: 'the-key', profile: { secondKey: 'the-second-key', deletedKey: 'the-deleted-key' } };

async function begin(ledgers: LedgerFolder) {
  const ledger = new Ledger(new Redactor(), keys);
  await ledger.storeIn(ledgers);
  return { ledger, file: join(ledgers.path, `${ledger.runId}.jsonl`) };
}

async function forget(ledgers: LedgerFolder, { runs }: Leftovers) {
  for (const run of runs) {
    const file = ledgers.reopen(run);
    for (const entry of run.entries) file.change({ ...entry, state: 'gone' });
    await file.close();
  }
}

const response = (status: number, json?: unknown) => ({ status, json }) as Parameters<Ledger['recordResponse']>[1];

test('an entry is on disk before open() returns, and no key is ever written', async () => {
  const ledgers = open(newFolder());
  const { ledger, file } = await begin(ledgers);
  const used = [undefined, 'the-key', 'the-second-key', 'the-deleted-key', 'some-other-key'];
  const codes = used.map((key) => ledger.open(ledger.fresh(), key).code);
  ledger.openWebhook('https://conformance.invalid/1', 'the-second-key');
  const text = readFileSync(file, 'utf8');
  for (const code of codes) expect(text).toContain(code);
  for (const key of used.slice(1)) expect(text).not.toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await ledger.close();
  const { entries } = await open(ledgers.path).read(keys);
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
  const during = await open(path).read(keys);
  expect([during.entries, during.living.map(({ run }) => run).sort()]).toEqual([[], [one.ledger.runId, two.ledger.runId].sort()]);
  await one.ledger.close();
  const after = await open(path).read(keys);
  expect([after.entries.length, after.living.length]).toEqual([1, 1]);
  await two.ledger.close();
});

test('a run with a relative ledger path is locked for processes in other folders', async () => {
  const path = newFolder();
  mkdirSync(path, { recursive: true });
  const here = process.cwd();
  try {
    process.chdir(path);
    const { ledger } = await begin(open('ledger'));
    ledger.open(ledger.fresh());
    process.chdir(root);
    const { entries, living } = await open(join(path, 'ledger')).read(keys);
    expect([entries, living.map(({ run }) => run)]).toEqual([[], [ledger.runId]]);
    await ledger.close();
  } finally {
    process.chdir(here);
  }
});

test('the socket file of a killed run does not lock', async () => {
  const ledgers = open(newFolder());
  const { ledger } = await begin(ledgers);
  ledger.open(ledger.fresh());
  await ledger.close();
  const { lock } = (await ledgers.read(keys)).runs[0] as StoredRun;
  writeFileSync(String(lock), '');
  expect((await ledgers.read(keys)).entries).toHaveLength(1);
});

test('a ledger that names another file as its lock does not delete that file', async () => {
  const ledgers = open(newFolder());
  const { ledger } = await begin(ledgers);
  const path = join(ledgers.path, readdirSync(ledgers.path).find((name) => name.endsWith('.jsonl')) as string);
  await ledger.close();
  const victim = join(root, 'victim.txt');
  writeFileSync(victim, 'mine');
  const heading = {
    ledger: 1,
    run: 'abc',
    began: '2026-01-01T00:00:00.000Z',
    target: 'http://127.0.0.1:1',
    lock: victim,
    keys: {},
  };
  writeFileSync(path, `${JSON.stringify(heading)}\n`);
  await ledgers.deleteClean();
  expect(existsSync(victim)).toBe(true);
});

describe('the ledger file of a run', () => {
  test('is deleted at its end if nothing is left', async () => {
    const ledgers = open(newFolder());
    const { ledger, file } = await begin(ledgers);
    ledger.mark(ledger.open(ledger.fresh()), 'gone');
    expect(existsSync(file)).toBe(true);
    await ledger.close();
    expect(readdirSync(ledgers.path)).toEqual([]);
  });

  test('stays while something is left, and is deleted once nothing is', async () => {
    const ledgers = open(newFolder());
    const { ledger, file } = await begin(ledgers);
    ledger.recordResponse(ledger.open(ledger.fresh()), response(200, { id: 7 }));
    await ledger.close();
    const leftovers = await ledgers.read(keys);
    expect(leftovers.entries).toMatchObject([{ number: 1, state: 'created', id: 7, account: 'key' }]);
    await forget(ledgers, leftovers);
    expect(existsSync(file)).toBe(false);
  });

  test('stays while its run lives, even if nothing is left', async () => {
    const ledgers = open(newFolder());
    const { ledger, file } = await begin(ledgers);
    await open(ledgers.path).deleteClean();
    expect(existsSync(file)).toBe(true);
    await ledger.close();
  });
});

test('a settled entry is not a leftover; a refused card is one until it was looked up', async () => {
  const ledgers = open(newFolder());
  const { ledger } = await begin(ledgers);
  const entries = [0, 1, 2].map(() => ledger.open(ledger.fresh())) as [LedgerEntry, LedgerEntry, LedgerEntry];
  ledger.recordResponse(entries[0], response(400));
  ledger.recordResponse(entries[1], response(200, { id: 7 }));
  ledger.mark(entries[1], 'gone');
  ledger.recordResponse(entries[2], response(200, { id: 8 }));
  await ledger.close();
  expect((await ledgers.read(keys)).entries).toMatchObject([
    { number: 1, state: 'uncertain' },
    { number: 3, state: 'created', id: 8 },
  ]);
});

test('entries of another key are out of reach, and runs against another target are separate', async () => {
  const path = newFolder();
  const { ledger } = await begin(open(path));
  for (const key of [undefined, 'the-second-key'])
    ledger.recordResponse(ledger.open(ledger.fresh(), key), response(200, { id: 7 }));
  await ledger.close();
  const read = async (given: Parameters<LedgerFolder['read']>[0], url = target) => {
    const { entries, otherTargets } = await new LedgerFolder(path, url).read(given);
    return [entries.map(({ key, outOfReach }) => outOfReach ?? key), otherTargets];
  };
  expect(await read(keys)).toEqual([[undefined, 'the-second-key'], []]);
  expect(await read({ key: 'a-new-key', profile: {} })).toEqual([[true, true], []]);
  expect(await read({ key: 'the-second-key', profile: { secondKey: 'the-key' } })).toEqual([['the-key', undefined], []]);
  expect(await read(keys, 'https://other.example.com')).toEqual([[], [target]]);
});

describe('damage', () => {
  test('a line that was cut off is ignored, and the next line is readable', async () => {
    const ledgers = open(newFolder());
    const { ledger, file } = await begin(ledgers);
    for (const code of [ledger.fresh(), ledger.fresh()]) ledger.open(code);
    await ledger.close();
    appendFileSync(file, '{"run":"ABC","op');
    const { runs, entries } = await ledgers.read(keys);
    const again = ledgers.reopen(runs[0] as StoredRun);
    again.change({ ...(entries[0] as LedgerEntry), state: 'gone' });
    await again.close();
    const { entries: left, damage } = await ledgers.read(keys);
    expect([left.map(({ number }) => number), damage]).toEqual([[2], []]);
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
    const { ledger, file } = await begin(ledgers);
    ledger.mark(ledger.open(ledger.fresh()), 'gone');
    appendFileSync(file, `${line}\n`);
    await ledger.close();
    expect((await ledgers.read()).damage).toEqual([expect.stringContaining(`${file} is damaged at line 7: `)]);
    await ledgers.deleteClean();
    expect(existsSync(file)).toBe(true);
  });

  test('a file of a later version counts as damaged', async () => {
    const ledgers = open(newFolder());
    const { ledger, file } = await begin(ledgers);
    ledger.open(ledger.fresh());
    await ledger.close();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"ledger":1', '"ledger":2'));
    expect((await ledgers.read()).damage).toEqual([expect.stringContaining(`${file} is damaged at line 2: `)]);
  });

  test('an incomplete line throws, and the next line is readable', async () => {
    let isFull = false;
    const write: Disk['write'] = (handle, text) => {
      writeFileSync(handle, isFull ? text.slice(0, 10) : text);
      if (isFull) throw new Error('the disk is full');
    };
    const ledgers = open(newFolder(), { write });
    const { ledger } = await begin(ledgers);
    ledger.open(ledger.fresh());
    isFull = true;
    const lost = ledger.fresh();
    expect(() => ledger.open(lost)).toThrow('the disk is full');
    isFull = false;
    ledger.open(ledger.fresh());
    await ledger.close();
    const { entries, damage } = await ledgers.read(keys);
    expect([damage, entries.length, entries.some(({ code }) => code === lost)]).toEqual([[], 2, false]);
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
