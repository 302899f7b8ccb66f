import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';

/** What a project without flags does with the packed package: `init`, and the example that `init` writes, in each test runner. */

const { modules } = inject('packed');
const cli = join(modules, 'giftcard-sandbox/dist/cli.js');

/** Creates a project with these files, and returns a function that runs a script of node in it. */
function project(files: Readonly<Record<string, string | object>>) {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-runner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(modules, join(folder, 'node_modules'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const { NODE_OPTIONS, VITEST, VITEST_MODE, JEST_WORKER_ID, NODE_ENV, TEST, ...env } = process.env;
  const run = (...argv: string[]) =>
    new Promise<{ readonly code: number; readonly output: string }>((done) => {
      const child = execFile(process.execPath, argv, { cwd: folder, env: { ...env, NO_COLOR: '1' } }, (_, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  return { folder, run };
}

const jest = [join(modules, 'jest/bin/jest.js'), '--ci'];
const ts = { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] };

test.each<[name: string, files: Record<string, object>, written: string[], argv: string[], passed: RegExp]>([
  [
    'vitest',
    { 'package.json': { type: 'module', devDependencies: { vitest: '4', 'giftcard-sandbox': '*' } } },
    ['gift-cards.test.js', 'vitest.config.mjs'],
    [join(modules, 'vitest/vitest.mjs'), 'run'],
    /Tests +1 passed/,
  ],
  [
    'vitest with TypeScript in a CommonJS project',
    { 'package.json': { devDependencies: { vitest: '4' } }, 'tsconfig.json': { compilerOptions: ts } },
    ['gift-cards.test.mts', 'vitest.config.mjs'],
    [join(modules, 'vitest/vitest.mjs'), 'run'],
    /Tests +1 passed/,
  ],
  [
    'Jest in a CommonJS project',
    { 'package.json': { devDependencies: { jest: '30' } } },
    ['gift-cards.test.js', 'jest.config.cjs'],
    jest,
    /Tests: +1 passed/,
  ],
  [
    'Jest in a project of ES modules',
    { 'package.json': { type: 'module', devDependencies: { jest: '30' } } },
    ['gift-cards.test.cjs', 'jest.config.cjs'],
    jest,
    /Tests: +1 passed/,
  ],
  [
    'ts-jest',
    {
      'package.json': { devDependencies: { jest: '30', 'ts-jest': '29', typescript: '5' } },
      'tsconfig.json': { compilerOptions: { ...ts, module: 'commonjs', esModuleInterop: true } },
    },
    ['gift-cards.test.ts', 'jest.config.cjs'],
    jest,
    /Tests: +1 passed/,
  ],
  ['node:test', { 'package.json': {} }, ['gift-cards.test.mjs'], ['--test'], /^# pass 1$/m],
  [
    'Playwright in a CommonJS project',
    { 'package.json': { devDependencies: { '@playwright/test': '1' } } },
    ['gift-cards.spec.ts'],
    [join(modules, '@playwright/test/cli.js'), 'test'],
    /1 passed/,
  ],
  [
    'Playwright in a project of ES modules',
    { 'package.json': { type: 'module', devDependencies: { '@playwright/test': '1' } } },
    ['gift-cards.spec.ts'],
    [join(modules, '@playwright/test/cli.js'), 'test'],
    /1 passed/,
  ],
])('init writes an example that passes: %s', async (_, files, written, argv, passed) => {
  const { folder, run } = project(files);
  const { code, output } = await run(cli, 'init');
  expect([code, output]).toEqual([0, expect.stringMatching(/Run the example: /)]);
  expect(readdirSync(folder).sort()).toEqual([...Object.keys(files), 'node_modules', ...written].sort());
  const example = await run(...argv);
  expect([example.code, example.output]).toEqual([0, expect.stringMatching(passed)]);
});

test('inside Jest: the same classes, dates of the test, and fake timers that do not stop the sandbox', async () => {
  const text = `const { SandboxError, startMock, verifySignature } = require('giftcard-sandbox');
const { connectSandbox } = require('giftcard-sandbox/control');

test('a sandbox', async () => {
  jest.useFakeTimers();
  const mock = await startMock();
  const account = await connectSandbox(mock).createAccount();
  await expect(account.merchant.card('NONE')).rejects.toThrow(SandboxError);
  await account.clock.advance({ to: new Date(Date.now() + 86_400_000) });
  await account.fetch('/api/GiftCard/Create', { method: 'POST', body: '{"balance": 5, "code": "A"}' });
  expect(await account.suppressed.waitFor({ what: 'email' }, { timeout: 1000 })).toMatchObject({ code: 'A' });
  expect(await account.outbox.list()).toEqual([]);
  expect(verifySignature(Buffer.from('{}'), undefined, 'token')).toBe(false);
  await mock.close();
});
`;
  const { run } = project({ 'package.json': {}, 'one.test.js': text, 'two.test.js': text });
  const { code, output } = await run(...jest);
  expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +2 passed/)]);
});

test('the files of a run share one sandbox', async () => {
  const text = `const { testSandbox } = require('giftcard-sandbox/jest');
test('one sandbox', async () => {
  await testSandbox().createAccount({ id: require('node:path').basename(__filename).split('.')[0] });
  console.error(testSandbox().url, process.pid);
});
`;
  const config = `module.exports = { globalSetup: 'giftcard-sandbox/jest', globalTeardown: 'giftcard-sandbox/jest/teardown' };`;
  const { run } = project({ 'package.json': {}, 'jest.config.js': config, 'one.test.js': text, 'two.test.js': text });
  const { code, output } = await run(...jest, '--maxWorkers', '2');
  expect(code, output).toBe(0);
  const urls = Array.from(output.matchAll(/(http:\/\/127\.0\.0\.1:\d+) \d+/g), ([, url]) => url);
  expect([urls.length, new Set(urls).size]).toEqual([2, 1]);
  await expect(fetch(`${urls[0]}/__mock/health`)).rejects.toThrow('fetch failed');
});

test('require and import load the same module', async () => {
  const text = `const required = require('giftcard-sandbox');
import('giftcard-sandbox').then(async (imported) => {
  const mock = await required.startMock({ listen: false });
  const error = await mock.getAccount('none').catch((error) => error);
  console.log(imported.SandboxError === required.SandboxError, error instanceof imported.SandboxError);
});
`;
  const { run } = project({ 'package.json': {}, 'main.cjs': text });
  expect(await run('main.cjs')).toEqual({ code: 0, output: 'true true\n' });
});

test('a strict CommonJS project compiles with every entry', async () => {
  const text = `import { startMock, type Card, type Delivery, type Email, type paths, type Sandbox } from 'giftcard-sandbox';
import { connectSandbox } from 'giftcard-sandbox/control';
import setup, { testAccount } from 'giftcard-sandbox/jest';
import teardown from 'giftcard-sandbox/jest/teardown';
import { test as playwright } from 'giftcard-sandbox/playwright';
import { setupSandbox } from 'giftcard-sandbox/vitest/setup';
import createClient from 'openapi-fetch';

export async function use(own: boolean): Promise<void> {
  const sandbox: Sandbox = own ? await startMock() : connectSandbox({ url: 'http://127.0.0.1:8460' });
  const account = await sandbox.createAccount({ name: 'Shop' }, { ttl: '10m' });
  const card: Card = await account.merchant.card('A');
  const balance: number = card.giftCard.balance;
  const email: Email = await account.outbox.waitFor({ to: 'ann@example.com' }, { timeout: 500 });
  const delivery: Delivery = await account.deliveries.waitFor({ topic: 'giftcard/voided' }, { timeout: '5s' });
  const client = createClient<paths>({ baseUrl: account.url, headers: { 'x-api-key': account.apiKey } });
  const { data } = await client.GET('/api/GiftCard/GetByCode/{code}', { params: { path: { code: 'A' } } });
  // @ts-expect-error A card has no colour.
  console.log(data?.colour);
  console.log(balance, email.text, delivery.state, setup, teardown, playwright, setupSandbox({ rateLimit: 'off' }), testAccount);
}
`;
  const { run, folder } = project({ 'package.json': {}, 'main.ts': text });
  mkdirSync(join(folder, 'out'));
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['commonjs', 'node10'],
  ] as const) {
    const flags = ['--module', module, '--moduleResolution', resolution, '--strict', '--target', 'es2023', '--types', 'node'];
    const { code, output } = await run(
      join(modules, 'typescript/bin/tsc'),
      ...flags,
      '--esModuleInterop',
      '--outDir',
      'out',
      'main.ts',
    );
    expect([code, output], module).toEqual([0, '']);
  }
});
