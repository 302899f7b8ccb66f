import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Evidence, type Exclusions, holesIn } from './coverage/check.ts';
import { namesIn, namesInStrings } from './coverage/citations.ts';
import { itemsOf } from './coverage/items.ts';
import { reportOf } from './coverage/report.ts';
import type { Clause } from './generate/clauses.ts';

function stated(changes: Partial<Clause> = {}): Clause {
  return { level: 'stated', from: 'Rules, 1', text: 'Cards are round.', operations: ['getCard'], seen: 'api', ...changes };
}

function open(behaviors: Clause['behaviors'] = { round: {}, square: {} }): Clause {
  return {
    level: 'open',
    from: 'Rules, 1',
    question: 'Which shape?',
    default: 'round',
    behaviors,
    operations: ['getCard'],
    seen: 'api',
  };
}

function excluding(changes: Partial<Exclusions> = {}): Exclusions {
  return { items: {}, statements: [], untested: {}, ...changes };
}

/** One item, one stated clause that speaks of it, cited by the mock and tested by the suite: nothing is missing. */
function evidence(
  changes: Partial<Omit<Evidence, 'cited'>> & { mock?: string[]; suite?: string[]; tests?: string[] } = {},
): Evidence {
  const { mock = ['card.is-round'], suite = ['card.is-round'], tests = [], ...rest } = changes;
  return {
    items: ['Rules, 1'],
    clauses: { 'card.is-round': stated() },
    exclusions: excluding(),
    operationIds: ['getCard'],
    refusalCodes: ['card.not-found'],
    ...rest,
    cited: { mock: new Set(mock), suite: new Set(suite), tests: new Set(tests) },
  };
}

describe('holes', () => {
  it('are none when item, clause, code and test meet', () => {
    expect(holesIn(evidence())).toEqual({});
    expect(reportOf(evidence(), {})).toMatch(/Everything is accounted for\.\n$/);
  });

  const tested = ['card.is-round', 'card.shape'];
  const shape = { 'card.is-round': stated(), 'card.shape': open() };
  const rows: [string, Evidence, string[]][] = [
    ['items listed twice in items.yaml', evidence({ items: ['Rules, 1', 'Rules, 1'] }), ['Rules, 1']],
    ['items of the specification that items.yaml lacks', evidence({ specification: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    ['items of items.yaml that the specification does not have', evidence({ specification: [] }), ['Rules, 1']],
    ['items without a clause or an exclusion', evidence({ items: ['Rules, 1', 'Rules, 2'] }), ['Rules, 2']],
    [
      'items that a clause speaks of although they are excluded',
      evidence({ exclusions: excluding({ items: { 'Rules, 1': 'Why.' } }) }),
      ['Rules, 1'],
    ],
    ['items in a `from` that items.yaml does not have', evidence({ items: [] }), ['Rules, 1']],
    [
      'exclusions without a reason',
      evidence({
        items: ['Rules, 1', 'Rules, 2'],
        exclusions: excluding({
          items: { 'Rules, 2': ' ' },
          statements: [{ item: 'Rules, 1', statement: 'Eat it.', reason: '' }],
        }),
      }),
      ['Rules, 2', 'Rules, 1: Eat it.'],
    ],
    [
      'exclusions of items that do not exist',
      evidence({ exclusions: excluding({ items: { 'Rules, 9': 'Why.' } }) }),
      ['Rules, 9'],
    ],
    [
      'exclusions of clauses that do not exist',
      evidence({ exclusions: excluding({ untested: { 'card.is-flat': 'Why.' } }) }),
      ['card.is-flat'],
    ],
    [
      'clauses excluded from testing that have a test',
      evidence({ exclusions: excluding({ untested: { 'card.is-round': 'Why.' } }) }),
      ['card.is-round'],
    ],
    ['operations in a clause that the contract does not have', evidence({ operationIds: [] }), ['card.is-round: getCard']],
    [
      'names in code or tests that look like a clause and are none',
      evidence({ mock: ['card.is-round', 'card.is-sqare', 'card.not-found', 'card.size', 'card.is-round.ts', 'deck.is-full'] }),
      ['card.is-sqare'],
    ],
    [
      'clauses that nothing enforces: cite the name in mock/, or say `enforced: schema`',
      evidence({ mock: [] }),
      ['card.is-round'],
    ],
    [
      'open clauses whose default nothing takes: cite the name in mock/, or say `enforced: schema`',
      evidence({ clauses: shape, suite: tested }),
      ['card.shape'],
    ],
    [
      'clauses without a test: name them in conformance/ or a test, or give the reason',
      evidence({ suite: [] }),
      ['card.is-round'],
    ],
  ];
  it.each(rows)('%s', (kind, found, names) => {
    expect(holesIn(found)).toEqual({ [kind]: names });
    expect(reportOf(found, holesIn(found))).toContain(`${names.length} ${kind}:\n  ${names[0]}\n`);
  });

  it('do not come from clauses that the contract enforces, or whose other behaviors only change the wire', () => {
    const wired = open({ round: {}, square: { wire: [{ rename: 'Card.shape', to: 'form' }] } });
    expect(
      holesIn(evidence({ clauses: { 'card.is-round': stated({ enforced: 'schema' }), 'card.shape': wired }, mock: [] })),
    ).toEqual({});
  });

  it('come from a clause that has a reading without rows besides those with rows', () => {
    const mixed = open({ round: {}, square: { wire: [{ rename: 'Card.shape', to: 'form' }] }, flat: {} });
    expect(Object.values(holesIn(evidence({ clauses: { ...shape, 'card.shape': mixed } })))).toEqual([['card.shape']]);
  });

  it('do not come from a clause that cannot be seen, is excluded from testing, or is tested elsewhere', () => {
    expect(holesIn(evidence({ suite: [], tests: ['card.is-round'] }))).toEqual({});
    expect(holesIn(evidence({ suite: [], exclusions: excluding({ untested: { 'card.is-round': 'Why.' } }) }))).toEqual({});
    expect(holesIn(evidence({ suite: [], clauses: { 'card.is-round': stated({ seen: 'none', reason: 'Why.' }) } }))).toEqual({});
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

describe('a citation', () => {
  it('is the whole name, in code or comment', () => {
    expect(namesIn("// See card.is-round.\nrefuse('card.not-found'); state.card.is-square")).toEqual([
      'card.is-round',
      'card.not-found',
      'state.card.is-square',
    ]);
  });

  it('counts as a test in a string only', () => {
    const source = "// card.in-comment\nclause('card.is-round', () => {});\nit(`card.is-flat, twice`, f); card.is-code;";
    expect(namesInStrings(source)).toEqual(['card.is-round', 'card.is-flat']);
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
