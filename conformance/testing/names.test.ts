import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { overridesFor } from '../../openapi/effective/names.ts';
import { names as nameTable } from '../../openapi/generated/names.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import '../clauses/index.ts';
import { checks } from '../core/clause.ts';
import { runClauses } from '../core/run.ts';
import '../probes/index.ts';

const clauses = [...new Set(nameTable.map(({ clause }) => clause))];

test.concurrent.each(clauses)('%s finds the first alternative of every name', async (clause) => {
  const rows = nameTable.filter((row) => row.clause === clause);
  const overrides = rows.flatMap((row) => overridesFor(row, row.alternatives[0] ?? ''));
  const mock = await startMock({ listen: false, rateLimit: 'off', variant: { overrides } });
  const fetch = (request: Request) => mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  const result = await runClauses({ target, names: [clause], checks: checks(), suite: 'test' });
  await mock.close();
  const sorted = (all: readonly unknown[] = []) => all.map((each) => JSON.stringify(each)).sort();
  expect(sorted(result.clauses[0]?.observation?.overrides)).toEqual(sorted(overrides));
});
