import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the recipe for node:test runs, with the package as it is built', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', 'recipes/node-test/'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^# pass [1-9]/m);
  expect(stdout).toMatch(/^# fail 0/m);
});
