import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, operationsOf, resolve } from './document.ts';
import contractFile from './generated/contract.json' with { type: 'json' };

const contract = contractFile as unknown as JsonObject;

interface PrismAnswer {
  status: number;
  data: unknown;
  violations: { input: unknown[]; output: unknown[] };
}
interface Prism {
  getHttpOperationsFromSpec(file: string): Promise<{ iid?: string; method: string; path: string }[]>;
  createClientFromOperations(
    operations: unknown[],
    config: Record<string, unknown>,
  ): { request(url: string, input: Record<string, unknown>): Promise<PrismAnswer> };
}

// Prism's library is a dependency of Prism's command. The test loads the library from the folder of the command.
const load = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli'));
const prism = { ...load('@stoplight/prism-http'), ...load('@stoplight/prism-http/dist/client') } as Prism;
const file = fileURLToPath(new URL('./generated/contract.json', import.meta.url));
const operations = await prism.getHttpOperationsFromSpec(file);
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

  test.each(operationsOf(contract))('answers $id with its first example', async ({ method, path, node }) => {
    const parameters = ((node.parameters ?? []) as JsonObject[]).map((parameter) => resolve(contract, parameter));
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const url = inPath.reduce(
      (address, { name, example }) => address.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
    const query = new URLSearchParams(Object.fromEntries(inQuery.map(({ name, example }) => [String(name), String(example)])));
    const answer = await client.request(inQuery.length > 0 ? `${url}?${query}` : url, {
      method,
      headers: { 'x-api-key': 'key', 'content-type': 'application/json', accept: 'application/json' },
      body: firstExample(node.requestBody),
    });
    expect(answer.violations).toEqual({ input: [], output: [] });
    expect(answer.status).toBe(200);
    const data = typeof answer.data === 'string' ? JSON.parse(answer.data) : answer.data;
    expect(data).toEqual(firstExample((node.responses as JsonObject)['200']));
  });

  test('asks for a key', async () => {
    const answer = await client.request('/api/Company/Profile', { method: 'get', headers: {} });
    expect(answer.status).toBe(401);
  });
});

function firstExample(holder: unknown): unknown {
  if (!isObject(holder)) return undefined;
  const media = (resolve(contract, holder).content as JsonObject)['application/json'] as JsonObject;
  return resolve(contract, Object.values(media.examples as JsonObject)[0]).value;
}
