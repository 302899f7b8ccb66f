import { expect, test } from 'vitest';
import { startMock } from '../mock/index.ts';
import { defaultWorldProfile } from '../scripts/mutants/profile.ts';
import { checks } from './clause.ts';
import './clauses/index.ts';
import './probes/index.ts';
import { clauseTexts } from './contract.ts';
import { runClauses } from './run.ts';

/** The nth reading of every question whose turn it is, so that each seed mixes them otherwise. */
function mixed(seed: number): Record<string, string> {
  const questions = [...clauseTexts].filter(([name]) => !ofEveryAnswer.test(name));
  return Object.fromEntries(
    questions.flatMap(([name, { readings }], index) => {
      const all = Object.keys(readings ?? {});
      const reading = all[(index * 7 + seed * (1 + (index % 3))) % all.length];
      return reading === undefined ? [] : [[name, reading]];
    }),
  );
}

/** What these say is how the mock is asked, which this test does by the account's own key and without a name of its own. */
const ofEveryAnswer = /^(http|authentication)\./;

test.each([1, 2])('no statement is found violated where the open ones are answered otherwise: mix %i', async (seed) => {
  const mock = await startMock({ listen: false, rateLimit: 'off', facts: { facts: mixed(seed) } });
  const fetch = (request: Request) => mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  const { clauses, cards } = await runClauses({
    target,
    names: checks().map(({ name }) => name),
    checks: checks(),
    suite: 'test',
  });
  await mock.close();
  const faulty = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  expect(faulty.map(({ name, detail, expected, got }) => ({ name, detail, expected, got }))).toEqual([]);
  expect(clauses.length).toBeGreaterThan(200);
  expect(cards.left).toEqual([]);
});
