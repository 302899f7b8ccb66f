import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import factsSchema from '../../openapi/generated/facts.schema.json' with { type: 'json' };
import { startMock } from '../index.ts';
import { factsOf } from './facts.ts';
import type { FactsFile } from './facts-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'facts.yaml');
  writeFileSync(path, text);
  return path;
}

function problemsOf(given: unknown): readonly string[] {
  try {
    factsOf(given);
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
  return [];
}

const follows = new Ajv2020({ strict: false }).compile(factsSchema);

test.each<[object, string]>([
  [
    { wire: [{ status: 'getGiftCardByCode', to: 404 }] },
    'the facts: row 1 of wire: the answer of getGiftCardByCode tells of success, which is a status from 200 to 299; a refusal is named by its code.',
  ],
  [
    { wire: [{ status: 'gift-card.not-found', to: 304 }] },
    'the facts: row 1 of wire: gift-card.not-found is a refusal, and 304 is a status of answers that say nothing; take one from 400 to 599.',
  ],
  [
    { wire: [{ status: 'voidGiftCardById', to: 204 }] },
    'the facts: The answer of voidGiftCardById has a body, and 204 has none; add { body: voidGiftCardById, to: null }, or take another status.',
  ],
  ...['a.__proto__.b', 'constructor'].map((to): [object, string] => [
    { wire: [{ move: 'GiftCard.code', to }] },
    `the facts: row 1 of wire: {"move":"GiftCard.code","to":"${to}"} has the name ${to === 'constructor' ? to : '__proto__'}, which means something to every object; take another.`,
  ]),
  [
    { wire: [{ rename: 'GiftCard.toString', to: 'x' }] },
    'the facts: row 1 of wire: {"rename":"GiftCard.toString","to":"x"} has the name toString, which means something to every object; take another.',
  ],
])('%j cannot be used, whatever the published schema says', (given, sentence) => {
  expect(problemsOf(given)).toEqual([sentence]);
});

describe('facts', () => {
  test.each([
    [{}],
    [{ facts: { 'gift-card.void.body': 'true' } }],
    [{ facts: { 'adjustment.by-id.overdraw-status': 409, 'gift-card.void.body': true } }],
    [{ wire: [{ rename: 'GiftCard.initialValue', to: 'originalValue' }] }],
    [{ wire: [{ wrap: 'listWebhooks', in: 'data.webhooks' }] }],
    [
      {
        wire: [
          { status: 'voidGiftCardById', to: 204 },
          { body: 'voidGiftCardById', to: null },
        ],
      },
    ],
  ])('%j can be used, and the published schema says so', (given) => {
    expect(problemsOf(given)).toEqual([]);
    expect(follows(given)).toBe(true);
  });

  test.each([
    ['text', 'the facts: it must be an object of facts and wire.'],
    [
      { fact: {} },
      'the facts: "fact" is no part of it; it takes facts, wire, pinned, unforeseen, seen and about. Did you mean "facts"?',
    ],
    [{ facts: [] }, 'the facts: facts must name clauses with their behaviors, not be [].'],
    [
      { facts: { 'gift-crd.void.body': 'true' } },
      'the facts: there is no clause gift-crd.void.body. Did you mean "gift-card.void.body"?',
    ],
    ...['toString', 'constructor', 'hasOwnProperty'].map((name): [object, string] => [
      { facts: { [name]: 'true' } },
      `the facts: there is no clause ${name}. GET /__mock/behaviors of the mock, and conformance list, show those that have behaviors.`,
    ]),
    [
      JSON.parse('{"facts":{"__proto__":"true"}}'),
      'the facts: there is no clause __proto__. GET /__mock/behaviors of the mock, and conformance list, show those that have behaviors.',
    ],
    [
      { facts: { 'gift-card.void.body': 'nothing' } },
      'the facts: gift-card.void.body has no reading "nothing"; it has the-card, true, empty.',
    ],
    [
      { facts: { 'company.profile-answers': 'yes' } },
      'the facts: company.profile-answers is stated by the specification and has no other reading.',
    ],
    [{ wire: {} }, 'the facts: wire must be a list of rows, not {}.'],
    [
      { wire: [{ rename: 'GiftCard.code' }] },
      'the facts: row 1 of wire: to takes a name of letters, digits, _ and -; it is missing.',
    ],
    [
      { wire: [{ status: 'adjustment.overdraw', to: 42 }] },
      'the facts: row 1 of wire: to takes a status as a number from 200 to 599, not 42.',
    ],
    [
      { wire: [{ delete: 'GiftCard.code' }] },
      'the facts: row 1 of wire: {"delete":"GiftCard.code"} is no row; each has one of rename, move, wrap, status, media, body, schema, required.',
    ],
  ])('%j cannot be used, and the published schema does not take it', (given, sentence) => {
    expect(problemsOf(given)).toEqual([sentence]);
    expect(follows(given)).toBe(false);
  });

  test.each([
    [[{ rename: 'GiftCard.colour', to: 'color' }], 'row 1 of wire: the schema GiftCard has no property colour.'],
    [
      [{ body: 'listWebhooks', to: { hook: { $schema: 'GiftCard' } } }],
      'row 1 of wire: the answer of listWebhooks has no part that is GiftCard.',
    ],
    [
      [{ required: 'getGiftCardById.id', to: false }],
      'row 1 of wire: getGiftCardById.id stands in the path and cannot be left out.',
    ],
    [
      [
        { rename: 'GiftCard.notes', to: 'remarks' },
        { rename: 'GiftCard.notes', to: 'comment' },
      ],
      'row 2 of wire and row 1 of wire contradict each other about the place of GiftCard.notes: comment or remarks. Leave one out.',
    ],
    [
      [
        { move: 'GiftCard.notes', to: 'text.notes' },
        { rename: 'GiftCard.notes', to: 'remarks' },
      ],
      'row 2 of wire and row 1 of wire contradict each other about the place of GiftCard.notes: remarks or text.notes. Leave one out.',
    ],
    [[{ rename: 'GiftCard.notes', to: 'code' }], 'GiftCard already has a property code; choose another place for notes.'],
    [
      [
        { rename: 'GiftCard.notes', to: 'text' },
        { move: 'GiftCard.giftMessage', to: 'text.gift' },
      ],
      'GiftCard would have notes and giftMessage at one place, text; choose another for one of them.',
    ],
    [
      [
        { body: 'deleteWebhook', to: null },
        { wrap: 'deleteWebhook', in: 'deleted' },
      ],
      'The body of deleteWebhook is empty and cannot be wrapped; leave one row out.',
    ],
  ])('the rows %j cannot be used', (wire, sentence) => {
    expect(problemsOf({ wire }).map((problem) => problem.replace('the facts: ', ''))).toEqual([sentence]);
  });

  test('a row that contradicts a reading names both', () => {
    const facts = { 'gift-card.response.initial-value-name': 'originalValue' };
    expect(problemsOf({ facts, wire: [{ rename: 'GiftCard.initialValue', to: 'start' }] })).toEqual([
      'the facts: row 1 of wire and gift-card.response.initial-value-name: originalValue contradict each other about the place of GiftCard.initialValue: start or originalValue. Leave one out.',
    ]);
  });
});

describe('a mock with facts', () => {
  const key = (mock: { apiKey: string }) => ({ headers: { 'x-api-key': mock.apiKey } });

  test('from a file, speaks as they say, to those who are not known and in accounts made later too', async () => {
    const facts = fileOf(
      'facts:\n  adjustment.by-id.overdraw-status: 409\n  errors.body-of-401: json-message\nwire:\n  - { rename: CompanyProfile.website, to: homepage }\n',
    );
    await using mock = await startMock({ listen: false, facts });
    const unknown = await mock.fetch('/api/Company/Profile');
    expect([unknown.status, await unknown.json()]).toEqual([401, { message: 'The x-api-key header is missing.' }]);
    const made = (await (await mock.fetch('/__mock/accounts', { method: 'POST' })).json()) as { keys: { key: string }[] };
    for (const headers of [key(mock), { headers: { 'x-api-key': made.keys[0]?.key ?? '' } }])
      expect(await (await mock.fetch('/api/Company/Profile', headers)).json()).toHaveProperty('homepage');
    expect(mock.spoken).toEqual({ differing: 2, ownRows: 1 });
  });

  test('from a file that cannot be read, is no world that cannot', async () => {
    for (const facts of [join(folder, 'nowhere.yaml'), fileOf('facts: [')])
      await expect(startMock({ listen: false, facts })).rejects.toMatchObject({ name: 'FactsError' });
  });

  test('names what no reading foresaw, and requests, answers, document and types follow', async () => {
    const wire = [
      { rename: 'CreateGiftCardRequest.balance', to: 'openingBalance' },
      { move: 'GiftCard.customField1', to: 'references.first' },
      { wrap: 'getGiftCardByCode', in: 'data.card' },
      { status: 'createGiftCard', to: 201 },
    ] satisfies FactsFile['wire'];
    await using mock = await startMock({ listen: false, facts: { wire } });
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
    ['a missing file', () => join(folder, 'none.yaml'), /^The facts file .*none\.yaml cannot be read: there is no such file\.$/],
    ['an empty file', () => fileOf(' \n'), /it is empty; write facts or wire into it/],
    ['a broken file', () => fileOf('facts: [\n'), /, line \d+: /],
    [
      'a reading that is misspelt',
      () => fileOf('facts:\n  gift-card.void.body: empty\n  webhook.delete.body: emtpy\n'),
      /, line 3: webhook\.delete\.body has no reading "emtpy"; it has .*\. Did you mean "empty"\?/,
    ],
    [
      'a part that is misspelt',
      () => fileOf('facts: {}\nwrie: []\n'),
      /, line 2: "wrie" is no part of it; .* Did you mean "wire"\?/,
    ],
    [
      'a row that is none',
      () => fileOf('wire:\n  - { rename: GiftCard.code, to: a }\n  - { nonsense: 1 }\n'),
      /, line 3: row 2 of wire: /,
    ],
    [
      'a schema that is none',
      (): FactsFile => ({ wire: [{ schema: 'GiftCard.balance', to: { type: 'money' } }] }),
      /a schema of the contract is none any more/,
    ],
  ])('does not start with %s', async (_, facts, sentence) => {
    await expect(startMock({ listen: false, facts: facts() })).rejects.toThrow(sentence);
  });
});
