import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildContext, type BuildOptions, context, type Plugin } from 'esbuild';
import { checks } from '../../conformance/clause.ts';
import '../../conformance/clauses/index.ts';
import type { ClauseResult } from '../../conformance/result.ts';
import { runClauses } from '../../conformance/run.ts';
import type { Profile } from '../../conformance/target.ts';
import type { startMock } from '../../mock/index.ts';
import { mutants } from './list.ts';
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
    const isLimited = checks().some(({ name, burst }) => name === mutant.clause && burst);
    const mock = await start({ listen: false, ...(isLimited ? {} : { rateLimit: 'off' }) });
    const told = { ...profile, noRateLimit: !isLimited };
    const target = { url: mock.url, key: mock.apiKey, profile: told, fetch: (request: Request) => mock.fetch(request) };
    // A mock that lets nobody in any more is not waited for.
    const time = { now: () => performance.now(), sleep: async () => {} };
    const { clauses } = await runClauses({ target, names: [mutant.clause], checks: checks(), suite: 'mutants', time });
    await mock.close();
    const [result] = clauses;
    if (!result) throw new Error(`The clause ${mutant.clause} has no test.`);
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of the mock with the mutant in it. */
async function mutated({ file, find, replace }: Mutant): Promise<string> {
  const path = join(root, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}; a mutant replaces what stands there once.`);
  mutation = { path, contents: parts.join(replace) };
  builder ??= context(options);
  const { outputFiles } = await (await builder).rebuild();
  return outputFiles[0]?.text ?? '';
}

/** What the next build has instead of a file. */
let mutation: { readonly path: string; readonly contents: string } | undefined;
/** One for all mutants, since it parses again only what has changed. */
let builder: Promise<BuildContext<typeof options>> | undefined;

/** Files that some mutant is of: to be asked about each of the others would take longer than all the rest of a build. */
const mutable = new RegExp(`/(${[...new Set(mutants.map(({ file }) => file.replaceAll('.', '\\.')))].join('|')})$`);

const plugin: Plugin = {
  name: 'mutant',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: mutable }, ({ path }) => (path === mutation?.path ? { contents: mutation.contents, loader: 'ts' } : null));
    // What is generated is most of the mock, and the same in every mutant: it is loaded once, from where it is.
    onResolve({ filter: /\/generated\/[\w.-]+\.js(on)?$/ }, ({ path, resolveDir }) => {
      return { path: pathToFileURL(resolve(resolveDir, path)).href, external: true };
    });
  },
};
const options = {
  absWorkingDir: root,
  entryPoints: ['mock/index.ts'],
  plugins: [plugin],
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  write: false,
  logLevel: 'error',
} satisfies BuildOptions;
