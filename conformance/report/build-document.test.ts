import { expect, test } from 'vitest';
import type { CompareResult } from '../compare/result.ts';
import type { FuzzResult } from '../fuzz/result.ts';
import type { ProxyResult } from '../proxy/result.ts';
import { everyVerdict, hostile, overdraw, ruleResult, runResult } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { type FormatName, reportFormats } from './formats.ts';
import type { Result } from './result.ts';

const header = { suite: 'giftcard-sandbox 0.0.0', startedAt: '2026-03-01T10:00:00.000Z', finishedAt: '2026-03-01T10:00:09.500Z' };
const target = 'http://127.0.0.1:8460';
const [exchange] = overdraw.exchanges as [(typeof overdraw.exchanges)[number]];

const proxy: ProxyResult = {
  kind: 'proxy',
  ...header,
  target,
  onlyClient: false,
  requests: 7,
  lost: 1,
  notService: 0,
  unread: 0,
  faults: 0,
  held: [{ rule: 'adjustment.returns-true', times: 3 }],
  findings: [
    { kind: 'violated', rule: 'adjustment.by-id.refuses-overdraw', what: `took 1.50 ${hostile}`, times: 1, exchanges: [4] },
    { kind: 'possible', rule: 'gift-card.get-by-code.returns-the-card', what: 'held 15.00', times: 1, exchanges: [5] },
    { kind: 'client', what: 'adjustmentAmount is a string', times: 2, exchanges: [6] },
  ],
  exchanges: [{ n: 4, ...exchange }],
};

const fuzz: FuzzResult = {
  kind: 'fuzz',
  ...header,
  target,
  seed: 7,
  cases: 12,
  shrinks: 3,
  failures: [
    {
      rule: 'adjustment.is-relative',
      did: ['create', 'adjust'],
      expected: '5.00',
      got: '2.00',
      again: 'fuzz --path 3:1',
      exchanges: [],
    },
  ],
  requests: 40,
  cards: { created: 2, voided: 2, left: [] },
  recordsLeft: [],
  leftBecause: [],
  leftBefore: [],
};

const side = { target, mode: 'full', runs: 1, cards: 4, spent: everyVerdict.spent, leftBehind: [], exits: [0] } as const;
const comparison: CompareResult = {
  kind: 'compare',
  ...header,
  again: 'compare A B',
  a: { ...side, leftBehind: [], exits: [0] },
  b: { ...side, target: 'http://b', leftBehind: ['card#1'], exits: [1] },
  compared: 3,
  alike: 2,
  differences: [
    {
      name: 'adjustment.returns-true',
      level: 'stated',
      from: ['Adjustment rules, 1'],
      text: 'Returns true.',
      kind: 'violated',
      a: { verdict: 'pass' },
      b: { verdict: 'fail', expected: 'true', got: '"yes"' },
      step: {
        what: 'adjust card#1',
        differs: ['body: true on A, "yes" on B'],
        a: { n: 2, ...exchange },
        b: { n: 2, ...exchange },
      },
    },
  ],
  uncompared: [],
  unsteady: [],
};

const all: Record<Result['kind'], Result> = { run: everyVerdict, proxy, fuzz, compare: comparison };

test.each(Object.entries(all))('every format shows the failures of %s and escapes what the target sent', (_, result) => {
  const { outcomes, groups } = buildDocument([result]);
  const failed = groups.flatMap(({ items }) => items.filter(({ outcome }) => outcome === 'failure'));
  expect(failed.length).toBeGreaterThan(0);
  for (const name of ['text', 'markdown', 'junit'] as FormatName[]) {
    const text = reportFormats[name].render([result], { verbose: true });
    for (const { word, title } of outcomes) expect(text).toContain(`${word}  ${title}`);
    for (const item of failed) expect(text).toContain(item.name);
    for (const control of ['\u202e', '\x07', '\x1b']) expect(text).not.toContain(control);
  }
});

test.each<[Result['kind'], string, string[]]>([
  ['proxy', '1 rule violated', ['violated', 'possible', 'client', 'held']],
  ['fuzz', '1 failure after 12 cases', ['fail']],
  ['compare', 'A and B differ in 1 rule', ['fail']],
])('%s has its title and statuses', (kind, title, statuses) => {
  const document = buildDocument([all[kind]]);
  expect([document.outcomes[0]?.title, document.outcomes[0]?.word, document.tone]).toEqual([title, 'FAIL', 'bad']);
  expect([...new Set(document.groups.flatMap(({ items }) => items.map(({ status }) => status)))]).toEqual(statuses);
});

test('notices name what is left, what is stale, what never succeeded and what changed', () => {
  const changed = { option: '409', text: '409', since: 'changed', was: '400' } as const;
  const result = runResult(
    [
      ruleResult('adjustment.by-id.overdraw-status', { level: 'open', verdict: 'observed', observation: changed }),
      ruleResult('adjustment.keeps-notes', {
        verdict: 'blocked',
        detail: 'returned 500',
        exchanges: [{ ...exchange, status: 500 }],
      }),
    ],
    {
      staleBaseline: ['adjustment.returns-true'],
      leftBefore: ['card#7 of run ABC'],
      interrupted: { after: 2, of: 9 },
      recordsLeft: [{ what: 'webhook', value: 'https://example.com/\x1b[2J' }],
    },
  );
  const { notices } = buildDocument([result]);
  const labels = ['LEFT BEHIND', 'LEFT BEHIND', 'NEVER SUCCEEDED', 'STALE BASELINE', 'CHANGED'];
  expect(notices.map(({ label }) => label)).toEqual(labels);
  expect(notices.at(-1)?.lines).toEqual(['adjustment.by-id.overdraw-status  409  (changed, was 400)']);
});

test('all reports of a run have the same number of created cards, once', () => {
  const result = runResult([overdraw], { cards: { created: 374, voided: 374, left: [] } });
  for (const name of ['text', 'markdown', 'junit'] as FormatName[])
    expect([name, reportFormats[name].render([result], { verbose: true }).match(/374 created|366/g)]).toEqual([
      name,
      ['374 created'],
    ]);
  expect(reportFormats.text.render([{ ...comparison, b: { ...comparison.b, cards: 374 } }], {})).toMatch(/B .*374 cards/);
});

test('learn ends with PASS if it observed something, also if some rules could not be tested', () => {
  const [outcome] = buildDocument(
    [runResult([ruleResult('adjustment.returns-true')], { heldBack: ['errors.refusal-changes-nothing'] })],
    0,
  ).outcomes;
  expect(outcome).toMatchObject({ word: 'PASS', because: expect.stringMatching(/^Exit code 0, but/) });
});

test('several results have letters', () => {
  const [a, b] = [runResult([ruleResult('adjustment.returns-true')]), runResult([ruleResult('adjustment.returns-true')])];
  const ids = buildDocument([a, b]).groups.flatMap(({ items }) => items.map(({ id }) => id));
  expect(ids).toEqual(['A-adjustment.returns-true', 'B-adjustment.returns-true']);
});

test('violations that tests found come before those that only the oracle found', () => {
  const byOracle = ruleResult('adjustment.returns-true', { verdict: 'fail' });
  const result = runResult([{ ...byOracle, expected: byOracle.text }, overdraw, ruleResult('adjustment.returns-200')]);
  const names = buildDocument([result]).groups.flatMap(({ items }) => items.map(({ name }) => name));
  expect(names).toEqual([overdraw.name, 'adjustment.returns-true', 'adjustment.returns-200']);
});
