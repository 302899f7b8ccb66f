import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { LevelStore } from '../../mock/store/level-store.ts';
import { runCaptured } from '../../mock/testing/command-fixture.ts';
import { runCommand } from '../run-command.ts';
import { mockCommand } from './main.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const run = (argv: string[], environment: Record<string, string> = {}) => runCaptured(mockCommand, argv, environment);

test('help and version go to stdout', async () => {
  for (const flag of ['--help', '-h'])
    expect(await run([flag])).toMatchObject({ code: 0, stdout: expect.stringContaining('--rate-limit <N|off>'), stderr: '' });
  for (const flag of ['--version', '-V']) expect(await run([flag])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
});

test.each<[string, string[], Record<string, string>]>([
  ['an unknown flag', ['--prot', '1'], {}],
  ['a wrong value', ['--seed', 'x'], {}],
  ['a wrong environment variable', [], { GIFTCARD_SANDBOX_PORT: 'x' }],
  ['a world file that does not exist', ['--world', '/no/such/world.yaml'], {}],
  ['a world file that is a folder', ['--world', root], {}],
  ['a world file that is not a world', ['--world', `${root}package.json`], {}],
  ['a profile that cannot be written', ['--port', '0', '--quiet', '--write-profile', '/no/such/folder/profile.json'], {}],
  ['a state with another scheme', ['--port', '0', '--state', 'mysql://sandbox:SECRET@127.0.0.1/sandbox'], {}],
  ['a state with one slash', ['--port', '0', '--state', 'postgres:/sandbox:SECRET@127.0.0.1/sandbox'], {}],
  ['a state with a scheme in capitals', ['--port', '0', '--state', 'Postgres://sandbox:SECRET@127.0.0.1/sandbox'], {}],
  ['a password that is not encoded', ['--port', '0', '--state', 'postgres://sandbox:a/SECRET#@127.0.0.1/sandbox'], {}],
  ['a URL with an impossible port', ['--port', '0', '--state', 'postgres://sandbox:SECRET@127.0.0.1:99999/sandbox'], {}],
  ['an address of another machine', ['--host', '192.0.2.1', '--port', '0'], {}],
])('%s: one sentence on stderr, and exit 2', async (_, argv, env) => {
  const { code, stdout, stderr } = await run(argv, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^\S.*[.?)]\n$/s);
  expect(stderr).not.toMatch(/\n\s+at |SECRET/);
});

test('a profile can be read by its owner only, also if the file could be read by others before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'profile.json');
  writeFileSync(file, '{}', { mode: 0o644 });
  let ended: Promise<number> | undefined;
  await new Promise<unknown>((resolve) => {
    const io = { stdout: { write: resolve }, stderr: { write: () => {} } };
    ended = runCommand(mockCommand({}, io), ['--port', '0', '--quiet', '--write-profile', file], io, '');
  });
  process.emit('SIGTERM');
  await ended;
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('--quiet: a misspelt variable and a state that cannot be written are logged, requests are not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let ended: Promise<number> | undefined;
  let log = '';
  const banner = await new Promise<string>((resolve) => {
    const io = { stdout: { write: resolve }, stderr: { write: (text: string) => (log += text) } };
    ended = runCommand(
      mockCommand({ GIFTCARD_SANDBOX_RATELIMIT: 'off' }, io),
      ['--port', '0', '--quiet', '--state', join(folder, 'state')],
      io,
      '',
    );
  });
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(new Error('No space left on device'));
  const headers = { 'x-api-key': 'sandbox-key-main-not-a-real-key', 'content-type': 'application/json' };
  const url = `${banner.split('\n')[0]}/api/GiftCard/Create`;
  const create = async () => (await fetch(url, { method: 'POST', headers, body: '{"balance":1}' })).status;
  expect(await create()).toBe(503);
  await vi.waitFor(async () => expect(await create()).toBe(200));
  process.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(log).toMatch(
    /^\S+ {2}\S+_RATELIMIT has no effect\. Did you mean \S+_RATE_LIMIT\?\n\S+ {2}The state cannot be written to .*No space left on device.*\.\n(\S+ {2}The state can be written to .* again\.\n)$/,
  );
});

test.each([
  [{}, '\n\x1b[1mgiftcard-sandbox'],
  [{ NO_COLOR: '1' }, '\ngiftcard-sandbox '],
])('on a terminal with %j, the banner has a heading, and a signal after the first is ignored', async (environment, heading) => {
  let ended: Promise<number> | undefined;
  let log = '';
  const said = await new Promise<string>((resolve) => {
    const io = { stdout: { isTTY: true, write: resolve }, stderr: { write: (text: string) => (log += text) } };
    ended = runCommand(mockCommand(environment, io), ['--port', '0', '--quiet'], io, '');
  });
  expect(said.slice(0, heading.length)).toBe(heading);
  process.emit('SIGTERM');
  process.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(0);
  expect(log).toMatch(/^SIGINT is ignored: .*\.\n$/);
});

test('a busy port: one sentence on stderr that names it, and exit 2', async () => {
  await using mock = await startMock();
  const { port } = new URL(mock.url);
  const { code, stdout, stderr } = await run(['--port', port]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^Port ${port} .*--port 0.*\\.\n$`));
});

test('a busy control port: the sentence names --control-port', async () => {
  await using mock = await startMock();
  const { port } = new URL(mock.url);
  const { code, stderr } = await run(['--port', '0', '--control-port', port]);
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^Port ${port} .*--control-port 0`));
});

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

test.each<[NodeJS.Signals, string[], Record<string, string>]>([
  ['SIGTERM', ['--port', '0', '--seed', '7'], {}],
  ['SIGINT', [], { GIFTCARD_SANDBOX_PORT: '0', GIFTCARD_SANDBOX_SEED: '7', GIFTCARD_SANDBOX_LOG_FORMAT: 'json' }],
])('a running mock prints its address and keys, and %s ends it at once with exit 0', async (signal, argv, env) => {
  const started = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'mock', ...argv], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let said = '';
  let logged = '';
  started.stderr.on('data', (text) => {
    logged += text;
  });
  await new Promise<void>((resolve, reject) => {
    started.stdout.on('data', (text) => {
      said += text;
      if (said.includes('Docs ')) resolve();
    });
    started.once('exit', (code) => reject(new Error(`The mock ended with ${code}: ${logged}`)));
  });
  const [url = ''] = said.split('\n');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(said).toMatch(/sandbox-key-main-not-a-real-key .*sandbox-key-other-not-a-real-key /s);
  expect(said).not.toContain('sandbox-key-main-deleted-not-a-real-key');
  expect(said).toMatch(/^Seed +7$/m);

  const response = await fetch(`${url}/api/GiftCard/List`, { headers: { 'x-api-key': 'sandbox-key-main-not-a-real-key' } });
  expect(response.status).toBe(200);
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.on('error', () => {});
  await once(idle, 'connect');
  const ended = once(started, 'exit');
  const start = performance.now();
  started.kill(signal);
  expect(await ended).toEqual([0, null]);
  // A mock that waits for the idle connection would take longer.
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(logged.split('\n').filter(Boolean)).toHaveLength(1);
  expect(logged).toMatch(argv.length > 0 ? /^\S+ {2}GET \/api\/GiftCard\/List +200 / : /^\{"at":.*"status":200.*\}\n$/);
  expect(logged).not.toContain('not-a-real-key');
  idle.destroy();
});
