import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { CollectionResult } from 'openapi-to-postmanv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../../conformance/core/rule.ts';
import '../../../conformance/rules/index.ts';
import '../../../conformance/questions/index.ts';
import { contractCommand } from '../../../cli/mock/contract.ts';
import { runRules } from '../../../conformance/core/run.ts';
import { type Mock, startMock } from '../../../mock/index.ts';
import { runCaptured } from '../../../mock/testing/command-fixture.ts';
import { isObject, type JsonObject, operationsOf, resolve } from '../../../openapi/document.ts';
import contractFile from '../../../openapi/generated/contract.json' with { type: 'json' };
import { installTools } from '../../tools.ts';

/** Other tools read the contract: a linter, a parser, two generators of TypeScript clients, a converter for Postman, and Prism. */

installTools(import.meta.dirname);
const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
const { createClient } = await import('@hey-api/openapi-ts');
const { default: postman } = await import('openapi-to-postmanv2');
const { generate } = await import('orval');

const root = join(import.meta.dirname, '../../..');
const contract = contractFile as unknown as JsonObject;
const bundled = join(root, 'openapi/generated/contract.json');
const folder = mkdtempSync(join(tmpdir(), 'contract-tools-'));
/** The contract as users get it. */
const exported = join(folder, 'contract.json');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const { code, stderr } = await runCaptured((_, io) => contractCommand(io), ['export', '--out', exported]);
  expect([code, stderr]).toEqual([0, '']);
});

/** Runs a program of node in the root folder. */
async function ran(...argv: string[]): Promise<{ code: number; stdout: string }> {
  const { code = 0, stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root }).catch((error) => error);
  return { code, stdout };
}

test('this folder has no type errors', async () => {
  const { stdout } = await ran('node_modules/typescript/bin/tsc', '-p', import.meta.dirname);
  expect(stdout).toBe('');
});

describe('Spectral', () => {
  const spectral = join(import.meta.dirname, 'node_modules/@stoplight/spectral-cli/dist/index.js');
  const lint = (...files: string[]) =>
    ran(spectral, 'lint', ...files, '--ruleset', join(import.meta.dirname, 'spectral.yaml'), '--fail-severity=warn');

  test('has no findings in the contract', async () => {
    const { code, stdout } = await lint('openapi/openapi.yaml', bundled);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No results')]);
  });

  test('has a finding in an operation without tags', async () => {
    const wrong = join(folder, 'wrong.json');
    const paths = { '/x': { get: { operationId: 'x' } } };
    writeFileSync(wrong, JSON.stringify({ ...contract, paths }));
    const { code, stdout } = await lint(wrong);
    expect([code, stdout]).toEqual([1, expect.stringContaining('operation-tags')]);
  });
});

/** Bundles a generated client and loads it. */
async function loaded(client: string): Promise<Readonly<Record<string, (...input: unknown[]) => Promise<unknown>>>> {
  const outfile = `${client}.mjs`;
  await build({ entryPoints: [client], outfile, bundle: true, format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

test('swagger-parser finds the contract valid', async () => {
  const { paths } = await SwaggerParser.validate(exported);
  expect(paths).toHaveProperty('/api/GiftCard/Create');
});

test('a client of @hey-api/openapi-ts creates a card', async () => {
  const output = join(folder, 'hey-api');
  await createClient({ input: exported, output, logs: { level: 'silent' } });
  const { createGiftCard } = await loaded(join(output, 'sdk.gen.ts'));
  await using mock = await startMock({ port: 0 });
  const body = { balance: 25, code: 'HEY-1' };
  const response = await createGiftCard?.({ baseUrl: mock.url, auth: mock.apiKey, body });
  expect(response).toMatchObject({ data: { code: 'HEY-1', balance: 25, status: 'Active' } });
});

test('a client of orval lists the cards', async () => {
  const target = join(folder, 'orval.ts');
  await using mock = await startMock({ port: 0 });
  await generate({ input: exported, output: { target, client: 'fetch', baseUrl: mock.url } });
  const { listGiftCards } = await loaded(target);
  const response = await listGiftCards?.({ pageSize: 2 }, { headers: { 'x-api-key': mock.apiKey } });
  expect(response).toMatchObject({ status: 200, data: { giftCards: [expect.anything(), expect.anything()] } });
});

test('openapi-to-postmanv2 writes a collection with every operation', async () => {
  const data = readFileSync(exported, 'utf8');
  const converted = await new Promise<CollectionResult | undefined>((resolve, reject) =>
    postman.convertV2({ type: 'string', data }, {}, (error, value) => (error ? reject(error) : resolve(value))),
  );
  expect(converted?.result).toBe(true);
  const collection = JSON.stringify(converted?.output?.[0]?.data);
  expect(collection).toContain('http://127.0.0.1:8460');
  for (const path of Object.keys(JSON.parse(data).paths))
    expect(collection).toContain(
      path
        .replace(/\/\{.*/, '')
        .split('/')
        .at(-1),
    );
});

interface PrismResponse {
  status: number;
  data: unknown;
  violations: { input: unknown[]; output: unknown[] };
}
interface Prism {
  getHttpOperationsFromSpec(file: string): Promise<{ iid?: string; method: string; path: string }[]>;
  createClientFromOperations(
    operations: unknown[],
    config: Record<string, unknown>,
  ): { request(url: string, input: Record<string, unknown>): Promise<PrismResponse> };
}

// Prism's library is a dependency of Prism's command. The test loads the library from the folder of the command.
const load = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli'));
const prism = { ...load('@stoplight/prism-http'), ...load('@stoplight/prism-http/dist/client') } as Prism;
const operations = await prism.getHttpOperationsFromSpec(bundled);
const silent = { trace() {}, debug() {}, info() {}, success() {}, warn() {}, error() {}, fatal() {}, child: () => silent };
const client = prism.createClientFromOperations(operations, {
  mock: { dynamic: false },
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
  logger: silent,
});

describe('Prism', () => {
  test('finds every operation of the contract', () => {
    const found = operations.map(({ method, path }) => `${method} ${path}`).sort();
    expect(found).toEqual(
      operationsOf(contract)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  test.each(operationsOf(contract))('returns the first example of $id', async ({ method, path, node }) => {
    const parameters = ((node.parameters ?? []) as JsonObject[]).map((parameter) => resolve(contract, parameter));
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const url = inPath.reduce(
      (address, { name, example }) => address.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
    const query = new URLSearchParams(Object.fromEntries(inQuery.map(({ name, example }) => [String(name), String(example)])));
    const response = await client.request(inQuery.length > 0 ? `${url}?${query}` : url, {
      method,
      headers: { 'x-api-key': 'key', 'content-type': 'application/json', accept: 'application/json' },
      body: firstExample(node.requestBody),
    });
    expect(response.violations).toEqual({ input: [], output: [] });
    expect(response.status).toBe(200);
    const data = typeof response.data === 'string' ? JSON.parse(response.data) : response.data;
    expect(data).toEqual(firstExample((node.responses as JsonObject)['200']));
  });

  test('requires a key', async () => {
    const response = await client.request('/api/Company/Profile', { method: 'get', headers: {} });
    expect(response.status).toBe(401);
  });
});

function firstExample(holder: unknown): unknown {
  if (!isObject(holder)) return undefined;
  const media = (resolve(contract, holder).content as JsonObject)['application/json'] as JsonObject;
  return resolve(contract, Object.values(media.examples as JsonObject)[0]).value;
}

describe('Prism as a proxy', () => {
  /** Prism knows only the contract. As a proxy between the suite and the mock, it checks every response. */
  let mock: Mock;
  let prism: ChildProcess;
  let proxyUrl: string;

  beforeAll(async () => {
    mock = await startMock({ rateLimit: 'off', seed: 1 });
    const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
    const argv = [command, 'proxy', bundled, mock.url, '--port', '0', '--host', '127.0.0.1'];
    prism = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, FORCE_COLOR: '0' } });
    proxyUrl = await new Promise((resolve, reject) => {
      prism.once('exit', (code) => reject(new Error(`Prism ended with ${code} before it listened.`)));
      createInterface({ input: prism.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (url && line.includes('listening')) resolve(url);
      });
    });
  });

  afterAll(async () => {
    prism.kill();
    await mock.close();
  });

  test('with Prism between suite and mock, no response and no accepted request violates the contract', {
    timeout: 60_000,
  }, async () => {
    const violations: string[] = [];
    let responses = 0;
    let badRequestsSeen = 0;
    const result = await runRules({
      target: {
        url: proxyUrl,
        key: mock.apiKey,
        profile: { noRateLimit: true },
        fetch: async (request, { odd }) => {
          const response = await fetch(request);
          responses++;
          const found = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
          for (const { location, message } of found) {
            const ours = location[0] === 'response' || response.status === 200;
            if (odd) continue;
            if (ours) violations.push(`${request.method} ${request.url} ${response.status}: ${location.join('/')} ${message}`);
            else badRequestsSeen++;
          }
          return response;
        },
      },
      // Prism crashes at a path with an invalid escape.
      names: checks().flatMap(({ name, inputs }) =>
        inputs || name === 'errors.malformed-input-is-no-server-fault' ? [] : [name],
      ),
      checks: checks(),
    });
    expect(violations).toEqual([]);
    // The suite also sends bad requests. Their reports prove that Prism checks the traffic.
    expect(badRequestsSeen).toBeGreaterThan(5);
    expect(responses).toBeGreaterThan(100);
    expect(result.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(result.cards.left).toEqual([]);
  });
});
