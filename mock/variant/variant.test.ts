import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Override } from '../../openapi/effective/overrides.ts';
import { checkVariant, readVariant, type VariantFile } from '../../openapi/effective/variant.ts';
import variantSchema from '../../openapi/generated/variant.schema.json' with { type: 'json' };
import { startMock } from '../index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'variant-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'variant.yaml');
  writeFileSync(path, text);
  return path;
}

function problemsOf(given: unknown): readonly string[] {
  try {
    checkVariant(given);
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
  return [];
}

const follows = new Ajv2020({ strict: false }).compile(variantSchema);

describe('a variant', () => {
  test.each([
    [{}],
    [{ behaviors: { 'gift-card.void.body': 'true' } }],
    [{ behaviors: { 'adjustment.by-id.overdraw-status': 409, 'gift-card.void.body': true } }],
    [{ overrides: [{ rename: 'GiftCard.initialValue', to: 'originalValue' }] }],
    [{ overrides: [{ wrap: 'listWebhooks', in: 'data.webhooks' }] }],
    [
      {
        overrides: [{ status: 'voidGiftCardById', to: 204 }],
      },
    ],
  ])('%j can be used, and the published schema says so', (given) => {
    expect(problemsOf(given)).toEqual([]);
    expect(follows(given)).toBe(true);
  });

  test.each([
    ['text', 'the variant: the content must be an object, got "text".'],
    [{ accounts: [] }, 'the variant: "accounts" is not known; a variant file has behaviors and overrides.'],
    [{ behaviors: [] }, 'the variant: behaviors must be an object.'],
    [
      { behaviors: { 'http.head': 'like-get' } },
      'the variant: http.head has no options: HEAD returns the status and headers of GET.',
    ],
    [
      { behaviors: { 'gift-crd.void.body': 'true' } },
      'the variant: gift-crd.void.body is not a question. Did you mean "gift-card.void.body"?',
    ],
    ...['toString', 'constructor', 'hasOwnProperty'].map((name): [object, string] => [
      { behaviors: { [name]: 'true' } },
      `the variant: ${name} is not a question. GET /__mock/behaviors and conformance list show the questions with their options.`,
    ]),
    [
      JSON.parse('{"behaviors":{"__proto__":"true"}}'),
      'the variant: __proto__ is not a question. GET /__mock/behaviors and conformance list show the questions with their options.',
    ],
    [
      { behaviors: { 'gift-card.void.body': 'nothing' } },
      'the variant: gift-card.void.body must be one of the-card, true, empty, got "nothing".',
    ],
    [{ behaviors: { 'company.profile-succeeds': 'yes' } }, 'the variant: company.profile-succeeds has no options.'],
  ])('%j is rejected, and the published schema rejects it', (given, sentence) => {
    expect(problemsOf(given)).toEqual([sentence]);
    expect(follows(given)).toBe(false);
  });

  test.each<[unknown, RegExp]>([
    [{}, /^the variant: overrides .*array/],
    [[{ rename: 'GiftCard.code' }], /override 1: "to" is missing/],
    [[{ status: 'adjustment.overdraw', to: 42 }], /override 1: to must be at least .*42/],
    [[{ status: 'getGiftCardByCode', to: 404 }], /override 1: to must be at most 299, got 404/],
    [[{ status: 'gift-card.not-found', to: 304 }], /override 1: to must be at least 400, got 304/],
    [[{ delete: 'GiftCard.code', to: 'x' }], /override 1: "delete" is not a known property/],
    [[{ renam: 'GiftCard.code', to: 'x' }], /override 1: "renam" is not a known property\. Did you mean "rename"\?$/],
    [[{ rename: 'GiftCard.code', in: 'x' }], /override 1: (?!.*Did you mean)/],
    [[{ to: 'x', in: 'y' }], /override 1: .*wrap/],
    [[{ rename: 'GiftCard.colour', to: 'color' }], /override 1: .*"GiftCard\.colour"/],
    [[{ rename: 'GiftCard.cod', to: 'x' }], /Did you mean "GiftCard\.code"/],
    [[{ rename: 'GiftCard.toString', to: 'x' }], /override 1: .*"GiftCard\.toString"/],
    [[{ required: 'getGiftCardById.id', to: false }], /override 1: .*"getGiftCardById\.id"/],
    [[{ move: 'GiftCard.code', to: 'a.__proto__.b' }], /override 1: .*"a\.__proto__\.b"/],
  ])('the overrides %j are rejected, and the published schema rejects them', (overrides, sentence) => {
    expect(problemsOf({ overrides })[0]).toMatch(sentence);
    expect(follows({ overrides })).toBe(false);
  });

  test.each<[Override[], RegExp]>([
    [[{ body: 'listWebhooks', to: { hook: { $schema: 'GiftCard' } } }], /listWebhooks has no part that is GiftCard/],
    [
      [
        { rename: 'GiftCard.notes', to: 'remarks' },
        { rename: 'GiftCard.notes', to: 'comment' },
      ],
      /place of GiftCard\.notes is "remarks" by override 1 and "comment" by override 2/,
    ],
    [
      [
        { move: 'GiftCard.notes', to: 'text.notes' },
        { rename: 'GiftCard.notes', to: 'remarks' },
      ],
      /place of GiftCard\.notes is "text\.notes" by override 1 and "remarks" by override 2/,
    ],
    [[{ rename: 'GiftCard.notes', to: 'code' }], /GiftCard would have code and notes at one place, code/],
    [
      [
        { rename: 'GiftCard.giftMessage', to: 'text' },
        { move: 'GiftCard.notes', to: 'text.gift' },
      ],
      /GiftCard would have giftMessage and notes at one place/,
    ],
  ])('the overrides %j contradict each other or the contract', (overrides, sentence) => {
    const problems = problemsOf({ overrides });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  test('an override that contradicts an option names both', () => {
    const behaviors = { 'adjustment.by-id.overdraw-status': '409' };
    const [problem] = problemsOf({ behaviors, overrides: [{ status: 'adjustment.overdraw', to: 422 }] });
    expect(problem).toMatch(/409 by adjustment\.by-id\.overdraw-status: 409 and 422 by override 1/);
  });

  test('what a later file says wins', async () => {
    const [first, second] = ['first.yaml', 'second.yaml'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(
      first,
      'behaviors: { gift-card.void.body: empty }\noverrides: [{ rename: GiftCard.notes, to: one }, { status: createGiftCard, to: 201 }]',
    );
    writeFileSync(second, 'behaviors: { gift-card.void.body: "true" }\noverrides: [{ move: GiftCard.notes, to: text.notes }]');
    expect(await readVariant([first, second])).toEqual({
      behaviors: { 'gift-card.void.body': 'true' },
      overrides: [
        { status: 'createGiftCard', to: 201 },
        { move: 'GiftCard.notes', to: 'text.notes' },
      ],
    });
  });
});

describe('a mock with a variant', () => {
  const key = (mock: { apiKey: string }) => ({ headers: { 'x-api-key': mock.apiKey } });

  test('from a file applies to unknown callers and to accounts made later, too', async () => {
    const variant = fileOf(
      'behaviors:\n  adjustment.by-id.overdraw-status: 409\n  errors.body-of-401: json-message\noverrides:\n  - { rename: CompanyProfile.website, to: homepage }\n',
    );
    await using mock = await startMock({ listen: false, variant });
    const unknown = await mock.fetch('/api/Company/Profile');
    expect([unknown.status, await unknown.json()]).toEqual([401, { message: 'The x-api-key header is missing.' }]);
    const made = (await (await mock.fetch('/__mock/accounts', { method: 'POST' })).json()) as { keys: { key: string }[] };
    for (const headers of [key(mock), { headers: { 'x-api-key': made.keys[0]?.key ?? '' } }])
      expect(await (await mock.fetch('/api/Company/Profile', headers)).json()).toHaveProperty('homepage');
    expect(mock.variant).toEqual({ differing: 2, overrides: 1 });
  });

  test('rejects a file that cannot be read with a VariantError', async () => {
    for (const variant of [join(folder, 'nowhere.yaml'), fileOf('behaviors: [')])
      await expect(startMock({ listen: false, variant })).rejects.toMatchObject({ name: 'VariantError' });
  });

  test('changes requests, responses, the document and its types', async () => {
    const overrides = [
      { rename: 'CreateGiftCardRequest.balance', to: 'openingBalance' },
      { move: 'GiftCard.customField1', to: 'references.first' },
      { wrap: 'getGiftCardByCode', in: 'data.card' },
      { status: 'createGiftCard', to: 201 },
    ] satisfies VariantFile['overrides'];
    await using mock = await startMock({ listen: false, variant: { overrides } });
    const body = JSON.stringify({ openingBalance: 20, code: 'A', customField1: 'order 7' });
    const made = await mock.fetch('/api/GiftCard/Create', { ...key(mock), method: 'POST', body });
    expect([made.status, await made.json()]).toMatchObject([201, { balance: 20, references: { first: 'order 7' } }]);
    const old = await mock.fetch('/api/GiftCard/Create', { ...key(mock), method: 'POST', body: '{"balance":20}' });
    expect([old.status, await old.text()]).toEqual([400, 'The request is not valid: openingBalance is missing.']);
    const got = await (await mock.fetch('/api/GiftCard/GetByCode/A', key(mock))).json();
    expect(got).toMatchObject({ data: { card: { code: 'A', references: { first: 'order 7' } } } });

    const document = (await (await mock.fetch('/__mock/openapi.json')).json()) as OpenAPI3;
    const types = astToString(await openapiTS(document));
    expect(types).toMatch(/openingBalance: number;/);
    expect(types).toMatch(/references: \{\s*\/\*\*[^*]*\*\/\s*first: string \| null;/);
    expect(types).not.toContain('customField1: string | null;');
  });

  test.each([
    [
      'a missing file',
      () => join(folder, 'none.yaml'),
      /^The variant file .*none\.yaml cannot be read: there is no such file\.$/,
    ],
    ['a broken file', () => fileOf('behaviors: [\n'), /, line \d+: /],
    [
      'a reading that is misspelt',
      () => fileOf('behaviors:\n  gift-card.void.body: empty\n  webhook.delete.body: emtpy\n'),
      /, line 3: webhook\.delete\.body must be one of .*, got "emtpy"\. Did you mean "empty"\?/,
    ],
    ['a part that is misspelt', () => fileOf('behaviors: {}\noverides: []\n'), /, line 2: "overides" is not known; .*overrides/],
    [
      'a row that is none',
      () => fileOf('overrides:\n  - { rename: GiftCard.code, to: a }\n  - { nonsense: 1 }\n'),
      /, line 3: override 2: /,
    ],
    [
      'a schema that is none',
      (): VariantFile => ({ overrides: [{ schema: 'GiftCard.balance', to: { type: 'money' } }] }),
      /schema overrides make an invalid schema/,
    ],
    [
      'a reference',
      (): VariantFile => ({ overrides: [{ schema: 'GiftCard.code', to: { $ref: '#/components/schemas/GiftCard' } }] }),
      /override 1: .*\$ref/,
    ],
    [
      'a pattern that no card matches',
      (): VariantFile => ({ overrides: [{ schema: 'GiftCard.code', to: { pattern: '^never$' } }] }),
      /schema overrides do not fit\. .*code must match \^never\$, got "/,
    ],
    [
      'a file that is nested too deeply',
      () => fileOf(`{"overrides": ${'['.repeat(3000)}${']'.repeat(3000)}}`),
      /deeper than 100 levels/,
    ],
  ])('does not start with %s', async (_, variant, sentence) => {
    await expect(startMock({ listen: false, variant: variant() })).rejects.toThrow(sentence);
  });
});
