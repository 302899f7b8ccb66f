import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../package.json' with { type: 'json' };

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly if?: string; readonly steps: readonly Step[] }>>;
}

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, parse(readFileSync(join(folder, name), 'utf8')) as Workflow] as const);

describe.each(workflows)('the workflow %s', (_, { permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('has only the permissions that it names, and actions of one major version', () => {
    expect(Object.keys(permissions)).toContain('contents');
    expect(permissions.contents).toBe('read');
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  });

  test('runs commands that exist', () => {
    for (const { run = '' } of steps) {
      for (const [, script = ''] of run.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(packageFile.scripts)).toContain(script);
      for (const [file] of run.matchAll(/\.ci\/\w+/g)) expect(existsSync(join(root, file))).toBe(true);
    }
  });
});

test('the checks of CI are commands that exist', () => {
  const commands = [...readFileSync(join(root, '.ci/checks'), 'utf8').matchAll(/'npm run ([\w:]+)'/g)].map(
    ([, script]) => script,
  );
  expect(commands.length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(packageFile.scripts)).toEqual(expect.arrayContaining(commands));
});

test('a version is published only by hand, from a tag', () => {
  for (const [name, { on, jobs }] of workflows.filter(([file]) => ['npm.yml', 'image.yml'].includes(file))) {
    expect(on, name).toBe('workflow_dispatch');
    for (const job of Object.values(jobs)) expect(job.if, name).toBe("startsWith(github.ref, 'refs/tags/v')");
  }
});
