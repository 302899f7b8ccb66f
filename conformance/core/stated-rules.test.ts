import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import '../clauses/index.ts';
import { checks } from './clause.ts';
import { runClauses } from './run.ts';

const names = ['gift-card.create.returns-the-card', 'gift-card.create.stores-custom-fields'] as const;

/** Runs clauses on a mock whose answers to Create are changed. No selected clause tests custom fields, so only the oracle can find a changed field. */
async function runOn(change: (card: Record<string, unknown>) => Record<string, unknown>) {
  const mock = await startMock({ listen: false });
  const fetch = async (request: Request) => {
    const answer = await mock.fetch(request);
    if (!request.url.endsWith('/Create') || !answer.ok) return answer;
    return Response.json(change((await answer.json()) as Record<string, unknown>));
  };
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const { clauses } = await runClauses({
    target,
    names,
    checks: checks().filter(({ name }) => name === names[0]),
    suite: 'test',
  });
  await mock.close();
  return clauses.map(({ name, verdict, exchanges }) => [name, verdict, exchanges.length > 0]);
}

test('an exchange that violates a clause fails that clause, even if the test of another clause sent it', async () => {
  expect(await runOn(({ customField1: _, ...card }) => card)).toEqual([
    [names[0], 'pass', true],
    [names[1], 'fail', true],
  ]);
});

test('exchanges without a violation change no verdict', async () => {
  expect(await runOn((card) => card)).toEqual([
    [names[0], 'pass', true],
    [names[1], 'untested', false],
  ]);
});
