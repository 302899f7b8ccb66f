import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { checks } from '../../conformance/clause.ts';
import '../../conformance/clauses/index.ts';
import type { ClauseResult } from '../../conformance/result.ts';
import { runClauses } from '../../conformance/run.ts';
import type { Profile } from '../../conformance/target.ts';
import type { startMock } from '../../mock/index.ts';
import type { Mutant } from './mutant.ts';

const root = resolve(import.meta.dirname, '../..');

/** Runs the mutant's clause, and nothing else, against a mock that carries the mutant; both live in this process. */
export async function judge(mutant: Mutant, profile: Profile): Promise<ClauseResult> {
  // Inside the project, so that the mutated mock finds its packages.
  const folder = mkdtempSync(join(root, 'node_modules/.mutant-'));
  try {
    const file = join(folder, 'mock.mjs');
    writeFileSync(file, await mutated(mutant));
    const { startMock: start } = (await import(pathToFileURL(file).href)) as { startMock: typeof startMock };
    const mock = await start({ listen: false, rateLimit: 'off' });
    const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
    const { clauses } = await runClauses({ target, names: [mutant.clause], checks: checks(), suite: 'mutants' });
    await mock.close();
    const [result] = clauses;
    if (!result) throw new Error(`The clause ${mutant.clause} has no test.`);
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function mutated({ file, find, replace }: Mutant): Promise<string> {
  const path = join(root, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}; a mutant replaces what stands there once.`);
  const plugin: Plugin = {
    name: 'mutant',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, (loading) => (loading.path === path ? { contents: parts.join(replace), loader: 'ts' } : null)),
  };
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'error',
  } as const;
  const { outputFiles } = await build({ absWorkingDir: root, entryPoints: ['mock/index.ts'], plugins: [plugin], ...options });
  return outputFiles[0]?.text ?? '';
}
