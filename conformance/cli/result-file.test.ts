import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import schema from '../generated/results.schema.json' with { type: 'json' };
import { jsonReport } from '../report/json.ts';
import { clauseResult, everyVerdict, overdraw, runResult } from '../testing/result-fixture.ts';
import { readResult } from './result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'results.json');

test('a result is read as it was written', () => {
  writeFileSync(file, jsonReport([everyVerdict]));
  expect(readResult(file)).toEqual(everyVerdict);
});

test('what several clauses looked at is written once', () => {
  const shared = clauseResult('adjustment.answers-true', { exchanges: overdraw.exchanges.slice(0, 1) });
  const run = runResult([overdraw, shared]);
  const written = JSON.parse(jsonReport([run]));
  expect(written.exchanges).toEqual(overdraw.exchanges);
  expect(written.clauses.map(({ exchanges }: { exchanges: unknown }) => exchanges)).toEqual([[0, 1], [0]]);
  writeFileSync(file, jsonReport([run]));
  expect(readResult(file)).toEqual(run);
});

test.each<[string, string, string]>([
  [
    'an exchange that is not there',
    jsonReport([runResult([overdraw])]).replace(/\[\s*0,\s*1\s*\]/, '[0, 2]'),
    'adjustment.by-id.refuses-overdraw names exchange 2, which is not there.',
  ],
  ['what is no JSON', '{', 'is not JSON: line 1, column 2'],
  ['what is no result', '{"giftCards": []}', 'the whole must have required property'],
  [
    'an unknown verdict',
    jsonReport([everyVerdict]).replace('"verdict": "pass"', '"verdict": "fine"'),
    '/clauses/0/verdict must be equal to one of the allowed values',
  ],
])('%s is refused', (_, text, message) => {
  writeFileSync(file, text);
  expect(() => readResult(file)).toThrow(message);
});

test('the schema has a reason with a name of its own as the type has it, and no other', () => {
  const validate = new Ajv2020({ strict: true }).compile({ $defs: { Reason: schema.$defs.Reason }, $ref: '#/$defs/Reason' });
  expect(['budget', 'not-allowed:email', 'not allowed', 7].map((value) => validate(value))).toEqual([true, true, false, false]);
});
