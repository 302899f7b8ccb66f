import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import postman, { type CollectionResult } from 'openapi-to-postmanv2';
import { generate } from 'orval';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractCommand } from '../mock/cli/contract.ts';
import { startMock } from '../mock/index.ts';
import { runCaptured } from '../mock/testing/command-fixture.ts';

/** Other tools read the exported contract: a parser, two generators of TypeScript clients, and a converter for Postman. */

const folder = mkdtempSync(join(tmpdir(), 'generators-'));
const contract = join(folder, 'contract.json');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const { code, stderr } = await runCaptured((_, io) => contractCommand(io), ['export', '--out', contract]);
  expect([code, stderr]).toEqual([0, '']);
});

/** Bundles a generated client and loads it. */
async function loaded(client: string): Promise<Readonly<Record<string, (...input: unknown[]) => Promise<unknown>>>> {
  const outfile = `${client}.mjs`;
  await build({ entryPoints: [client], outfile, bundle: true, format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

test('swagger-parser finds the contract valid', async () => {
  const { paths } = await SwaggerParser.validate(contract);
  expect(paths).toHaveProperty('/api/GiftCard/Create');
});

test('a client of @hey-api/openapi-ts creates a card', async () => {
  const output = join(folder, 'hey-api');
  await createClient({ input: contract, output, logs: { level: 'silent' } });
  const { createGiftCard } = await loaded(join(output, 'sdk.gen.ts'));
  await using mock = await startMock({ port: 0 });
  const body = { balance: 25, code: 'HEY-1' };
  const answer = await createGiftCard?.({ baseUrl: mock.url, auth: mock.apiKey, body });
  expect(answer).toMatchObject({ data: { code: 'HEY-1', balance: 25, status: 'Active' } });
});

test('a client of orval lists the cards', async () => {
  const target = join(folder, 'orval.ts');
  await using mock = await startMock({ port: 0 });
  await generate({ input: contract, output: { target, client: 'fetch', baseUrl: mock.url } });
  const { listGiftCards } = await loaded(target);
  const answer = await listGiftCards?.({ pageSize: 2 }, { headers: { 'x-api-key': mock.apiKey } });
  expect(answer).toMatchObject({ status: 200, data: { giftCards: [expect.anything(), expect.anything()] } });
});

test('openapi-to-postmanv2 writes a collection with every operation', async () => {
  const data = readFileSync(contract, 'utf8');
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
