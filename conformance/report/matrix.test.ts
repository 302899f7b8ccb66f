import { expect, test } from 'vitest';
import { clauseResult, hostile, runResult } from '../testing/result-fixture.ts';
import { formats } from './formats.ts';

const of = (target: string, ...clauses: Parameters<typeof clauseResult>[]) =>
  runResult(
    clauses.map((each) => clauseResult(...each)),
    { target },
  );

const a = of(
  'http://a',
  ['adjustment.answers-true'],
  ['adjustment.answers-200'],
  ['gift-card.void.again', { observation: { option: '200', text: '200' } }],
);

test('of several runs, the text begins with a table of clauses by target that has what differs, and says so', () => {
  const told = { observation: { option: null, text: `418 ${hostile}` } };
  const b = of(
    'http://b',
    ['adjustment.answers-true', { verdict: 'fail', got: '1', expected: 'true' }],
    ['adjustment.answers-200'],
    ['gift-card.void.again', told],
  );
  const text = formats.text.render([a, b, of('http://c', ['adjustment.answers-200'])], {});
  const [top = '', ...each] = text.split('═══ ');
  expect(top).toContain('A  http://a\n   stated 3 pass, 0 fail of 3 · ');
  expect(top).toContain('2 of 3 clauses differ, and only what differs is shown here:\n');
  const rows = top.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(rows).toContainEqual(['A', 'B', 'C']);
  expect(rows).toContainEqual(['adjustment.answers-true', 'pass', 'fail', '–']);
  expect(rows).toContainEqual(['gift-card.void.again', '200', expect.stringMatching(/^418 <script>.*…$/), '–']);
  expect(top).not.toContain('adjustment.answers-200');
  expect(top).not.toContain('\u202e');
  expect(each.map((report) => report.split('\n', 1)[0])).toEqual(['A  http://a', 'B  http://b', 'C  http://c']);
});

test('where nothing differs, that is said; of one run there is no table', () => {
  expect(formats.text.render([a, a], {})).toContain('\n0 of 3 clauses differ.\n');
  expect(formats.text.render([a], {})).not.toContain('differ');
});
