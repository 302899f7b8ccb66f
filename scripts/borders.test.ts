import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { crossings } from './borders.ts';

const root = mkdtempSync(join(tmpdir(), 'borders-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes each file below the folder `name`, and returns the path of the folder. */
function tree(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true });
    writeFileSync(join(root, name, path), text);
  }
  return join(root, name);
}

/** Folders of the suite whose code uses the core. */
const aboveCore = ['compare', 'fuzz', 'proxy', 'learn', 'report', 'rules', 'questions', 'scenarios'];

const target = 'export const value = 1;\nexport type Value = number;\n';
const targets = {
  'openapi/names.ts': target,
  'mock/state/records.ts': target,
  'mock/account/account.ts': target,
  'mock/account/registry.ts': target,
  'mock/server/http.ts': target,
  'mock/testing/world.ts': target,
  'mock/domain/money.ts': target,
  'conformance/core/run.ts': target,
  'conformance/safety/gate.ts': target,
  'cli/conformance/flags.ts': target,
  'conformance/report/text.ts': target,
  ...Object.fromEntries(aboveCore.map((folder) => [`conformance/${folder}/result.ts`, target])),
};

test('each planted import that crosses a border is reported, type imports included', async () => {
  const planted = {
    'openapi/a.ts': "import type { Value } from '../mock/domain/money.ts';\nexport type A = Value;",
    'mock/journal/a.ts': "export * from '../../conformance/core/run.ts';",
    'conformance/core/a.ts': "export const a = await import('../../mock/domain/money.ts');",
    ...Object.fromEntries(
      aboveCore.map((folder) => [`conformance/core/${folder}.ts`, `export { value } from '../${folder}/result.ts';`]),
    ),
    'conformance/safety/a.ts': "export type { Value } from '../core/run.ts';",
    'conformance/http/a.ts': "export type { Value } from '../safety/gate.ts';",
    'cli/a.ts': "export { value } from '../mock/domain/money.ts';",
    'mock/world/c.ts': "export { value } from '../../cli/conformance/flags.ts';",
    'conformance/report/c.ts': "export { value } from '../../cli/conformance/flags.ts';",
    'mock/domain/a.ts': "import { value } from '../account/account.ts';\nexport const a = value;",
    'mock/domain/b.ts': "import { readFileSync } from 'node:fs';\nexport const b = readFileSync;",
    'mock/control/a.ts': "import type { Value } from '../account/account.ts';\nexport type A = Value;",
    'mock/state/a.ts': "import type { Value } from '../account/account.ts';\nexport type A = Value;",
    'mock/pipeline/a.ts': "export { value } from '../server/http.ts';",
    'mock/pipeline/b.ts': "export { value } from '../testing/world.ts';",
    'mock/world/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;",
    'mock/world/two.ts': "import type { One } from './one.ts';\nexport type Two = One | 2;",
  };
  const found = await crossings(tree('bad', { ...targets, ...planted }), ['openapi', 'mock', 'conformance', 'cli']);
  const places = Array.from(found.matchAll(/error [\w-]+: (\S+)/g), ([, path]) => path);
  expect(new Set(places)).toEqual(new Set(Object.keys(planted).filter((path) => path !== 'mock/world/two.ts')));
  expect(found).toMatch(/error no-cycle: [\s\S]*circle/);
});

test('imports within the borders are not reported', async () => {
  const lawful = {
    'mock/domain/a.ts':
      "import type { Value } from '../account/registry.ts';\nimport { value } from './money.ts';\nexport const a: Value = value;",
    'mock/pipeline/a.test.ts': "export { value } from '../testing/world.ts';",
    'cli/conformance/main.ts': "export { value } from '../report/text.ts';",
  };
  expect(await crossings(tree('good', { ...targets, ...lawful }), ['openapi', 'mock', 'conformance'])).toBe('');
});

test('Biome refuses time, randomness and the process in the mock, each with its line', () => {
  const uses = [
    'randomUUID()',
    'Date.now()',
    'new Date()',
    'Math.random()',
    'setTimeout(Boolean, 5)',
    'process.env',
    'globalThis.Date',
  ];
  const text = `import { randomUUID } from 'node:crypto';\n${uses.map((use, at) => `export const use${at} = ${use};`).join('\n')}\n`;
  const project = resolve(import.meta.dirname, '..');
  const folder = tree('globals', { 'mock/pipeline/planted.ts': text, 'mock/account/clock.ts': text, 'scripts/planted.ts': text });
  cpSync(join(project, 'biome.json'), join(folder, 'biome.json'));
  cpSync(join(project, 'scripts/borders'), join(folder, 'scripts/borders'), { recursive: true });
  const biome = join(project, 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', '--vcs-enabled=false', '--reporter=github'], { cwd: folder, encoding: 'utf8' });
  const refused = (path: string) =>
    [...stdout.matchAll(new RegExp(`file=[^,]*${path},line=(\\d+)`, 'g'))].map(([, line]) => Number(line)).sort();
  expect(refused('mock/pipeline/planted.ts')).toEqual([1, 3, 4, 5, 6, 7, 8]);
  expect(refused('mock/account/clock.ts')).toEqual([7, 8]);
  expect(refused('scripts/planted.ts')).toEqual([]);
});
