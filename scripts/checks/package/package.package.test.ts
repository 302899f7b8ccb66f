import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** The code of a new user, with the service's own header name and path. */
const usage = `import { type Mock, type MockOptions, startMock, verifySignature, type WorldFile } from 'giftcard-sandbox';
import { createControlClient } from 'giftcard-sandbox/control';
import type { ConformanceOptions } from 'giftcard-sandbox/vitest';

const options: MockOptions = { port: 0, rateLimit: 'off', seed: 1 };
const world: WorldFile | undefined = undefined;
const mock: Mock = await startMock(world ? { ...options, world } : options);
const response: Response = await fetch(\`\${mock.url}/api/Company/Profile\`, { headers: { 'x-api-key': mock.apiKey } });
// @ts-expect-error The port must be a number. The options are not of type any.
const wrong: MockOptions = { port: '8460' };
const forged: boolean = verifySignature('{}', undefined, 'secret');
const control = createControlClient({ url: mock.url });
const { data: account } = await control.POST('/accounts', { body: { id: 'mine' } });
const key: string | null | undefined = account?.apiKey;
// @ts-expect-error An account has no colour. The response is typed.
const colour = account?.colour;
const tested: ConformanceOptions = { target: mock.url, profile: { secondKey: 'other' }, only: ['gift-card.*'] };
// @ts-expect-error A profile has no colour.
const rejected: ConformanceOptions = { profile: { colour: 'red' } };
await mock.close();
console.log(JSON.stringify({ status: response.status, forged, wrong: wrong.port, key, colour, tested: tested.only, rejected: rejected.only }));
`;

/** The folder of a project with the packed package. */
const { folder: project, tarball, installedKilobytes } = inject('packed');

beforeAll(() => writeFileSync(join(project, 'usage.ts'), usage));

describe('the package', () => {
  it('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(1_000_000);
    expect(installedKilobytes).toBeLessThan(20 * 1024);
  });

  it('has an API as in api-report/; "npm run api" writes these files', () => {
    const built = join(root, 'node_modules/.cache/giftcard-sandbox/api-report');
    const reports = join(import.meta.dirname, 'api-report');
    expect(readdirSync(built).sort()).toEqual(readdirSync(reports).sort());
    for (const name of readdirSync(reports))
      expect(readFileSync(join(built, name), 'utf8'), `${name} is stale`).toBe(readFileSync(join(reports, name), 'utf8'));
  });

  it('has its types written by a script without type errors', async () => {
    const { stdout } = await run(process.execPath, [tsc, '-p', join(root, 'scripts/checks/types')]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it.each([
    ['publint', ['publint/src/cli.js', '--strict']],
    ['@arethetypeswrong/cli', ['@arethetypeswrong/cli/dist/index.js', '--no-definitely-typed']],
  ])('has no findings of %s', async (_, [program = '', ...flags]) => {
    const { stdout, code = 0 } = await run(
      process.execPath,
      [join(import.meta.dirname, 'node_modules', program), tarball, ...flags],
      { cwd: root },
    ).catch((error) => error);
    expect([code, stdout]).toEqual([0, expect.any(String)]);
  });
});

describe('the package, installed in an empty project', () => {
  it('works as npx giftcard-sandbox mock, and ends at SIGTERM', async () => {
    const mock = spawn(join(project, 'node_modules/.bin/giftcard-sandbox'), ['mock', '--port', '0'], { cwd: project });
    const ended = new Promise((resolve) => mock.once('exit', resolve));
    const url = await firstLine(mock.stdout);
    const response = await fetch(`${url}/__mock/health`);
    const dashboard = await fetch(`${url}/__mock/ui/dashboard.js`);
    mock.kill('SIGTERM');
    expect([response.status, dashboard.status, await ended]).toEqual([200, 200, 0]);
  });

  it('names the missing package for --state, and uses the package once it is installed', async () => {
    const program = join(project, 'node_modules/.bin/giftcard-sandbox');
    const refused = await run(program, ['mock', '--port', '0', '--state', 'state'], { cwd: project }).catch((error) => error);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('npm install classic-level@3')]);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', 'classic-level@3'], { cwd: project });
  });

  it.each([
    ['nothing is kept', () => []],
    ['its state is kept', () => ['--state', join(project, 'state')]],
  ])('ends while fifty connections are busy, with exit 0: %s', async (_, flags) => {
    const program = join(project, 'node_modules/.bin/giftcard-sandbox');
    const mock = spawn(program, ['mock', '--port', '0', '--quiet', '--rate-limit', 'off', ...flags()], { cwd: project });
    const ended = once(mock, 'exit');
    const url = await firstLine(mock.stdout);
    let created = 0;
    let isBusy = true;
    const headers = { 'x-api-key': 'sandbox-key-main-not-a-real-key' };
    const send = async () => {
      while (isBusy) {
        const response = await fetch(`${url}/api/GiftCard/Create`, { method: 'POST', headers, body: '{"balance": 5}' });
        if (isBusy && response.status === 200) created++;
        await response.text();
      }
    };
    const busy = Array.from({ length: 50 }, () => send().catch(() => undefined));
    while (created < 1000) await setImmediate();
    const killedAt = performance.now();
    mock.kill('SIGTERM');
    isBusy = false;
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - killedAt).toBeLessThan(5_000);
    await Promise.all(busy);
  });

  it('has types, in the strictest of projects, whether or not those of node are there', async () => {
    const strict = { module: 'nodenext', target: 'es2023', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    for (const [name, types] of Object.entries({ bare: { types: [] }, node })) {
      const config = { compilerOptions: { ...strict, ...types, outDir: name }, files: ['usage.ts'] };
      writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify(config));
      const { stdout } = await run(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: project }).catch(
        (error) => error,
      );
      expect(stdout, name).toBe('');
    }
  });

  it('runs as imported', async () => {
    const { stdout } = await run(process.execPath, ['bare/usage.js'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      forged: false,
      wrong: '8460',
      key: 'sandbox-key-mine-not-a-real-key',
      tested: ['gift-card.*'],
    });
  });

  it('checks a server against the specification, and has the schema of what it writes', async () => {
    const out = join(project, 'report');
    const mock = spawn(join(project, 'node_modules/.bin/giftcard-sandbox'), ['mock', '--port', '0', '--rate-limit', 'off'], {
      cwd: project,
    });
    const url = await firstLine(mock.stdout);
    const args = ['conformance', 'run', '--target', url, '--out', out, '--ledger', join(project, 'ledger'), 'gift-card.void.*'];
    const env = { ...process.env, GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key' };
    const { stdout } = await run(join(project, 'node_modules/.bin/giftcard-sandbox'), args, { cwd: project, env });
    mock.kill('SIGTERM');
    expect(stdout).toMatch(/^PASS {2}[1-9]\d* of \d+ stated rules hold · 0 violated/m);
    expect(readdirSync(out).sort()).toEqual(['report.html', 'report.txt', 'results.json']);
    const dist = join(project, 'node_modules/giftcard-sandbox/dist');
    expect(readdirSync(dist)).toContain('results.schema.json');
    expect(readdirSync(join(dist, 'ui')).sort()).toEqual(['dashboard.css', 'dashboard.js', 'report.css', 'report.js']);
  });

  it('learns the behaviors of a server, for a mock that behaves the same', async () => {
    const program = join(project, 'node_modules/.bin/giftcard-sandbox');
    const mock = spawn(program, ['mock', '--port', '0', '--quiet'], { cwd: project });
    const url = await firstLine(mock.stdout);
    const flags = [
      '--target',
      url,
      '--mode',
      'read-only',
      '--ledger',
      join(project, 'learn-ledger'),
      '--quiet',
      'names.company-profile',
    ];
    const env = { ...process.env, GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key' };
    const { stdout } = await run(program, ['conformance', 'learn', ...flags], { cwd: project, env });
    mock.kill('SIGTERM');
    expect(stdout).toContain('variant.yaml');
    const contract = await run(program, ['contract', 'export', '--variant', 'variant.yaml'], { cwd: project });
    expect(JSON.parse(contract.stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  });

  it('compares two servers', async () => {
    const program = join(project, 'node_modules/.bin/giftcard-sandbox');
    const mocks = [0, 1].map(() => spawn(program, ['mock', '--port', '0', '--rate-limit', 'off'], { cwd: project }));
    const [a = '', b = ''] = await Promise.all(mocks.map(({ stdout }) => firstLine(stdout)));
    const env = { ...process.env, GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key', XDG_STATE_HOME: join(project, 'state') };
    const args = ['conformance', 'compare', a, b, '--quiet', 'gift-card.void.by-code-voids'];
    const { stdout } = await run(program, args, { cwd: project, env });
    for (const mock of mocks) mock.kill('SIGTERM');
    expect(stdout).toMatch(/1 of 1 rule/);
  });

  it('watches what passes to a server, and ends at SIGTERM with what it has seen', async () => {
    const program = join(project, 'node_modules/.bin/giftcard-sandbox');
    const mock = spawn(program, ['mock', '--port', '0'], { cwd: project });
    const proxy = spawn(program, ['proxy', '--target', await firstLine(mock.stdout)], { cwd: project });
    const [, url] = /^Forwarding (\S+)/.exec(await firstLine(proxy.stderr)) ?? [];
    await fetch(`${url}/api/Company/Profile`, { headers: { 'x-api-key': 'sandbox-key-main-not-a-real-key' } }).then((response) =>
      response.text(),
    );
    const ended = once(proxy, 'exit');
    proxy.kill('SIGTERM');
    const outputText = await new Response(Readable.toWeb(proxy.stdout) as ReadableStream).text();
    mock.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(outputText).toMatch(/[1-9]\d* stated rules held/);
  });

  it('hands out the contract', async () => {
    const code = `import contract from 'giftcard-sandbox/openapi.json' with { type: 'json' }; console.log(contract.openapi)`;
    const { stdout } = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], { cwd: project });
    expect(stdout).toMatch(/^3\.1\./);
  });
});

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error('The mock ended before it printed its address.');
}
