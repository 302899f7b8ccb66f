import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
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
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mockCommand } from '../cli/main.ts';
import { type MockOptions, startMock } from '../index.ts';
import { runCaptured } from '../testing/command-fixture.ts';
import { StateFileError } from './state-lock.ts';

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  state = join(folder, 'state.json');
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

describe('a sandbox with a state file', () => {
  test('restores the previous state, with added accounts and the sequence of IDs', async () => {
    const one = await start({ seed: 7 });
    const { code } = await create(one);
    await one.fetch('/__mock/accounts', { method: 'POST', body: JSON.stringify({ id: 'mine' }) });
    await one.close();
    await one.close();
    expect(statSync(state).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['state.json']);
    const before = readFileSync(state);

    const two = await start();
    expect([await get(two, code), two.seed, two.accounts.map(({ id }) => id)]).toEqual([
      200,
      7,
      ['main', 'other', 'basic', 'mine'],
    ]);
    const next = await create(two);
    const copy = join(folder, 'copy.json');
    writeFileSync(copy, before);
    await using again = await start({ state: copy });
    expect(await create(again)).toMatchObject({ id: next.id, code: next.code });
    await two.close();
    two.reset();
    expect(two.accounts.map(({ id }) => id)).toEqual(['main', 'other', 'basic']);
  });

  test('saves it on demand, also through a link', async () => {
    const real = join(folder, 'real.json');
    writeFileSync(real, '');
    rmSync(real);
    await (await start({ state: real })).close();
    symlinkSync(real, state);
    await using mock = await start();
    const { code } = await create(mock);
    const saved = await mock.fetch('/__mock/state', { method: 'POST' });
    expect(await saved.json()).toEqual({ file: state, bytes: statSync(real).size });
    const copy = join(folder, 'copy.json');
    copyFileSync(real, copy);
    await using other = await start({ state: copy });
    expect(await get(other, code)).toBe(200);
  });

  test('without one, saving is refused with a sentence', async () => {
    await using mock = await startMock({ listen: false });
    const refused = await mock.fetch('/__mock/state', { method: 'POST' });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: expect.stringMatching(/no state file.*--state FILE/) },
    ]);
  });

  test('that cannot be written at the end: a sentence, and everything is closed', async () => {
    const mock = await startMock({ state });
    mkdirSync(state);
    await expect(mock.close()).rejects.toThrow(/^The state could not be written to .*state\.json: /);
    await expect(fetch(mock.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(readdirSync(folder)).toEqual(['state.json']);
  });
});

test.runIf(existsSync('/proc/self'))('a folder that cannot be written to is reported at the start', async () => {
  await expect(startMock({ state: '/proc/state.json', listen: false })).rejects.toThrow(
    /\/proc\/state\.json could not be written/,
  );
});

describe('a state file that is in use', () => {
  const lock = (fields: object) =>
    writeFileSync(`${state}.lock`, JSON.stringify({ pid: process.ppid, host: hostname(), ...fields }));

  test('by this process, also through a link, or by another running process: the second sandbox does not start', async () => {
    {
      await using one = await start();
      await expect(start()).rejects.toThrow(StateFileError);
      symlinkSync(state, join(folder, 'link.json'));
      await one.fetch('/__mock/state', { method: 'POST' });
      await expect(start({ state: join(folder, 'link.json') })).rejects.toThrow(/is in use by another sandbox \(process \d+\)/);
    }
    await (await start()).close();
    lock({});
    await expect(start()).rejects.toThrow(`process ${process.ppid}`);
    expect(existsSync(`${state}.lock`)).toBe(true);
  });

  test.each([
    ['a process that has ended', { pid: 2 ** 30 }],
    ['an earlier process with the same id, as in a container', { pid: process.pid }],
    ['another host', { host: 'other-host' }],
    ['an invalid process ID', { pid: 'x' }],
  ])('by %s: the lock is ignored', async (_, fields) => {
    lock(fields);
    await (await start()).close();
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  test.skipIf(!existsSync('/proc/self/stat'))('by a killed process that its parent has not waited for: ignored', async () => {
    // `sleep` never waits for a child. The shell could, so the child is killed only when the shell has become `sleep`.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill());
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
    await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'), 5000);
    process.kill(Number(pid), 'SIGKILL');
    await vi.waitFor(() => expect(readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')).toContain(') Z '), 5000);
    lock({ pid: Number(pid) });
    await (await start()).close();
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  test('a start that fails leaves no lock', async () => {
    writeFileSync(state, 'nonsense');
    await expect(start()).rejects.toThrow(StateFileError);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });
});

describe('an invalid state file', () => {
  const run = () => runCaptured(mockCommand, ['--port', '0', '--state', state]);

  test.each([
    ['cut short', '{"kind": "giftcard-sandbox", "vers', /not JSON, or is incomplete; .*--state\.\n$/],
    ['empty', '', /not JSON, or is incomplete/],
    ['nested too deeply', `${'{"accounts":'.repeat(9000)}1${'}'.repeat(9000)}`, /cannot be used .*deeper than 200 levels/],
    ['of another program', '{"name": "something"}', /cannot be used .*not a snapshot of all accounts/],
    ['without an account', '{"kind": "giftcard-sandbox", "version": 1, "accounts": []}', /has no account; .*--state\.\n$/],
    ['of an unknown version', '{"kind": "giftcard-sandbox", "version": 99}', /version must be 1 or 2, got 99/],
  ])('%s: one sentence, exit 2, and the file is unchanged', async (_, text, sentence) => {
    writeFileSync(state, text);
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stderr.startsWith(`The state file ${state} `)).toBe(true);
    expect(readFileSync(state, 'utf8')).toBe(text);
  });

  test('a folder, or a file in a missing folder, is reported at the start', async () => {
    mkdirSync(state);
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be read: it is a folder/) });
    state = join(folder, 'nowhere', 'state.json');
    const { code, stderr } = await run();
    expect([code, existsSync(join(folder, 'nowhere'))]).toEqual([2, false]);
    expect(stderr).toContain(join(folder, 'nowhere'));
  });
});
