import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../../mock/index.ts';
import { runCaptured } from '../../mock/testing/command-fixture.ts';
import written from '../../openapi/generated/contract.json' with { type: 'json' };
import { contractCommand } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const run = (...argv: string[]) => runCaptured((_, io) => contractCommand(io), argv);

const variant = `behaviors:
  adjustment.by-id.overdraw-status: 409
  gift-card.void.body: empty
overrides:
  - { rename: GiftCard.initialValue, to: worth }
`;

test('without a variant, export prints the contract without rules; --with-rules adds them', async () => {
  const { code, stdout, stderr } = await run('export');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.length).toBeLessThan(250_000);
  const { 'x-generated': _, 'x-rules': allRules, 'x-fixed-behaviors': fixedBehaviors, ...others } = written;
  const { paths, ...lean } = JSON.parse(stdout);
  expect({ ...lean, paths: Object.keys(paths) }).toEqual({ ...others, paths: Object.keys(others.paths) });
  expect(paths['/api/GiftCard/Create'].post).not.toHaveProperty('x-rules');
  const whole = JSON.parse((await run('export', '--with-rules')).stdout);
  expect(whole).toMatchObject({ 'x-rules': allRules, 'x-fixed-behaviors': fixedBehaviors });
  const { description } = whole.paths['/api/GiftCard/Create'].post;
  const rules = written.paths['/api/GiftCard/Create'].post['x-rules'];
  expect(description).toContain(`<summary>Rules (${rules.length})</summary>`);
  expect(rules.filter((name) => !description.includes(`\`${name}\``))).toEqual([]);
});

test('with a variant, export prints the document of a mock with that variant, as JSON and YAML, from which types can be generated', async () => {
  writeFileSync(at('variant.yaml'), variant);
  const { code, stdout } = await run('export', '--variant', at('variant.yaml'));
  expect(code).toBe(0);
  await using mock = await startMock({ listen: false, variant: at('variant.yaml') });
  const response = await mock.fetch(new Request(`${mock.url}/__mock/openapi.json`));
  const document = JSON.parse(stdout);
  expect(document).toEqual(await response.json());
  expect(await run('export', '--variant', at('variant.yaml'), '--out', at('contract.yaml'))).toEqual({
    code: 0,
    stdout: expect.stringContaining(at('contract.yaml')),
    stderr: '',
  });
  expect(parse(readFileSync(at('contract.yaml'), 'utf8'))).toEqual(document);
  const types = astToString(await openapiTS(document as OpenAPI3));
  expect(types).toMatch(/worth\??: number/);
  expect(types).not.toMatch(/initialValue\??: number/);
});

test('export overwrites an OpenAPI document, and no other file', async () => {
  writeFileSync(at('own.json'), '{"name":"giftcard-client"}');
  expect(await run('export', '--out', at('own.json'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(at('own.json')),
  });
  expect(readFileSync(at('own.json'), 'utf8')).toBe('{"name":"giftcard-client"}');
  for (const file of [at('again.json'), at('again.yaml')]) {
    expect((await run('export', '--out', file)).code).toBe(0);
    expect((await run('export', '--out', file)).code).toBe(0);
  }
});

test.each([
  [['import'], "'import'"],
  [['--format', 'yaml'], "'--format'"],
  [['export', '--format', 'xml'], 'yaml or json, got "xml"'],
  [['export', '--varaint', 'x'], '--variant'],
  [['export', 'more'], '"more"'],
  [['export', '--variant'], '--variant'],
  [['export', '--variant', '/nowhere/facts.yaml'], 'facts.yaml'],
  [['export', '--out', '/nowhere/contract.json'], '/nowhere/contract.json'],
])('%j is refused in a sentence', async (argv, sentence) => {
  const { code, stdout, stderr } = await run(...argv);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
});

test('every problem of a variant file is reported with its line, and nothing is written', async () => {
  writeFileSync(at('bad.yaml'), 'behaviors:\n  gift-card.void.body: nope\n  no.such: x\n');
  const { code, stderr } = await run('export', '--variant', at('bad.yaml'), '--out', at('none.json'));
  expect(code).toBe(2);
  expect(stderr).toMatch(/bad\.yaml, line 2: .*\n.*bad\.yaml, line 3: /);
  expect(() => readFileSync(at('none.json'))).toThrow('ENOENT');
});

test('without a command, the help goes to stderr', async () => {
  const { stdout } = await run('--help');
  expect(stdout).toContain('export');
  expect(await run()).toEqual({ code: 2, stdout: '', stderr: stdout });
});
