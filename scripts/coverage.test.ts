import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import '../conformance/rules/index.ts';
import { checks } from '../conformance/core/rule.ts';
import { faults } from '../conformance/testing/reference-server/faults/faults.ts';
import { type Evidence, type Exclusions, gapsIn } from './coverage/gaps.ts';
import { itemsOf } from './coverage/items.ts';
import type { Rule } from './generate/rule-names.ts';
import { readRules } from './generate/rules.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('every item of the specification has a rule, and every stated rule a test and a fault', () => {
  const contract = JSON.parse(read('openapi/generated/contract.json'));
  const { rules } = readRules(join(root, 'openapi/rules'), contract);
  const items = Object.entries(parse(read('openapi/items.yaml')) as Record<string, string[]>);
  // The specification is next to a checkout, and not in the repository.
  const specification = join(root, '../shared/spec/gift-card-service.md');
  const evidence: Evidence = {
    items: items.flatMap(([heading, keys]) => keys.map((key) => `${heading}, ${key}`)),
    ...(existsSync(specification) ? { specification: itemsOf(readFileSync(specification, 'utf8')) } : {}),
    rules,
    exclusions: parse(read('openapi/exclusions.yaml')) as Exclusions,
    checked: new Set(checks().map(({ name }) => name)),
    broken: new Set([...faults.values()].map(({ rule }) => rule)),
    testedInMock: namesInMockTests(),
  };
  expect(gapsIn(evidence)).toEqual({});
});

/** Returns the names of rules in the strings of the mock's tests. */
function namesInMockTests(): Set<string> {
  const files = readdirSync(join(root, 'mock'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  );
  const strings = files.flatMap((path) => read(`mock/${path}`).match(/'[^'\n]*'|`[^`]*`|"[^"\n]*"/g) ?? []);
  return new Set(strings.flatMap((string) => string.match(/[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+/g) ?? []));
}

const stated = (changes: Partial<Rule> = {}): Rule => ({
  level: 'stated',
  from: 'Rules, 1',
  text: 'Cards are round.',
  operations: ['getCard'],
  seen: 'api',
  ...changes,
});

/** Evidence without gaps: one item, and one stated rule about the item with a test and a fault. */
const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  items: ['Rules, 1'],
  rules: { 'card.is-round': stated() },
  exclusions: { items: {}, statements: [] },
  checked: new Set(['card.is-round']),
  broken: new Set(['card.is-round']),
  testedInMock: new Set(),
  ...changes,
});
const none = new Set<string>();

describe('gaps', () => {
  it('are none when item, rule, test and fault are there', () => {
    expect(gapsIn(evidence())).toEqual({});
  });

  it.each<[string, Evidence, string[]]>([
    ['items listed twice', evidence({ items: ['Rules, 1', 'Rules, 1'] }), ['Rules, 1']],
    ['items of the specification that items.yaml lacks', evidence({ specification: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    ['items of items.yaml that the specification does not have', evidence({ specification: [] }), ['Rules, 1']],
    ['items without a rule', evidence({ items: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    ['items with both', evidence({ exclusions: { items: { 'Rules, 1': 'Why.' }, statements: [] } }), ['Rules, 1']],
    ['unknown items', evidence({ exclusions: { items: { 'Rules, 9': 'Why.' }, statements: [] } }), ['Rules, 9']],
    [
      'exclusions without a reason',
      evidence({ exclusions: { items: {}, statements: [{ item: 'Rules, 1', statement: 'Eat it.', reason: ' ' }] } }),
      ['Rules, 1: Eat it.'],
    ],
    ['stated rules that the suite tests and no fault violates', evidence({ broken: none }), ['card.is-round']],
    [
      'stated rules without a test',
      evidence({ checked: none, broken: none, testedInMock: new Set(['card.is-round']) }),
      ['card.is-round'],
    ],
    [
      'stated rules without a test',
      evidence({ checked: none, rules: { 'card.is-round': stated({ seen: 'control' }) } }),
      ['card.is-round'],
    ],
  ])('%s', (kind, planted, names) => {
    const gaps = gapsIn(planted);
    expect(Object.entries(gaps)).toEqual([[expect.stringContaining(kind), names]]);
  });

  it.each([
    evidence({
      checked: none,
      rules: { 'card.is-round': stated({ seen: 'control' }) },
      testedInMock: new Set(['card.is-round']),
    }),
    evidence({ checked: none, rules: { 'card.is-round': stated({ seen: 'none', reason: 'Why.' }) } }),
  ])('are none where the suite cannot see the rule, and the mock tests it or nothing can', (each) => {
    expect(gapsIn(each)).toEqual({});
  });
});

describe('the items of a specification', () => {
  it('are its numbered rules, its rows by their first cell and its other paragraphs, in order', () => {
    const markdown = [
      '# Book\n\nFirst\nwords.\n',
      '## Rules\n\nThey hold:\n\n1. One.\nStill one.\n2. Two.\n\n- A bullet\n- Another\n',
      '### Fields\n\n| Field | Type |\n|---|---|\n| a, b | string |\n| c | number |\n\nLast.\n',
      '## Ways\n| Method | Path |\n|---|---|\n| GET | /card/{id} |',
    ].join('\n');
    expect(itemsOf(markdown)).toEqual([
      'Book, text 1',
      'Rules, text 1',
      'Rules, 1',
      'Rules, 2',
      'Rules, text 2',
      'Rules, text 3',
      'Fields, a, b',
      'Fields, c',
      'Fields, text 1',
      'Ways, GET /card/{id}',
    ]);
  });
});
