import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import diff from 'microdiff';
import { expect, test } from 'vitest';
import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf, resolve } from '../../../openapi/document.ts';
import { standardDocument } from '../../../openapi/effective/behaviors.ts';
import controlDocument from '../../control/generated/control.json' with { type: 'json' };
import { type Mock, startMock } from '../../index.ts';

/** Sends extreme values for every property of every request body. The mock must be able to restore each state that it accepts. */

const numbers = [0, 1, -1, 0.01, 100, 599, 600, 999, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e18, 1e21, 1e300, -1e300];
const texts = ['', ' ', 'A', 'main', 'é😀', '\ud800', 'x'.repeat(70_000), '<b>', '5', 'null', 'giftcard/updated'];
const times = ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00', '9999-12-31T23:59:59.999Z', '2030-06-01T12:00:00+14:00'];
const addresses = ['ada@example.com', 'http://127.0.0.1:1/', 'https://a.example/?token=x', 'Europe/Lisbon', 'JPY', 'P30D', '10s'];

type Request = readonly [method: string, path: string, body: Json];

function requestsOf(document: JsonObject, prefix: string): fc.Arbitrary<Request>[] {
  const skipped = /Snapshot|reset|removeAccount/i;
  return operationsOf(document).flatMap(({ id, method, path, node }) => {
    if (skipped.test(id) || method === 'get') return [];
    const parameters = ((node.parameters ?? []) as Json[]).map((each) => resolve(document, each));
    const place = parameters
      .filter((each) => each.in === 'path')
      .reduce((whole, { name }) => whole.replace(`{${name}}`, name === 'account' ? 'main' : 'ACTIVE-0001'), path);
    const body = valuesOf(document, bodySchemaOf(document, node.requestBody), 4);
    return [body.map((value): Request => [method.toUpperCase(), prefix + place, value])];
  });
}

/** Returns values that follow the schema in part, so that many of them are accepted. */
function valuesOf(document: JsonObject, schema: Json | undefined, depth: number): fc.Arbitrary<Json> {
  if (schema === undefined || depth === 0) return fc.constant(null);
  const node = isObject(schema) ? resolve(document, schema) : {};
  if (Array.isArray(node.enum)) return fc.constantFrom(...(node.enum as Json[]));
  const choices = (node.anyOf ?? node.oneOf ?? node.allOf ?? []) as Json[];
  if (choices.length > 0) return fc.oneof(...choices.map((each) => valuesOf(document, each, depth)));
  if (isObject(node.properties)) {
    const required = (node.required ?? []) as string[];
    const properties: Record<string, fc.Arbitrary<Json>> = {};
    for (const [name, inner] of Object.entries(node.properties)) properties[name] = valuesOf(document, inner, depth - 1);
    return fc.record(properties, { requiredKeys: required });
  }
  const types = [node.type ?? ['string', 'number', 'boolean', 'null']].flat();
  return fc.oneof(
    ...types.map((type): fc.Arbitrary<Json> => {
      if (type === 'integer' || type === 'number') return fc.constantFrom(...numbers);
      if (type === 'boolean') return fc.boolean();
      if (type === 'array') return fc.array(valuesOf(document, node.items, depth - 1), { maxLength: 2 });
      if (type === 'string') return fc.constantFrom(...texts, ...times, ...addresses);
      return fc.constant(null);
    }),
  );
}

const request = fc.oneof(...requestsOf(controlDocument as unknown as JsonObject, '/__mock'), ...requestsOf(standardDocument, ''));

async function send(mock: Mock, [method, path, body]: Request): Promise<number> {
  const init = body === null ? {} : { body: JSON.stringify(body) };
  const { status } = await mock.fetch(path, { method, headers: { 'x-api-key': 'k' }, ...init });
  return status;
}

/** Returns the snapshot without the properties that change with the real time. */
function stable(snapshot: unknown): object {
  const moving = new Set(['takenAtUtc', 'now', 'age', 'milliseconds']);
  return JSON.parse(JSON.stringify(snapshot, (name, each) => (moving.has(name) ? null : each)));
}

const world = {
  accounts: [{ id: 'main', keys: [{ key: 'k' }], channels: [{ id: 'main' }], cards: [{ code: 'ACTIVE-0001' }] }],
};

test('the mock restores every state that it accepts', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
      const state = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
      const mock = await startMock({ listen: false, rateLimit: 'off', world, state });
      try {
        for (const each of requests) {
          const status = await send(mock, each);
          if (status < 300) accepted++;
          expect(status).not.toBe(500);
        }
        await mock.settled();
        const before = await mock.snapshot();
        await mock.restore(before);
        expect(diff(stable(before), stable(await mock.snapshot()))).toEqual([]);
        const last = await mock.snapshot();
        await mock.close();
        await using again = await startMock({ listen: false, rateLimit: 'off', state });
        expect(diff(stable(last), stable(await again.snapshot()))).toEqual([]);
      } finally {
        await mock.close();
        rmSync(state, { recursive: true });
      }
    }),
    { numRuns: 100 },
  );
  expect(accepted).toBeGreaterThan(50);
});
