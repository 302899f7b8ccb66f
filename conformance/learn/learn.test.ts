import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../../mock/index.ts';
import type { Behaviors, RuleName } from '../../openapi/generated/rules.ts';
import '../rules/index.ts';
import { ruleTexts } from '../core/contract.ts';
import type { RuleResult, RunResult } from '../core/result.ts';
import { checks } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import '../questions/index.ts';
import { checkOutput, learnedQuestions, learnVariant, withVariant, writeVariant } from './learn.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

const names: RuleName[] = ['adjustment.by-id.overdraw-status', 'http.valueless-properties', 'gift-card.void.body'];

async function observe(behaviors: Partial<Behaviors>): Promise<RunResult> {
  const mock = await startMock({ listen: false, rateLimit: 'off', variant: { behaviors } });
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch: (request: Request) => mock.fetch(request) };
  const result = await runRules({ target, names, checks: checks() });
  await mock.close();
  return result;
}

test('a mock with the learned variant shows the same options', async () => {
  const behaviors = {
    'adjustment.by-id.overdraw-status': '409',
    'http.valueless-properties': 'left-out',
    'gift-card.void.body': 'true',
  } as const;
  const { variant, conflicts } = learnVariant(await observe(behaviors));
  expect({ variant, conflicts }).toEqual({ variant: { behaviors, overrides: [] }, conflicts: [] });
  const again = withVariant(await observe(variant.behaviors), variant);
  expect(again.rules.map(({ observation }) => observation?.since)).toEqual(['same', 'same', 'same']);
  expect(again.rules.map(({ observation }) => observation?.was)).toEqual([undefined, undefined, undefined]);
  const other = withVariant(again, { behaviors: { 'gift-card.void.body': 'empty' } });
  expect(other.rules.map(({ observation }) => observation?.since).sort()).toEqual(['changed', 'new', 'new']);
});

const resultOf = (...rules: Pick<RuleResult, 'name' | 'observation'>[]) =>
  ({ target: 'http://127.0.0.1:1', startedAt: '2026-01-01T00:00:00Z', rules }) as unknown as RunResult;

test('the second of two overrides that contradict each other is left out, with a reason', () => {
  const to = (name: string) => [{ rename: 'GiftCard.expiresAtUtc', to: name }];
  const { variant, conflicts } = learnVariant(
    resultOf(
      { name: 'list.elements', observation: { option: null, text: 'one', overrides: to('one') } },
      { name: 'list.total-count', observation: { option: null, text: 'two', overrides: to('two') } },
    ),
  );
  expect(variant.overrides).toEqual(to('one'));
  expect(conflicts).toHaveLength(1);
});

test('the file has the variant; comments list observations that no option covers', () => {
  const file = join(folder, 'variant.yaml');
  checkOutput(file);
  const result = resultOf({ name: 'list.total-count', observation: { option: null, text: '17 of 3' } });
  const variant = { behaviors: { 'adjustment.by-id.overdraw-status': '409' } as const, overrides: [] };
  writeVariant(file, variant, result, []);
  expect(parse(readFileSync(file, 'utf8'))).toEqual(variant);
  expect(readFileSync(file, 'utf8')).toContain('list.total-count: 17 of 3');
  checkOutput(file);
});

test('a file written by hand is not overwritten', () => {
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, 'behaviors: {}\n');
  expect(() => checkOutput(file)).toThrow(/mine\.yaml was not written by conformance learn/);
});

test('learn selects the questions; those that only read come first', () => {
  const names = learnedQuestions([...ruleTexts.keys()]);
  expect(names).not.toContain('gift-card.create.returns-200');
  expect(names.indexOf('errors.body-of-404')).toBeLessThan(names.indexOf('gift-card.create.zero-balance'));
});
