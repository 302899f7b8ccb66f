import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild';
import type { JsonObject } from '../openapi/document.ts';
import { withoutRules } from '../openapi/effective/rule-lines.ts';
import packageFile from '../package.json' with { type: 'json' };
import { entries } from './entries.ts';
import { jsonText } from './generate/document-files.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const TEMPLATES = 'mock/client/runners/templates';
const nameInDist = (path: string) => relative(dist, path).replaceAll('\\', '/');

/** Bundles JSON files as JSON strings. V8 parses the contract 1 ms faster in this form than as the object literal that esbuild writes. */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

const shared = {
  absWorkingDir: root,
  outdir: dist,
  write: false,
  metafile: true,
  bundle: true,
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Makes cli.js load the mock from mock.js, which is a separate bundle. */
const mockAlone: Plugin = {
  name: 'mock-alone',
  setup({ onResolve }) {
    const filter = /cli\/mock\/main\.ts$/;
    onResolve({ filter }, ({ kind }) => (kind === 'dynamic-import' ? { path: './mock.js', external: true } : null));
  },
};

/** The generated modules of the programs, by file name in dist/generated/. */
const generated = new Map<string, string>();

/** Makes both programs load code and data that `npm run generate` writes from the same files. */
const generatedOnce: Plugin = {
  name: 'generated-once',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/generated\/[\w.-]+\.js(on)?$/ }, ({ path, resolveDir, namespace }) => {
      if (namespace === 'json') return { path, external: true };
      const source = join(resolveDir, path);
      const name = relative(root, source)
        .replace(/\.js(on)?$/, '')
        .replace(/[\\/]generated/, '')
        .replaceAll(/[\\/]/g, '-');
      generated.set(name, source);
      const module = `./generated/${name}.js`;
      // An import of JSON has a type, which an import of the module must not have.
      return path.endsWith('.json') ? { path: module, namespace: 'json' } : { path: module, external: true };
    });
    onLoad({ filter: /.*/, namespace: 'json' }, ({ path }) => ({ contents: `export { default } from '${path}';` }));
  },
};

type Bundle = BuildResult<{ write: false; metafile: true }>;

/** Returns the bundles. The mock is a separate bundle, so it loads 16 files instead of 31, and starts 10 ms earlier. */
async function bundles(): Promise<Bundle[]> {
  const programs = await Promise.all([program({ cli: 'cli/main.ts', ...entries }), program({ mock: 'cli/mock/main.ts' })]);
  return [...programs, await generatedModules(), ...(await Promise.all([page('dashboard'), page('report')]))];
}

/**
 * Returns the output files of a program. Most dependencies are loaded from node_modules at their first use. Every start needs commander, leven,
 * tinyqueue and pure-rand, so the bundle contains these four. This saves 8 ms. A user need not install these four, so they are devDependencies.
 * Only syntax is minified, because minified names make stack traces unreadable.
 */
function program(entryPoints: Record<string, string>): Promise<Bundle> {
  return build({
    ...shared,
    entryPoints,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    platform: 'node',
    target: 'node20',
    external: [...Object.keys(packageFile.dependencies), ...Object.keys(packageFile.peerDependencies)].filter(
      (name) => name !== 'openapi-fetch',
    ),
    plugins: [generatedOnce, jsonAsText, mockAlone],
    // Commander is a CommonJS module, so it needs a `require`. It uses child processes only for commands in other files; loading them takes 5 ms.
    banner: { js: "const require = (name) => (name === 'node:child_process' ? {} : globalThis.process.getBuiltinModule(name));" },
    minifySyntax: true,
    // The list of side effects in package.json is about dist/, not about the sources: files of rules have side effects.
    ignoreAnnotations: true,
  });
}

/** Returns the generated modules. No stack trace needs the names in them. */
function generatedModules(): Promise<Bundle> {
  return build({
    ...shared,
    entryPoints: Array.from(generated, ([name, source]) => ({ in: source, out: `generated/${name}` })),
    external: Object.keys(packageFile.dependencies),
    plugins: [jsonAsText],
    platform: 'node',
    target: 'node20',
    minify: true,
  });
}

/** Returns script and style sheet of a page, for browsers of the last three years. */
function page(name: string): Promise<Bundle> {
  return build({
    ...shared,
    entryPoints: ['main.tsx', `${name}.css`].map((file) => ({ in: `ui/${name}/${file}`, out: `ui/${name}` })),
    // A report has its script inline.
    format: name === 'report' ? 'iife' : 'esm',
    target: 'es2023',
    minify: true,
  });
}

/**
 * Returns a module for `require` per entry. It loads the ES module with Node's own `require`. Inside Jest, `require` and `process` are those of Jest, which
 * load no ES modules, so the module asks the main context of Node. A second build for `require` would be a second copy of the package, with a second
 * class SandboxError. Inside Jest, its timers would be the fake timers of the test.
 */
function commonJs(built: readonly Bundle[]): Map<string, Uint8Array> {
  const texts = Object.keys(entries).map((name) => {
    const names = built.flatMap(({ metafile }) => metafile.outputs[`dist/${name}.js`]?.exports ?? []);
    const text = `'use strict';
const { createRequire } = require('node:vm').runInThisContext("process.getBuiltinModule('node:module')");
const entry = createRequire(__filename)('./${name}.js');
Object.defineProperty(exports, '__esModule', { value: true });
${names.map((each) => `exports.${each} = entry.${each};\n`).join('')}`;
    return [`${name}.cjs`, Buffer.from(text)] as const;
  });
  return new Map(texts);
}

/** Returns the documents of the package. */
function documents(): Map<string, Uint8Array> {
  const from = (path: string) => readFileSync(join(root, path));
  const { 'x-generated': _, ...contract } = JSON.parse(from('openapi/generated/contract.json').toString()) as JsonObject;
  return new Map([
    ['openapi.json', Buffer.from(jsonText(withoutRules(contract)))],
    ['variant.schema.json', from('openapi/generated/variant.schema.json')],
    ['profile.schema.json', from('conformance/generated/profile.schema.json')],
    ['results.schema.json', from('conformance/generated/results.schema.json')],
    ['world.schema.json', from('mock/world/world.schema.json')],
    ...readdirSync(join(root, TEMPLATES)).map((name) => [`templates/${name}`, from(`${TEMPLATES}/${name}`)] as const),
  ]);
}

/** Returns the licences of bundled packages. */
function licences(built: readonly Bundle[]): string {
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const bundled = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const sections = [...new Set(bundled.sort())].map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each)) ?? 'LICENSE';
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return sections.join('\n');
}

/** Replaces changed files atomically, because a mock may run from dist/ during a build. Removes files of earlier builds, except declarations. */
function write(files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(dist, { recursive: true });
  for (const [name, contents] of files) {
    const path = join(dist, name);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, contents, name === 'cli.js' ? { mode: 0o755 } : {});
    renameSync(unfinished, path);
  }
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const name = nameInDist(join(entry.parentPath, entry.name));
    if (entry.isFile() && !/\.d\.c?ts$/.test(name) && !files.has(name)) rmSync(join(dist, name), { force: true });
  }
}

/** Builds dist/, without type declarations: only the npm package needs them, and `npm start` is faster without. */
async function buildDist(): Promise<void> {
  const built = await bundles();
  const files = new Map([
    ...built.flatMap((one) => one.outputFiles.map(({ path, contents }) => [nameInDist(path), contents] as const)),
    ...commonJs(built),
    ...documents(),
    ['third-party-licences.txt', Buffer.from(licences(built))],
  ]);
  write(files);
}

if (process.argv[1] === import.meta.filename) await buildDist();
