import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import { command, endAll, env, folder } from '../../cli/conformance/main-fixture.ts';
import { endingOfRun } from '../core/run-ending.ts';
import '../questions/index.ts';
import { adjustmentCardField } from '../core/endpoints.ts';
import { runRules } from '../core/run.ts';
import { buildDocument } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';

const row = { rename: adjustmentCardField, to: 'cardRef' };
const names: RuleName[] = ['adjustment.by-id.refuses-overdraw'];

/** Runs a rule against a mock that uses an unusual name for the card's ID in an adjustment by ID. */
async function runWith(target: { readonly overrides?: readonly (typeof row)[] }) {
  const mock = await startMock({ listen: false, rateLimit: 'off', variant: { overrides: [row] } });
  const { url, apiKey: key, fetch } = mock;
  const result = await runRules({
    target: { url, key, profile: {}, fetch: (request) => fetch(request), ...target },
    names,
    checks: checks(),
  });
  await mock.close();
  return { result, verdicts: result.rules.map(({ verdict }) => verdict), code: endingOfRun(result).code };
}

test('a field of the variant file is tried first', async () => {
  const { result, verdicts, code } = await runWith({ overrides: [row] });
  expect({ verdicts, code }).toEqual({ verdicts: ['pass'], code: 0 });
  expect(result.rules[0]?.assumptions).toEqual(['names.adjustment-by-id = "cardRef"']);
  expect(result.rules[0]?.did.filter((each) => each.includes('in the field'))).toHaveLength(1);
});

test('an unknown field leaves its rules untested, with exit code 4', async () => {
  const { result, verdicts, code } = await runWith({});
  expect({ verdicts, code }).toEqual({ verdicts: ['untested'], code: 4 });
  expect(/^ +Exit code 4.*$/m.exec(textReport(buildDocument([result])))?.[0]).toContain(
    `rename: ${adjustmentCardField}, to: NAME`,
  );
});

afterEach(endAll);

test.each([
  ['run', ['--target', 'URL', 'adjustment.by-id.refuses-overdraw'], 1],
  ['compare', ['URL', 'URL', 'adjustment.by-id.refuses-overdraw'], 3],
  ['fuzz', ['sequences', '--target', 'URL', '--runs', '1', '--steps', '1'], 1],
])('%s uses the names of a variant file', async (name, words, tries) => {
  const mock = await startMock({ rateLimit: 'off', variant: { overrides: [row] } });
  const file = join(folder(), 'variant.json');
  writeFileSync(file, JSON.stringify({ overrides: [row] }));
  const argv = [name, ...words.map((word) => (word === 'URL' ? mock.url : word)), '--variant', file, '--quiet'];
  const { code } = await command(argv, { ...env, GIFTCARD_API_KEY: mock.apiKey });
  const { entries } = await mock.journal.list({ operation: 'addAdjustmentByGiftCardId' });
  await mock.close();
  expect(code).toBe(0);
  expect(entries.length).toBeGreaterThanOrEqual(tries);
  expect(entries.map((entry) => JSON.stringify(entry)).filter((outputText) => !outputText.includes('"cardRef'))).toEqual([]);
});
