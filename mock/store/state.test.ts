import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mockCommand } from '../../cli/mock/main.ts';
import { type MockOptions, startMock } from '../index.ts';
import { runCaptured } from '../testing/command-fixture.ts';
import { LevelStore } from './level-store.ts';

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  state = join(folder, 'state');
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = (options: MockOptions = {}) => startMock({ listen: false, state, ...options });
type Started = Awaited<ReturnType<typeof start>>;

async function create(mock: Started, fields: object = {}): Promise<{ id: string; code: string }> {
  const init = { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body: JSON.stringify({ balance: 25, ...fields }) };
  return (await (await mock.fetch('/api/GiftCard/Create', init)).json()) as { id: string; code: string };
}

async function get(mock: Started, code: string): Promise<number> {
  return (await mock.fetch(`/api/GiftCard/GetByCode/${code}`, { headers: { 'x-api-key': mock.apiKey } })).status;
}

describe('a sandbox with a state', () => {
  test('restores the previous state, with added accounts and the sequence of IDs', async () => {
    const one = await start({ seed: 7 });
    const { code } = await create(one);
    await one.fetch('/__mock/accounts', { method: 'POST', body: JSON.stringify({ id: 'mine' }) });
    const before = await one.snapshot();
    await one.close();
    await one.close();
    expect(statSync(state).mode & 0o777).toBe(0o700);

    chmodSync(state, 0o755);
    const two = await start();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect([await get(two, code), two.seed, two.state?.wasThere]).toEqual([200, 7, true]);
    expect(two.accounts.map(({ id }) => id)).toEqual(['main', 'other', 'basic', 'mine']);
    const next = await create(two);
    await using again = await startMock({ listen: false });
    await again.restore(before);
    await get(again, code);
    expect(await create(again)).toMatchObject({ id: next.id, code: next.code });
    await two.reset();
    await two.close();
    await using three = await start();
    expect([three.accounts.map(({ id }) => id), await get(three, code)]).toEqual([['main', 'other', 'basic'], 404]);
  });

  test('has a running clock that does not go back, although the clock of the machine did', async () => {
    const one = await start();
    const { nowUtc } = await one.clock.run('2030-01-01T00:00:00Z');
    await one.close();
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await using two = await start();
    expect(Date.parse((await two.clock.read()).nowUtc)).toBeGreaterThanOrEqual(Date.parse(nowUtc));
  });
});

/** Starts a mock in its own process, and returns its URL. */
async function startProcess() {
  const root = join(import.meta.dirname, '../..');
  const command = ['--import', 'tsx', 'cli/main.ts', 'mock', '--port', '0', '--quiet', '--state', state];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: String(line).split('\n')[0] as string };
}

test('after kill -9, every acknowledged change is there, and the next sandbox starts at once', async () => {
  const { child, url } = await startProcess();
  const headers = { 'x-api-key': 'sandbox-key-main-not-a-real-key' };
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const body = JSON.stringify({ balance: 25, code: `KILL-${n}` });
      return fetch(`${url}/api/GiftCard/Create`, { method: 'POST', headers, body });
    }),
  );
  child.kill('SIGKILL');
  expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
  await once(child, 'exit');
  await using mock = await start();
  for (let n = 0; n < 40; n++) expect(await get(mock, `KILL-${n}`)).toBe(200);
  expect(await (await mock.fetch('/__mock/health')).json()).toMatchObject({ status: 'ok' });
});

describe('a state that is in use', () => {
  const inUse = { name: 'StateFileError', message: expect.stringMatching(/in use by another sandbox; .*--state/) };

  test('by this process, also through a link: the second sandbox does not start', async () => {
    await using one = await start();
    await expect(start()).rejects.toMatchObject(inUse);
    symlinkSync(state, join(folder, 'link'));
    for (const path of [join(folder, 'link'), `${state}/`, relative(process.cwd(), state)])
      await expect(start({ state: path })).rejects.toMatchObject(inUse);
    expect((await create(one)).code).toBeTruthy();
  });

  test('by another process: the second sandbox does not start', async () => {
    await startProcess();
    await expect(start()).rejects.toMatchObject(inUse);
  });
});

const run = () => runCaptured(mockCommand, ['--port', '0', '--state', state]);

describe('a folder that cannot be used: one sentence, exit 2, and nothing is changed', () => {
  test('with other files', async () => {
    mkdirSync(state);
    writeFileSync(join(state, 'notes.txt'), 'mine');
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/has files that are not the state of a sandbox; .*--state/)]);
    expect(readdirSync(state)).toEqual(['notes.txt']);
  });

  test('that is a file', async () => {
    writeFileSync(state, 'mine');
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/state cannot be used for the state: .*--state/)]);
    expect(readFileSync(state, 'utf8')).toBe('mine');
  });

  test('in a missing folder', async () => {
    state = join(folder, 'nowhere', 'state');
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/there is no such folder; choose another folder with --state/)]);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test.runIf(existsSync('/proc/self'))('without permission to write', async () => {
    state = '/proc/state';
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/\/proc\/state cannot be used/) });
  });

  test('with a damaged database', async () => {
    await (await start()).close();
    const manifest = readdirSync(state).find((name) => name.startsWith('MANIFEST')) as string;
    writeFileSync(join(state, manifest), 'damaged');
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^The state in .* cannot be opened: .*--state/)]);
  });

  test('with rows of an unknown version', async () => {
    await (await start()).close();
    const store = await LevelStore.open(state, 'off');
    await store.write(new Map([['!head!', JSON.stringify([1, { kind: 'giftcard-sandbox', version: 99 }])]]));
    await store.close();
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be used .*version must be 1, got 99/)]);
  });
});

test('the flag --state-sync needs --state', async () => {
  const { code, stderr } = await runCaptured(mockCommand, ['--port', '0', '--state-sync', 'commit']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--state FOLDER')]);
});
