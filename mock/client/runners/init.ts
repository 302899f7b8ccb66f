import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { choice, toggle } from '../../../cli/flags.ts';
import type { Environment, Io } from '../../../cli/io.ts';
import { type CommandDefinition, defineCommand } from '../../../cli/run-command.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { type Project, projectIn, runnerOf, runners, type Setup, setupOf } from './setup.ts';

/** Next to this file; `npm run bundle` copies the folder to dist/. */
const templates = new URL('./templates/', import.meta.url);

export function initCommand(environment: Environment, io: Io, folder = process.cwd()): CommandDefinition {
  return defineCommand({
    usage: 'init',
    summary: 'Sets up the test runner of a project, and writes an example test',
    flags: {
      runner: choice(runners, 'default: the one that package.json names, or node:test'),
      yes: toggle('overwrites files without a question'),
    },
    environment,
    examples: ['npx giftcard-sandbox init', 'npx giftcard-sandbox init --runner playwright', 'npx giftcard-sandbox init --yes'],
    notes: `A configuration that exists is not changed; init prints what to add to it.
Exit codes: 0 written; 1 a file exists, and you chose not to overwrite it; 2 a flag is wrong, package.json is missing or names several test runners, or a file exists and there is no terminal for the question.`,
    run: async ({ runner, yes }) => {
      const project = projectIn(folder);
      const chosen = runner ?? runnerOf(project);
      const setup = setupOf(chosen ?? 'node', project);
      const config = existingConfig(setup, project);
      const files = [setup.test, ...(setup.config && config === undefined ? [setup.config] : [])];
      const existing = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
      if (existing.length > 0 && !yes && !(await mayOverwrite(existing))) return 1;
      for (const { path, template } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), readFileSync(new URL(template, templates)));
        io.stdout.write(`Wrote ${path}\n`);
      }
      if (setup.config && config !== undefined && !isSetUp(config, project))
        io.stdout.write(`Add to ${config}: ${setup.config.addition}\n`);
      if (!project.packages.has('giftcard-sandbox')) io.stdout.write('Install the package: npm install -D giftcard-sandbox\n');
      if (chosen === undefined)
        io.stdout.write(
          'package.json names no test runner, so the example is for node:test. For another one, use --runner NAME.\n',
        );
      io.stdout.write(`Run the example: ${setup.run}\n`);
      return 0;
    },
  });
}

/** Returns the name of a configuration that the project has already. */
function existingConfig({ config }: Setup, { folder, file }: Project): string | undefined {
  const found = readdirSync(folder).find((name) => config?.names.includes(parse(name).name));
  return found ?? (config?.path === 'jest.config.cjs' && file.jest !== undefined ? 'jest in package.json' : undefined);
}

function isSetUp(config: string, { folder, file }: Project): boolean {
  const text = existsSync(join(folder, config)) ? readFileSync(join(folder, config), 'utf8') : JSON.stringify(file.jest);
  return text.includes('giftcard-sandbox');
}

/** Throws UsageError if there is no terminal for the question. */
async function mayOverwrite(paths: readonly string[]): Promise<boolean> {
  const existing = `${paths.join(' and ')} ${paths.length === 1 ? 'exists' : 'exist'}`;
  if (!process.stdin.isTTY) throw new UsageError(`${existing} already; give --yes to overwrite.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const line = await terminal.question(`${existing}. Overwrite? (y/N) `);
  terminal.close();
  return /^y(es)?$/i.test(line.trim());
}
