import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, operationsOf, resolve } from './document.ts';
import contractFile from './generated/contract.json' with { type: 'json' };

const contract = contractFile as unknown as JsonObject;

/** Returns every object of the document with a `content`, and the pointer to the object. */
function* contents(node: unknown, pointer = '#'): Generator<{ pointer: string; content: JsonObject }> {
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'x-rules') continue;
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === 'content' && isObject(value)) yield { pointer: at, content: value };
    else yield* contents(value, at);
  }
}

const media = [...contents(contract)].flatMap(({ pointer, content }) =>
  Object.entries(content).map(([type, value]) => ({
    pointer: `${pointer}/${type.replaceAll('/', '~1')}`,
    media: value as JsonObject,
  })),
);

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract.json');

  test.each(media)('of $pointer fit their schema', ({ pointer, media }) => {
    const fits = ajv.compile({ $ref: `contract.json${encodeURI(pointer)}/schema` });
    const examples = Object.entries((media.examples ?? {}) as JsonObject);
    expect(examples.length, 'at least one example').toBeGreaterThan(0);
    for (const [name, example] of examples) {
      expect(fits(resolve(contract, example).value) || `${name}: ${ajv.errorsText(fits.errors)}`).toBe(true);
    }
  });

  test('would not fit with a wrong value', () => {
    const fits = ajv.compile({ $ref: 'contract.json#/components/schemas/GiftCard' });
    expect(fits({})).toBe(false);
  });

  test('of parameters and headers fit too', () => {
    const parameters = operationsOf(contract).flatMap(({ node }) => (node.parameters ?? []) as JsonObject[]);
    for (const parameter of parameters.map((parameter) => resolve(contract, parameter))) {
      expect(parameter.example, String(parameter.name)).toBeDefined();
      expect(ajv.validate(parameter.schema as JsonObject, parameter.example), String(parameter.name)).toBe(true);
    }
  });
});

describe('refusals', () => {
  test.each(operationsOf(contract))('of $id have one status each', ({ node }) => {
    const codes = Object.values(node.responses as JsonObject).flatMap(
      (response) => resolve(contract, response)['x-refusals'] ?? [],
    );
    expect(codes).toEqual([...new Set(codes as string[])]);
  });

  test.each(operationsOf(contract))('of $id are plain text, on every response but 200', ({ node }) => {
    for (const [status, response] of Object.entries(node.responses as JsonObject)) {
      const { content, 'x-refusals': codes } = resolve(contract, response);
      expect(Object.keys(content as JsonObject)).toEqual([status === '200' ? 'application/json' : 'text/plain']);
      if (status !== '200') expect(codes).not.toHaveLength(0);
    }
  });

  test('have one status in all operations', () => {
    const statuses = new Map<string, Set<string>>();
    const all = [...operationsOf(contract).map(({ node }) => node.responses), contract['x-outside-operations']] as JsonObject[];
    for (const responses of all) {
      for (const [status, response] of Object.entries(responses)) {
        for (const code of (resolve(contract, response)['x-refusals'] ?? []) as string[]) {
          statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
        }
      }
    }
    expect([...statuses].filter(([, found]) => found.size > 1)).toEqual([]);
  });
});

describe('operations', () => {
  test('all return 401 and 429', () => {
    for (const { id, node } of operationsOf(contract))
      expect(Object.keys(node.responses as JsonObject), id).toEqual(expect.arrayContaining(['401', '429']));
  });

  test('each topic has its delivery, and its examples carry the topic', () => {
    const topics = (((contract.components as JsonObject).schemas as JsonObject).WebhookTopic as JsonObject).enum;
    const webhooks = contract.webhooks as JsonObject;
    expect(Object.keys(webhooks)).toEqual(topics);
    for (const [topic, item] of Object.entries(webhooks)) {
      const examples = (
        ((((item as JsonObject).post as JsonObject).requestBody as JsonObject).content as JsonObject)[
          'application/json'
        ] as JsonObject
      ).examples;
      for (const example of Object.values(examples as JsonObject)) {
        expect((resolve(contract, example).value as JsonObject).WebhookTopic).toBe(topic);
      }
    }
  });

  test('the coupons, whose paths are ours, are marked open', () => {
    const coupons = operationsOf(contract).filter(({ path }) => path.startsWith('/api/WebStoreCoupon/'));
    expect(coupons.map(({ node }) => node['x-open'])).toEqual(Array(6).fill(true));
  });
});
