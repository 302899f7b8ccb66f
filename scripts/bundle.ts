import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import type { JsonObject } from '../openapi/document.ts';
import { withoutRules } from '../openapi/effective/clause-lines.ts';
import packageFile from '../package.json' with { type: 'json' };
import { entries } from './entries.ts';
import { jsonText } from './generate/document-files.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

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

/** Replaces `require` in commander, because the bundle is an ES module and has no `require`. `getBuiltinModule` returns the same modules. */
const commanderAsModule: Plugin = {
  name: 'commander-as-module',
  setup({ onLoad }) {
    onLoad({ filter: /commander\/lib\/command\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
        // Commander needs this module only for subcommands in other files. Loading the module takes 5 ms.
        .replace("require('node:child_process')", 'undefined')
        .replaceAll("require('node:", "globalThis.process.getBuiltinModule('node:");
      return { contents: text, loader: 'js' };
    });
  },
};

/** Makes cli.js load the mock from mock.js, which is a separate bundle. */
const mockAlone: Plugin = {
  name: 'mock-alone',
  setup({ onResolve }) {
    const mock = { path: './mock.js', external: true };
    onResolve({ filter: /mock\/cli\/main\.ts$/ }, ({ kind }) => (kind === 'dynamic-import' ? mock : null));
  },
};

/** Returns the programs by file name in dist/. The mock is a separate bundle, so it loads 16 files instead of 31, and starts 10 ms earlier. */
async function programs(): Promise<Map<string, Uint8Array>> {
  const outputs = await Promise.all([bundle({ cli: 'cli.ts', ...entries }), bundle({ mock: 'mock/cli/main.ts' })]);
  return new Map(outputs.flat().map(({ path, contents }) => [relative(dist, path).replaceAll('\\', '/'), contents]));
}

/**
 * Returns the output files of esbuild. Most dependencies are loaded from node_modules at their first use. Every start needs commander, leven,
 * tinyqueue and pure-rand, so the bundle contains these four. This saves 8 ms. A user need not install these four, so they are devDependencies.
 * Only syntax is minified, because minified names make stack traces unreadable.
 */
async function bundle(entryPoints: Record<string, string>): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...Object.keys(packageFile.dependencies), ...Object.keys(packageFile.peerDependencies)].filter(
      (name) => name !== 'openapi-fetch',
    ),
    plugins: [jsonAsText, commanderAsModule, mockAlone],
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles;
}

/**
 * Returns a module for `require` per entry. It loads the ES module with Node's own `require`, also inside Jest, whose `require` loads no ES modules. A
 * second build for `require` would be a second copy: two classes SandboxError, and the mock would run on the fake timers of Jest.
 */
function commonJs(): Map<string, Uint8Array> {
  const text = (name: string) =>
    `module.exports = process.getBuiltinModule('module').createRequire(__filename)('./${name}.js');\n`;
  return new Map(Object.keys(entries).map((name) => [`${name}.cjs`, Buffer.from(text(name))]));
}

/** Returns the documents of the package, and the licences of bundled packages. */
function documents(): Map<string, Uint8Array> {
  const from = (path: string) => readFileSync(join(root, path));
  const { 'x-generated': _, ...contract } = JSON.parse(from('openapi/generated/contract.json').toString()) as JsonObject;
  return new Map([
    ['openapi.json', Buffer.from(jsonText(withoutRules(contract)))],
    ['reference.html', from('openapi/reference.html')],
    ['redoc.standalone.js', from('node_modules/redoc/bundles/redoc.standalone.js')],
    ['variant.schema.json', from('openapi/generated/variant.schema.json')],
    ['profile.schema.json', from('conformance/generated/profile.schema.json')],
    ['results.schema.json', from('conformance/generated/results.schema.json')],
    ['world.schema.json', from('mock/world/world.schema.json')],
    ['third-party-licences.txt', Buffer.from(licences())],
  ]);
}

function licences(): string {
  const sections = ['commander', 'leven', 'openapi-fetch', 'tinyqueue', 'pure-rand', 'redoc'].map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each)) ?? 'LICENSE';
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  const inRedoc = readFileSync(join(root, 'node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt'), 'utf8');
  return [...sections, `Bundled in redoc\n\n${inRedoc}`].join('\n');
}

/** Replaces changed files atomically, because a mock may run from dist/ during a build. Removes files of earlier builds, except declarations. */
function write(files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(dist, { recursive: true });
  for (const [name, contents] of files) {
    const path = join(dist, name);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, contents, name === 'cli.js' ? { mode: 0o755 } : {});
    renameSync(unfinished, path);
  }
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const name = relative(dist, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && !/\.d\.c?ts$/.test(name) && !files.has(name)) rmSync(join(dist, name), { force: true });
  }
}

const files = new Map([...(await programs()), ...commonJs(), ...documents()]);
const cli = Buffer.from(files.get('cli.js') ?? []);
files.set('cli.js', Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), cli]));
write(files);

// Only the npm package needs type declarations. `npm start` builds without them, which is faster.
if (process.argv.includes('--types')) {
  const { writeTypes } = await import('./types.ts');
  writeTypes(join(root, process.argv.includes('--api') ? 'api-report' : 'node_modules/.cache/giftcard-sandbox/api-report'));
}
