import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operationsOf } from '../../openapi/document.ts';
import { bundle } from './bundle.ts';
import { clauseNames } from './clause-names.ts';
import { readClauses } from './clauses.ts';
import { withClauses } from './describe.ts';

const openapi = fileURLToPath(new URL('../../openapi', import.meta.url));
const contract = bundle(openapi);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clauses-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(...files: unknown[]) {
  for (const [index, content] of files.entries()) {
    writeFileSync(join(folder, `${index}.yaml`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readClauses(folder, join(openapi, 'clauses.schema.json'), contract);
}

const stated = { level: 'stated', from: 'Limits, Rate', text: 'So it is.', operations: ['createGiftCard'], seen: 'api' };
const open = (wire: unknown[] = []) => ({
  level: 'open',
  from: ['Limits, Rate'],
  question: 'How is it?',
  default: 'so',
  behaviors: { so: {}, otherwise: wire.length > 0 ? { wire } : {} },
  operations: [],
  seen: 'api',
});

describe('readClauses', () => {
  test('takes clauses that are right', () => {
    const { clauses, complaints } = read({ 'rate.is-so': stated }, { 'rate.how': open() });
    expect(complaints).toEqual([]);
    expect(Object.keys(clauses)).toEqual(['rate.is-so', 'rate.how']);
  });

  test.each([
    ['an unknown key', { 'a.b': { ...stated, colour: 'red' } }, '"colour" is not a known property.'],
    ['a missing text', { 'a.b': { ...stated, text: undefined } }, '"text" is missing.'],
    [
      'a wrong level',
      { 'a.b': { ...stated, level: 'maybe' } },
      'a.b › level: level must be one of stated, ambiguous, open, got "maybe".',
    ],
    ['a name with a capital', { 'a.B': stated }, 'a.B'],
    [
      'an operation that is none',
      { 'a.b': { ...stated, operations: ['createCard'] } },
      '0.yaml: a.b: the contract has no operation createCard;',
    ],
    ['untestable without a reason', { 'a.b': { ...stated, seen: 'none' } }, '"reason" is missing.'],
    [
      'a default that is no reading',
      { 'a.b': { ...open(), default: 'never' } },
      'the default "never" is not among its behaviors (so, otherwise).',
    ],
    [
      'a default with rows',
      { 'a.b': { ...open(), behaviors: { so: { wire: [{ wrap: 'listWebhooks', in: 'x' }] } } } },
      'the default "so" changes the wire',
    ],
  ])('complains about %s', (_, file, sentence) => expect(read(file).complaints.join('\n')).toContain(sentence));

  test('complains about a name used twice, in one file and in two', () => {
    expect(read('a.b: {}\na.b: {}\n').complaints.join('\n')).toContain('unique');
    expect(read({ 'a.b': stated }, { 'a.b': stated }).complaints).toEqual([
      '1.yaml: a.b is already a clause of 0.yaml; a name is used once.',
    ]);
  });

  test.each([
    [{ rename: 'GiftCard.initialValue', to: 'originalValue' }],
    [{ rename: 'getGiftCardsByEmail.emailAddress', to: 'email' }],
    [{ move: 'GiftCard.recipientName', to: 'recipient.name' }],
    [{ wrap: 'getGiftCardsByEmail', in: 'giftCards' }],
    [{ status: 'adjustment.overdraw', to: 409 }],
    [{ status: 'createWebhook', to: 201 }],
    [{ media: 'gift-card.code-taken', to: 'application/json' }],
    [{ body: 'auth.key-missing', to: { error: '{message}' } }],
    [{ body: 'deleteWebhook', to: null }],
    [{ body: 'voidGiftCardById', to: { card: { $schema: 'GiftCard' } } }],
    [{ schema: 'CreateGiftCardRequest.balance', to: { minimum: null } }],
    [{ schema: 'CreateGiftCardRequest', to: { additionalProperties: false } }],
    [{ schema: 'listGiftCards.pageSize', to: { maximum: null } }],
    [{ required: 'CreateGiftCardRequest.balance', to: false }],
    [{ required: 'getGiftCardsByEmail.emailAddress', to: false }],
  ])('takes the row %j', (row) => expect(read({ 'a.b': open([row]) }).complaints).toEqual([]));

  test.each([
    [{ rename: 'GiftCard.colour', to: 'color' }, 'the schema GiftCard has no property colour.'],
    [{ rename: 'GiftCard.balance', to: 'code' }, 'GiftCard already has a property code;'],
    [{ rename: 'Card.balance', to: 'amount' }, 'the contract has neither a schema nor an operation Card.'],
    [{ rename: 'getGiftCardsByEmail.mail', to: 'email' }, 'getGiftCardsByEmail has no parameter mail (it has emailAddress).'],
    [{ move: 'GiftCard.colour', to: 'a.b' }, 'the schema GiftCard has no property colour.'],
    [{ wrap: 'listCards', in: 'x' }, 'the contract has no operation listCards to wrap.'],
    [
      { status: 'adjustment.overdrawn', to: 409 },
      'adjustment.overdrawn is neither a refusal code nor an operation of the contract.',
    ],
    [{ body: 'deleteWebhook', to: { $schema: 'Hook' } }, 'the contract has no schema Hook.'],
    [{ status: 'adjustment.overdraw', to: 1000 }, 'at most 599'],
    [{ schema: 'CreateCard', to: { minimum: 0 } }, 'the contract has no schema CreateCard.'],
    [{ schema: 'listGiftCards.page', to: { minimum: 0 } }, 'listGiftCards has no parameter page (it has pageSize,'],
    [{ schema: 'GiftCard.balance', to: 'number' }, 'otherwise › wire › 0'],
    [{ required: 'GiftCard.colour', to: true }, 'the schema GiftCard has no property colour.'],
    [{ required: 'GiftCard.code', to: 'yes' }, 'otherwise › wire › 0'],
    [{ delete: 'GiftCard.code', to: 'x' }, '"delete" is not a known property.'],
    [{ wrap: 'listWebhooks', to: 'x' }, 'otherwise › wire › 0'],
  ])('complains about the row %j', (row, sentence) => {
    expect(read({ 'a.b': open([row]) }).complaints.join('\n')).toContain(sentence);
  });
});

describe('what is made of clauses', () => {
  test('names, behaviors, defaults and numbers', () => {
    const text = clauseNames(read({ 'rate.limit': { ...stated, value: 200 }, 'rate.how': open() }).clauses, ['rate.form']);
    expect(text).toContain("'rate.how': 'so' | 'otherwise';");
    expect(text).toContain("'rate.how': 'so',");
    expect(text).toContain("'rate.limit': 200,");
  });

  test('an operation lists its clauses, by name and in its description', () => {
    const document = withClauses(contract, read({ 'rate.is-so': stated }).clauses);
    const create = operationsOf(document).find(({ id }) => id === 'createGiftCard')?.node;
    expect(create?.['x-clauses']).toEqual(['rate.is-so']);
    expect(create?.description).toContain('- So it is. `rate.is-so`');
    expect(Object.keys(document['x-clauses'] as object)).toEqual(['rate.is-so']);
  });
});
