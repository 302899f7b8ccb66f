import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operationsOf } from '../../openapi/document.ts';
import { bundle } from './bundle.ts';
import { ruleNames } from './rule-names.ts';
import { readRules, withRules } from './rules.ts';

const openapi = fileURLToPath(new URL('../../openapi', import.meta.url));
const contract = bundle(openapi);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rules-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(...files: unknown[]) {
  for (const [index, content] of files.entries()) {
    writeFileSync(join(folder, `${index}.yaml`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readRules(folder, contract);
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

describe('readRules', () => {
  test('takes rules that are right', () => {
    const { rules, problems } = read({ 'rate.is-so': stated }, { 'rate.how': open() });
    expect(problems).toEqual([]);
    expect(Object.keys(rules)).toEqual(['rate.is-so', 'rate.how']);
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
      '0.yaml: a.b: the contract has no operation createCard.',
    ],
    ['untestable without a reason', { 'a.b': { ...stated, seen: 'none' } }, '"reason" is missing.'],
    [
      'a default that is not an option',
      { 'a.b': { ...open(), default: 'never' } },
      'the default "never" is not one of its options (so, otherwise).',
    ],
    [
      'a default with rows',
      { 'a.b': { ...open(), behaviors: { so: { wire: [{ wrap: 'listWebhooks', in: 'x' }] } } } },
      'the default "so" overrides more than a status',
    ],
  ])('complains about %s', (_, file, sentence) => expect(read(file).problems.join('\n')).toContain(sentence));

  test('complains about a name used twice, in one file and in two', () => {
    expect(read('a.b: {}\na.b: {}\n').problems.join('\n')).toContain('unique');
    expect(read({ 'a.b': stated }, { 'a.b': stated }).problems).toEqual([
      '1.yaml: a.b is already a rule of 0.yaml; use a name once.',
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
  ])('takes the row %j', (row) => expect(read({ 'a.b': open([row]) }).problems).toEqual([]));

  test.each([
    [{ rename: 'GiftCard.colour', to: 'color' }, '"GiftCard.colour"'],
    [{ rename: 'GiftCard.balance', to: 'code' }, 'GiftCard would have code and balance at one place, code'],
    [{ rename: 'Card.balance', to: 'amount' }, '"Card.balance"'],
    [{ rename: 'getGiftCardsByEmail.mail', to: 'email' }, '"getGiftCardsByEmail.mail"'],
    [{ move: 'GiftCard.colour', to: 'a.b' }, '"GiftCard.colour"'],
    [{ wrap: 'listCards', in: 'x' }, '"listCards"'],
    [{ status: 'adjustment.overdrawn', to: 409 }, 'Did you mean "adjustment.overdraw"?'],
    [{ body: 'deleteWebhook', to: { $schema: 'Hook' } }, 'The response of deleteWebhook has no part that is Hook.'],
    [{ status: 'adjustment.overdraw', to: 1000 }, 'at most 599'],
    [{ schema: 'CreateCard', to: { minimum: 0 } }, '"CreateCard"'],
    [{ schema: 'listGiftCards.page', to: { minimum: 0 } }, '"listGiftCards.page"'],
    [{ schema: 'GiftCard.balance', to: 'number' }, 'option "otherwise": to: to must be an object'],
    [{ required: 'GiftCard.colour', to: true }, '"GiftCard.colour"'],
    [{ required: 'GiftCard.code', to: 'yes' }, 'to must be true or false'],
    [{ delete: 'GiftCard.code', to: 'x' }, '"delete" is not a known property.'],
    [{ wrap: 'listWebhooks', to: 'x' }, '"in" is missing'],
  ])('complains about the row %j', (row, sentence) => {
    expect(read({ 'a.b': open([row]) }).problems.join('\n')).toContain(sentence);
  });
});

describe('what is made of rules', () => {
  test('names, behaviors, defaults and numbers', () => {
    const text = ruleNames(read({ 'rate.limit': { ...stated, value: 200 }, 'rate.how': open() }).rules, ['rate.form']);
    expect(text).toContain('"rate.how": "so" | "otherwise";');
    expect(text).toContain('"rate.how": "so"\n');
    expect(text).toContain('"rate.limit": 200');
  });

  test('an operation lists its rules by name', () => {
    const document = withRules(contract, read({ 'rate.is-so': stated }).rules);
    const create = operationsOf(document).find(({ id }) => id === 'createGiftCard')?.node;
    expect(create?.['x-rules']).toEqual(['rate.is-so']);
    expect(Object.keys(document['x-rules'] as object)).toEqual(['rate.is-so']);
  });
});
