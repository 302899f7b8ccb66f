import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../package.json' with { type: 'json' };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
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

test.each(workflows)(
  'in the workflow %s, no code of other packages runs where a token can publish',
  (_, { permissions, jobs }) => {
    for (const job of Object.values(jobs)) {
      const canPublish =
        { ...permissions, ...job.permissions }['id-token'] === 'write' || JSON.stringify(job.steps).includes('secrets.NPM_TOKEN');
      for (const { run = '' } of job.steps) {
        if (canPublish) expect(run).not.toMatch(/npm (?:ci|install|test|run|exec)|npx|npm publish(?!.* --ignore-scripts)/);
        else expect(run).not.toMatch(/npm (?:install|publish)|npm ci(?! --ignore-scripts)/);
      }
    }
  },
);

test('the image installs what the lock file has, and Dependabot watches every lock file, action and base image', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(image).not.toMatch(/npm (?:install|i|add) |npm ci(?! --ignore-scripts)/);
  expect(image).toContain('npm ci --ignore-scripts');
  for (const [, base] of image.matchAll(/^FROM (\S+)/gm)) expect(base).toMatch(/^node:\d+-slim$/);
  const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'));
  const watched = updates.flatMap((each: Record<string, string | string[]>) =>
    [each.directories ?? each.directory].flat().map((folder) => `${each['package-ecosystem']} ${folder}`),
  );
  const locks = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('package-lock.json') && !path.includes('node_modules'),
  );
  const npm = locks.map((path) => `npm ${join('/', dirname(path))}`);
  expect(locks.length).toBeGreaterThan(4);
  expect(watched.toSorted()).toEqual([...npm, 'docker /', 'github-actions /'].toSorted());
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
