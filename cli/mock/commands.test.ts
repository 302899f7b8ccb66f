import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { freePort, runCaptured } from '../../mock/testing/command-fixture.ts';
import { envCommand, statements } from './env.ts';
import { readyCommand } from './ready.ts';

const commands = { ready: readyCommand, env: envCommand };

const run = (name: keyof typeof commands, argv: string[], variables: Record<string, string> = {}) =>
  runCaptured(commands[name], argv, variables);

/** By shell: its program, the flag for a script, and the value of a variable in a script. */
const shells = {
  sh: ['sh', '-c', '"$', '"'],
  bash: ['bash', '-c', '"$', '"'],
  zsh: ['zsh', '-c', '"$', '"'],
  fish: ['fish', '-c', '"$', '"'],
  powershell: ['pwsh', '-Command', '"$env:', '"'],
} as const;

/** Returns the values of the three variables after the shell has evaluated the lines. */
function evaluated(lines: string, shell: keyof typeof shells = 'sh'): string[] {
  const [program, flag, before, after] = shells[shell];
  const names = ['GIFTCARD_BASE_URL', 'GIFTCARD_API_KEY', 'GIFTCARD_SANDBOX_ACCOUNT'];
  const script = lines + names.map((name) => `echo ${before}${name}${after}\n`).join('');
  return spawnSync(program, [flag, script], { encoding: 'utf8' }).stdout.trimEnd().split('\n');
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test('a running mock is ready', async () => {
  await using mock = await startMock();
  expect(await run('ready', ['--url', mock.url])).toEqual({ code: 0, stdout: `The mock at ${mock.url} is ready.\n`, stderr: '' });
  expect(await run('ready', [], { GIFTCARD_SANDBOX_PORT: new URL(mock.url).port })).toMatchObject({ code: 0 });
  expect(await run('ready', ['--url', `${mock.url}/`], { GIFTCARD_SANDBOX_URL: 'http://unused.invalid' })).toMatchObject({
    code: 0,
  });
  for (const [port, sentence] of [
    ['abc', /^GIFTCARD_SANDBOX_PORT must be .*"abc"/],
    ['tcp://10.0.0.1:8460', /^The mock at|127\.0\.0\.1:8460/], // set by Kubernetes, so ignored
  ] as const) {
    const { stdout, stderr } = await run('ready', [], { GIFTCARD_SANDBOX_PORT: port });
    expect(stdout + stderr).toMatch(sentence);
  }
});

test('with its own control port, the commands call that port, and the lines name the service', async () => {
  await using mock = await startMock({ controlPort: 0 });
  const control = mock.controlUrl ?? '';
  expect(await run('ready', ['--url', mock.url])).toMatchObject({ code: 1 });
  expect(await run('ready', ['--url', mock.url, '--control-url', control])).toMatchObject({ code: 0 });
  const { stdout } = await run('env', ['--url', mock.url], { GIFTCARD_SANDBOX_CONTROL_PORT: new URL(control).port });
  expect(evaluated(stdout)).toEqual([mock.url, mock.apiKey, 'main']);
});

test('--json prints whether a mock is ready, with its health or the reason', async () => {
  await using mock = await startMock();
  const { code, stdout } = await run('ready', ['--json', '--url', mock.url]);
  const health = { status: 'ok', version: expect.any(String), seed: mock.seed, accounts: 3, defects: [] };
  expect([code, JSON.parse(stdout)]).toEqual([0, { url: mock.url, ready: true, health }]);
  const url = `http://127.0.0.1:${await freePort()}`;
  const none = await run('ready', ['--json', '--url', url]);
  expect([none.code, JSON.parse(none.stdout)]).toEqual([1, { url, ready: false, reason: none.stderr.trimEnd() }]);
});

test('--wait waits until a mock runs', async () => {
  const port = await freePort();
  const waiting = run('ready', ['--wait', '--url', `http://127.0.0.1:${port}`]);
  await using _ = await startMock({ port });
  expect(await waiting).toMatchObject({ code: 0 });
});

test('without a mock: exit 1 with a sentence, for --wait after the time-out', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  for (const argv of [[], ['--wait', '--timeout', '0']]) {
    const { code, stdout, stderr } = await run('ready', [...argv, '--url', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${url} (ECONNREFUSED)`);
  }
});

test.each([
  ['a mock with a defect', 200, '{"status":"defective","defects":["It broke."]}', /found defects in itself: It broke\.\n$/],
  ['something else', 404, '"Not found"', / returns 404, .*--control-url/],
  [
    'a mock that refuses the host',
    403,
    '{"error":"The control API is not here."}',
    / returns 403, .* The control API is not here/,
  ],
  ['another server with a status', 200, '{"status":"ok"}', /--control-url/],
])('%s is not ready', async (_, status, body, sentence) => {
  const server = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout, stderr } = await run('ready', ['--url', url, '--json']);
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(JSON.parse(stdout).health?.status).toBe(/defects/.test(sentence.source) ? 'defective' : undefined);
  if (!/defects/.test(sentence.source)) expect(await run('env', ['--url', url])).toEqual({ code: 1, stdout: 'false\n', stderr });
});

test('env prints lines for a shell: of the first account, a named one, or a new one', async () => {
  await using mock = await startMock();
  const keys: string[] = [];
  for (const [argv, id] of [
    [[], 'main'],
    [['--account', 'other'], 'other'],
    [['--new'], 'account-4'],
  ] as const) {
    const { code, stdout } = await run('env', [...argv, '--url', mock.url]);
    const [url, key = '', account] = evaluated(stdout);
    expect([code, url, account]).toEqual([0, mock.url, id]);
    const response = await fetch(`${mock.url}/api/Company/Profile`, { headers: { 'x-api-key': key } });
    expect(response.status).toBe(200);
    keys.push(key);
  }
  expect(new Set(keys).size).toBe(3);
});

const odd = `it's ‘a’ "$HOME" \`x\` \\ %PATH%\n2`;

test.each(Object.entries(shells))('env --shell %s quotes a text with quotes and blanks', async (name, [program]) => {
  const shell = name as keyof typeof shells;
  // Debian has no package of PowerShell, so its statement is compared with its documented syntax.
  if (shell === 'powershell') expect(statements.powershell('A', odd)).toBe(`$env:A = 'it''s ‘‘a’’ "$HOME" \`x\` \\ %PATH%\n2'`);
  if (spawnSync(program, ['-c', 'exit']).error) return;
  const key = `it's"$HOME"\`x\`\\`;
  await using mock = await startMock({ world: { accounts: [{ id: 'shop', keys: [{ key, description: 'odd' }] }] } });
  const { code, stdout } = await run('env', ['--url', mock.url, '--shell', shell]);
  expect(code).toBe(0);
  expect(evaluated(stdout, shell)).toEqual([mock.url, key, 'shop']);
  const set = `${statements[shell]('GIFTCARD_SANDBOX_ACCOUNT', odd)}\n`;
  expect(evaluated(stdout + set, shell)).toEqual([mock.url, key, ...odd.split('\n')]);
});

test('env of an unknown account, or of one without a key: exit 1 with a sentence', async () => {
  await using mock = await startMock({
    world: {
      accounts: [
        { id: 'closed', plan: 'Basic' },
        { id: 'keyless', keys: [] },
      ],
    },
  });
  expect(await run('env', ['--url', mock.url, '--account', 'unknown'])).toMatchObject({
    code: 1,
    stdout: 'false\n',
    stderr: expect.stringMatching(/^There is no account unknown\..*\n$/),
  });
  expect(await run('env', ['--url', mock.url, '--account', 'keyless'])).toMatchObject({ code: 1, stdout: 'false\n' });
});

test.each<[keyof typeof commands, string[]]>([
  ['ready', ['--timeout', 'soon']],
  ['ready', ['--tmeout', '1']],
  ['ready', ['--url', 'ftp://127.0.0.1']],
  ['env', ['--url', 'nonsense']],
  ['env', ['--new', '--account', 'main']],
  ['env', ['--shell', 'cmd']],
  ['env', ['positional']],
])('%s %o: one sentence on stderr, and exit 2', async (name, argv) => {
  const { code, stdout, stderr } = await run(name, argv);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^\S.*\.\n$/);
});
