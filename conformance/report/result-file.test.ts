import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { everyVerdict, overdraw, ruleResult, runResult } from '../testing/result-fixture.ts';
import { readResult, resultJson } from './result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'results.json');

test('a result is read as it was written, with shared exchanges in the file once', () => {
  const shared = ruleResult('adjustment.returns-true', { exchanges: overdraw.exchanges.slice(0, 1) });
  for (const run of [everyVerdict, runResult([overdraw, shared])]) {
    writeFileSync(file, resultJson([run]));
    expect(readResult(file)).toEqual(run);
  }
  const { rules, exchanges } = JSON.parse(resultJson([runResult([overdraw, shared])]));
  expect(exchanges).toEqual(overdraw.exchanges);
  expect(rules.map((rule: { exchanges: unknown }) => rule.exchanges)).toEqual([[0, 1], [0]]);
});

test.each<[string, string, RegExp]>([
  ['text that is not JSON', '{', /line 1, column 2/],
  ['another JSON file', '{"giftCards": []}', /is not a result file/],
  ['an unknown verdict', resultJson([everyVerdict]).replace('"verdict": "pass"', '"verdict": "fine"'), /is not a result file/],
])('%s is refused', (_, text, message) => {
  writeFileSync(file, text);
  expect(() => readResult(file)).toThrow(message);
});

test('a file has the version of its format and the exit code', () => {
  const [header, left] = [everyVerdict, { ...everyVerdict, leftBefore: ['card#7'] }].map((run) => JSON.parse(resultJson([run])));
  expect([header.formatVersion, header.exitCode, left.exitCode]).toEqual([1, 1, 5]);
  writeFileSync(file, JSON.stringify({ ...header, formatVersion: 2 }));
  expect(() => readResult(file)).toThrow(/formatVersion 2.*Update/);
});
