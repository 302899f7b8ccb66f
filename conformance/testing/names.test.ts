import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { overridesFor } from '../../openapi/effective/names.ts';
import { names as nameTable } from '../../openapi/generated/names.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import '../rules/index.ts';
import { checks } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import '../questions/index.ts';

const questions = [...new Set(nameTable.map(({ question }) => question))];

test.concurrent.each(questions)('%s finds the first alternative of every name', async (question) => {
  const rows = nameTable.filter((row) => row.question === question);
  const overrides = rows.flatMap((row) => overridesFor(row, row.alternatives[0] ?? ''));
  const mock = await startMock({ listen: false, rateLimit: 'off', variant: { overrides } });
  const fetch = (request: Request) => mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  const result = await runRules({ target, names: [question], checks: checks() });
  await mock.close();
  const sorted = (all: readonly unknown[] = []) => all.map((each) => JSON.stringify(each)).sort();
  expect(sorted(result.rules[0]?.observation?.overrides)).toEqual(sorted(overrides));
});
