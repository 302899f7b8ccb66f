import { expect, test } from 'vitest';
import { checks } from '../../conformance/clause.ts';
import '../../conformance/clauses/index.ts';
import { clauseTexts } from '../../conformance/contract.ts';
import { judge } from './judge.ts';
import { mutants } from './list.ts';
import { defaultWorldProfile } from './profile.ts';

test.each(mutants)('$clause is violated by: $replace', async (mutant) => {
  const { verdict, detail, got } = await judge(mutant, { ...defaultWorldProfile, mayVoidFixtures: true });
  expect({ verdict, detail, got }).toMatchObject({ verdict: 'fail' });
});

test('there is at least one mutant for every test of the suite', () => {
  const violated = new Set(mutants.map(({ clause }) => clause));
  // Probes of what is open judge nothing; other test files in this process may have declared theirs.
  const tested = checks().filter(({ name }) => clauseTexts.get(name)?.level === 'stated');
  expect(tested.flatMap(({ name }) => (violated.has(name) ? [] : [name]))).toEqual([]);
});
