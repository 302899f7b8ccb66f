import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import '../rules/index.ts';
import { checks } from './rule.ts';
import { runRules } from './run.ts';

const names = ['gift-card.create.returns-the-card', 'gift-card.create.stores-custom-fields'] as const;

/** Runs rules on a mock whose responses to Create are changed. No selected rule tests custom fields, so only the oracle can find a changed field. */
async function runOn(change: (card: Record<string, unknown>) => Record<string, unknown>) {
  const mock = await startMock({ listen: false });
  const fetch = async (request: Request) => {
    const response = await mock.fetch(request);
    if (!request.url.endsWith('/Create') || !response.ok) return response;
    return Response.json(change((await response.json()) as Record<string, unknown>));
  };
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const { rules } = await runRules({
    target,
    names,
    checks: checks().filter(({ name }) => name === names[0]),
  });
  await mock.close();
  return rules.map(({ name, verdict, exchanges }) => [name, verdict, exchanges.length > 0]);
}

test('an exchange that violates a rule fails that rule, even if the test of another rule sent it', async () => {
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
