import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Evidence, gapsIn, report } from './coverage/gaps.ts';
import { itemsOf } from './coverage/items.ts';
import type { Clause } from './generate/clauses.ts';

const stated = (changes: Partial<Clause> = {}): Clause => ({
  level: 'stated',
  from: 'Rules, 1',
  text: 'Cards are round.',
  operations: ['getCard'],
  seen: 'api',
  ...changes,
});

/** One item, and one stated clause about it with a test and a mutant: nothing is missing. */
const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  items: ['Rules, 1'],
  clauses: { 'card.is-round': stated() },
  exclusions: { items: {}, statements: [] },
  operationIds: ['getCard'],
  checked: new Set(['card.is-round']),
  mutated: new Set(['card.is-round']),
  testedInMock: new Set(),
  ...changes,
});
const none = new Set<string>();

describe('gaps', () => {
  it('are none when item, clause, test and mutant are there', () => {
    expect(gapsIn(evidence())).toEqual({});
    expect(report(evidence(), {})).toMatch(/No gaps\.\n$/);
  });

  it.each<[string, Evidence, string[]]>([
    ['items listed twice', evidence({ items: ['Rules, 1', 'Rules, 1'] }), ['Rules, 1']],
    ['items of the specification that items.yaml lacks', evidence({ specification: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    ['items of items.yaml that the specification does not have', evidence({ specification: [] }), ['Rules, 1']],
    ['items without a clause', evidence({ items: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    ['items with both', evidence({ exclusions: { items: { 'Rules, 1': 'Why.' }, statements: [] } }), ['Rules, 1']],
    ['unknown items', evidence({ exclusions: { items: { 'Rules, 9': 'Why.' }, statements: [] } }), ['Rules, 9']],
    [
      'exclusions without a reason',
      evidence({ exclusions: { items: {}, statements: [{ item: 'Rules, 1', statement: 'Eat it.', reason: ' ' }] } }),
      ['Rules, 1: Eat it.'],
    ],
    ['operations in a clause', evidence({ operationIds: [] }), ['card.is-round: getCard']],
    ['stated clauses that the suite tests and no mutant violates', evidence({ mutated: none }), ['card.is-round']],
    [
      'stated clauses without a test',
      evidence({ checked: none, mutated: none, testedInMock: new Set(['card.is-round']) }),
      ['card.is-round'],
    ],
    [
      'stated clauses without a test',
      evidence({ checked: none, clauses: { 'card.is-round': stated({ seen: 'control' }) } }),
      ['card.is-round'],
    ],
  ])('%s', (kind, planted, names) => {
    const gaps = gapsIn(planted);
    expect(Object.entries(gaps)).toEqual([[expect.stringContaining(kind), names]]);
    expect(report(planted, gaps)).toContain(`  ${names[0]}\n`);
  });

  it.each([
    evidence({
      checked: none,
      clauses: { 'card.is-round': stated({ seen: 'control' }) },
      testedInMock: new Set(['card.is-round']),
    }),
    evidence({ checked: none, clauses: { 'card.is-round': stated({ seen: 'none', reason: 'Why.' }) } }),
  ])('are none where the suite cannot see the clause, and the mock tests it or nothing can', (each) => {
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

describe('the command', () => {
  it('says that a named specification is missing', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/coverage.ts', '--spec', 'none.md'], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('There is no specification at none.md');
    expect(status).toBe(1);
  });
});
