import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../index.ts';
import { version } from '../server/version.ts';
import { main } from './main.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the command in this process, up to where it would wait for its end. */
async function run(argv: string[], env: Record<string, string> = {}) {
  const written = { stdout: '', stderr: '' };
  const into = (stream: 'stdout' | 'stderr') => ({ write: (text: string) => (written[stream] += text) });
  const code = await main(argv, env, { stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...written };
}

test('--help and --version are said on stdout', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--rate-limit N|off'), stderr: '' });
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each<[string, string[], Record<string, string>]>([
  ['an unknown flag', ['--prot', '1'], {}],
  ['a wrong value', ['--seed', 'x'], {}],
  ['a wrong twin', [], { GIFTCARD_SANDBOX_PORT: 'x' }],
  ['a world file that there is not', ['--world', '/no/such/world.yaml'], {}],
  ['a world file that is a folder', ['--world', root], {}],
  ['a world file that is no world', ['--world', `${root}package.json`], {}],
  ['a profile that cannot be written', ['--port', '0', '--quiet', '--write-profile', '/no/such/folder/profile.json'], {}],
  ['an address of another machine', ['--host', '192.0.2.1', '--port', '0'], {}],
])('%s: one sentence on stderr, and exit 2', async (_, argv, env) => {
  const { code, stdout, stderr } = await run(argv, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^\S.*[.?)]\n$/s);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test.each<[string, string[], RegExp]>([
  ['a state file is new', [], /\nState: \S+state\.json is new; it is written when the mock is stopped\n$/],
  ['it goes on from one', [], /\nState: goes on from \S+state\.json\n$/],
  [
    'a flag says less than it seems to',
    ['--seed', '5'],
    /\nState: goes on from \S+; --seed says only what a reset goes back to\n$/,
  ],
  ['flags do', ['--vary', '--seed', '5'], /; --vary, --seed say only what a reset goes back to\n$/],
])('the greeting says when %s', async (name, argv, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, 'state.json');
  if (!name.endsWith('is new')) await (await startMock({ listen: false, state })).close();
  let ended: Promise<number> | undefined;
  const said = await new Promise<string>((resolve, reject) => {
    ended = main(
      ['--port', '0', '--quiet', '--state', state, ...argv],
      {},
      { stdout: { write: resolve }, stderr: { write: reject } },
    );
  });
  process.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(said).toMatch(line);
});

test('a busy port: one sentence on stderr that names it, and exit 2', async () => {
  await using mock = await startMock();
  const { port } = new URL(mock.url);
  const { code, stdout, stderr } = await run(['--port', port]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`Port ${port} on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one.\n`);
});

test('a busy control port is told by its own flag', async () => {
  await using mock = await startMock();
  const { port } = new URL(mock.url);
  const { code, stderr } = await run(['--port', '0', '--control-port', port]);
  expect([code, stderr]).toEqual([
    2,
    `Port ${port} on 127.0.0.1 is in use; choose another with --control-port, or --control-port 0 for any free one.\n`,
  ]);
});

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

test.each<[NodeJS.Signals, string[], Record<string, string>]>([
  ['SIGTERM', ['--port', '0', '--seed', '7'], {}],
  ['SIGINT', [], { GIFTCARD_SANDBOX_PORT: '0', GIFTCARD_SANDBOX_SEED: '7', GIFTCARD_SANDBOX_LOG_FORMAT: 'json' }],
])('a running mock says its address and keys, and %s ends it at once with exit 0', async (signal, argv, env) => {
  const started = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', 'mock', ...argv], {
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
      if (said.includes('Seed: ')) resolve();
    });
    started.once('exit', (code) => reject(new Error(`The mock ended with ${code}: ${logged}`)));
  });
  const [url = ''] = said.split('\n');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(said).toContain('x-api-key: sandbox-key-main-not-a-real-key\n');
  expect(said).toContain('x-api-key: sandbox-key-other-not-a-real-key\n');
  expect(said).not.toContain('sandbox-key-main-deleted-not-a-real-key');
  expect(said).toContain(`${url}/__mock/`);
  expect(said).toContain('Seed: 7\n');

  const answer = await fetch(`${url}/api/GiftCard/List`, { headers: { 'x-api-key': 'sandbox-key-main-not-a-real-key' } });
  expect(answer.status).toBe(200);
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.on('error', () => {});
  await once(idle, 'connect');
  const ended = once(started, 'exit');
  const asked = performance.now();
  started.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - asked).toBeLessThan(250);
  expect(logged.split('\n').filter(Boolean)).toHaveLength(1);
  expect(logged).toMatch(argv.length > 0 ? / main GET \/api\/GiftCard\/List 200 / : /^\{"at":.*"status":200.*\}\n$/);
  expect(logged).not.toContain('not-a-real-key');
  idle.destroy();
});
