import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { clauseTexts } from '../core/contract.ts';
import { clauseResult } from '../testing/result-fixture.ts';
import { bySection, headingOf, headings } from './sections.ts';

test('the headings are those of the specification, in its order', () => {
  const items = parse(readFileSync(new URL('../../openapi/items.yaml', import.meta.url), 'utf8')) as object;
  expect(headings).toEqual(Object.keys(items));
});

test('every clause belongs to one of them', () => {
  const elsewhere = [...clauseTexts.values()].map(headingOf).filter((heading) => !headings.includes(heading));
  expect(elsewhere).toEqual([]);
});

test('clauses come by section in the order of the specification, and unknown sections last', () => {
  const [a, b, c] = [['Limits, Rate'], ['Nowhere, 1'], ['Adjustment, text 1', 'Limits, Rate']].map((from) =>
    clauseResult('adjustment.answers-true', { from }),
  );
  const found = bySection([a, b, c].flatMap((each) => each ?? []));
  expect(found).toEqual([
    { heading: 'Adjustment', clauses: [c] },
    { heading: 'Limits', clauses: [a] },
    { heading: 'Nowhere', clauses: [b] },
  ]);
});
