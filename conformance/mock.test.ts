import { expect, test } from 'vitest';
import { startMock } from '../mock/index.ts';
import { checks } from './clause.ts';
import './clauses/index.ts';
import { defaultWorldProfile } from '../scripts/mutants/profile.ts';
import { exitCode } from './result.ts';
import { runClauses } from './run.ts';

const mock = await startMock({ listen: false, rateLimit: 'off' });
const target = {
  url: mock.url,
  key: mock.apiKey,
  profile: defaultWorldProfile,
  fetch: (request: Request) => mock.fetch(request),
};
const result = await runClauses({ target, names: checks().map(({ name }) => name), checks: checks(), suite: 'test' });
await mock.close();

test.each(result.clauses)('$name passes on the mock', (clause) => {
  const { exchanges: _, text: __, ...told } = clause;
  expect(told).toMatchObject({ verdict: 'pass' });
});

test('the run leaves no card behind and ends well', () => {
  expect(result.cards.left).toEqual([]);
  expect(exitCode(result)).toBe(0);
});
