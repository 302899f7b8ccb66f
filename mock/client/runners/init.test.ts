import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../cli/run-command.ts';
import { initCommand } from './init.ts';

/** Runs init in a project with these files. An object is the content of a JSON file. */
async function init(files: Readonly<Record<string, string | object>>, ...flags: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const texts = { out: '', err: '' };
  const io = {
    stdout: { write: (text: string) => (texts.out += text) },
    stderr: { write: (text: string) => (texts.err += text) },
  };
  const again = (...more: string[]) => runCommand(initCommand({}, io, folder), more, io, '1');
  return { code: await again(...flags), ...texts, folder, again };
}

const VITEST = { 'package.json': { devDependencies: { vitest: '4', 'giftcard-sandbox': '*' } } };

test('a configuration that exists is not changed; init prints what to add, once', async () => {
  const config = 'export default {};\n';
  const { code, out, folder } = await init({ ...VITEST, 'vite.config.ts': config });
  expect([code, readFileSync(join(folder, 'vite.config.ts'), 'utf8')]).toEqual([0, config]);
  expect(out).toContain("Add to vite.config.ts: test: { globalSetup: ['giftcard-sandbox/vitest/setup'] }");
  const done = "export default { test: { globalSetup: 'giftcard-sandbox/vitest/setup' } };";
  expect((await init({ ...VITEST, 'vitest.config.js': done })).out).not.toContain('Add to');
  const inPackage = await init({ 'package.json': { jest: { preset: 'ts-jest' } } });
  expect(inPackage.out).toContain('Add to jest in package.json: globalSetup: ');
  expect(existsSync(join(inPackage.folder, 'jest.config.cjs'))).toBe(false);
});

test('a file is overwritten only with --yes, and before that nothing is written', async () => {
  const { code, err, folder, again } = await init({ ...VITEST, 'gift-cards.test.js': 'mine' });
  expect([code, err]).toEqual([2, expect.stringContaining('gift-cards.test.js')]);
  expect(existsSync(join(folder, 'vitest.config.mjs'))).toBe(false);
  expect(readFileSync(join(folder, 'gift-cards.test.js'), 'utf8')).toBe('mine');
  expect(await again('--yes')).toBe(0);
  expect(readFileSync(join(folder, 'gift-cards.test.js'), 'utf8')).toContain('testAccount');
});

test('the example is in the folder of tests, and init names a missing package', async () => {
  const { folder, again, out } = await init(VITEST);
  expect(out).not.toContain('npm install');
  mkdirSync(join(folder, 'tests'));
  expect(await again('--runner', 'node')).toBe(0);
  expect(existsSync(join(folder, 'tests/gift-cards.test.mjs'))).toBe(true);
  expect((await init({ 'package.json': {} })).out).toContain('npm install -D giftcard-sandbox');
});

test.each([
  [{}, [], /package\.json/],
  [{ 'package.json': '{' }, [], /package\.json cannot be read/],
  [{ 'package.json': { devDependencies: { vitest: '4', '@playwright/test': '1' } } }, [], /vitest and playwright.*--runner/],
  [VITEST, ['--runner', 'mocha'], /--runner .*mocha/],
])('%j %j: one sentence, and exit 2', async (files, flags, sentence) => {
  const { code, err, out } = await init(files, ...flags);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)]);
  expect(err.trimEnd()).not.toContain('\n');
});
