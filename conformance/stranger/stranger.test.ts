import { expect, test } from 'vitest';
import { checks } from '../clause.ts';
import '../clauses/index.ts';
import '../probes/index.ts';
import { exitCode } from '../result.ts';
import { runClauses } from '../run.ts';
import { stranger } from './server.ts';

/** The stranger's clock cannot be stopped and never shows one moment twice, so that this question does not arise. */
const neverTied = 'list.update-ties';

test('the suite finds no fault with a service that answers everything unstated in a way of its own', async () => {
  const { key, profile, fetch } = stranger();
  const target = {
    url: 'http://127.0.0.1',
    key,
    fetch,
    profile: { ...profile, noRateLimit: true, generatedCodePattern: '^zz-' },
  };
  const result = await runClauses({ target, names: checks().map(({ name }) => name), checks: checks(), suite: 'test' });
  const notPassed = result.clauses.filter(
    ({ name, verdict }) => verdict !== 'pass' && verdict !== 'observed' && name !== neverTied,
  );
  expect(
    notPassed.map(({ name, verdict, reason, detail, expected, got }) => ({ name, verdict, reason, detail, expected, got })),
  ).toEqual([]);
  expect(result.cards.left).toEqual([]);
  expect(exitCode(result)).toBe(0);
});
