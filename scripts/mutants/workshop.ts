import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { type BuildContext, type BuildOptions, context, type Plugin } from 'esbuild';
import type { startMock } from '../../mock/index.ts';
import type { Mutant } from './mutant.ts';

const root = resolve(import.meta.dirname, '../..');

/** The mock with something in it changed, as code that runs in this process and is forgotten with its last user. */
export interface MutatedMock {
  readonly startMock: typeof startMock;
  readonly main: (argv: readonly string[], environment: object, io: object) => Promise<number>;
}

/** A mutant that cannot be made: its text does not stand once where it is looked for, or what stands there instead is no program. */
export class Stale extends Error {
  override readonly name = 'Stale';
}

/** What is wrong with a mutant as a text, which shows without making it; `text` is that of its file, where others have changed it. */
export function staleness({ file, find }: Mutant, text = textOf(file)): string | undefined {
  const times = text.split(find).length - 1;
  return times === 1 ? undefined : `"${find}" stands ${times} times in ${file}; a mutant replaces what stands there once`;
}

/** Builds mutated mocks, one after another, with one builder, which parses again only what has changed. Close it at the end. */
export class Workshop {
  /** What the build under way has instead of files, by their paths. */
  #mutated: ReadonlyMap<string, string> = new Map();
  #builder: Promise<BuildContext<typeof options>> | undefined;
  /** Files that some mutant is of: to be asked about each of the others would take longer than all the rest of a build. */
  readonly #mutable: RegExp;
  #last: Promise<unknown> = Promise.resolve();

  constructor(mutants: readonly Mutant[]) {
    const files = [...new Set(mutants.map(({ file }) => file.replaceAll('.', '\\.')))];
    this.#mutable = new RegExp(`/(${files.join('|')})$`);
  }

  /** The mock with all of these mutants at once; without any, as it is. Throws Stale. */
  async made(...mutants: readonly Mutant[]): Promise<MutatedMock> {
    const text = this.#last.then(() => this.#built(mutants));
    this.#last = text.catch(() => undefined);
    const module = { exports: {} as MutatedMock };
    compileFunction(await text, ['given', 'module'])((path: string) => given.get(path), module);
    return module.exports;
  }

  async close(): Promise<void> {
    await (await this.#builder)?.dispose();
  }

  async #built(mutants: readonly Mutant[]): Promise<string> {
    const mutated = new Map<string, string>();
    for (const mutant of mutants) {
      const path = join(root, mutant.file);
      const text = mutated.get(path) ?? textOf(mutant.file);
      const complaint = staleness(mutant, text);
      if (complaint !== undefined) throw new Stale(complaint);
      mutated.set(
        path,
        text.replace(mutant.find, () => mutant.replace),
      );
    }
    this.#mutated = mutated;
    this.#builder ??= context({ ...options, plugins: [this.#plugin] });
    const { outputFiles } = await (await this.#builder).rebuild().catch((error: Error) => {
      throw new Stale(`what it puts in is no program: ${error.message.split('\n')[1] ?? error.message}`);
    });
    return outputFiles[0]?.text ?? '';
  }

  readonly #plugin: Plugin = {
    name: 'mutant',
    setup: ({ onLoad, onResolve }) => {
      onLoad({ filter: this.#mutable }, ({ path }) => {
        const contents = this.#mutated.get(path);
        return contents === undefined ? null : { contents, loader: 'ts' };
      });
      // What is generated is most of the mock, and like the packages the same in every mutant: it is loaded once, and given to each.
      onResolve({ filter: /\/generated\/[\w.-]+\.js(on)?$/ }, ({ path, resolveDir }) => {
        return { path: resolve(resolveDir, path), namespace: 'given' };
      });
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => (kind === 'entry-point' ? null : { path, namespace: 'given' }));
      onLoad({ filter: /./, namespace: 'given' }, async ({ path }) => ({ contents: passedOn(path, await load(path)) }));
    },
  };
}

type Module = Readonly<Record<string, unknown>>;

const given = new Map<string, Module>();

async function load(path: string): Promise<Module> {
  const from = path.startsWith('/') ? pathToFileURL(path).href : path;
  const loaded = given.get(path) ?? (await import(from, path.endsWith('.json') ? { with: { type: 'json' } } : {}));
  given.set(path, loaded);
  return loaded;
}

/** A module that has the names of one that is loaded already. */
function passedOn(path: string, module: Module): string {
  const names = Object.keys(module).filter((name) => /^[\w$]+$/.test(name) && name !== 'default');
  const lines = names.map((name, index) => `const n${index} = module.${name}; export { n${index} as ${name} };`);
  return `const module = given(${JSON.stringify(path)}); export default module.default;\n${lines.join('\n')}`;
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

const options = {
  absWorkingDir: root,
  stdin: { contents: "export { startMock } from './mock/index.ts'; export { main } from './mock/main.ts';", resolveDir: root },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // The one file that asks where it is.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'mock/control/documents.ts')).href) },
  write: false,
  logLevel: 'silent',
} satisfies BuildOptions;
