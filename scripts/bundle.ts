import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import packageFile from '../package.json' with { type: 'json' };

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** V8 reads the contract as a string of JSON 1 ms faster than as an object literal, which is what esbuild makes of a JSON file. */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** Commander is CommonJS, and `require` does not exist in the bundle; node gives its own modules this way, too. */
const commanderAsModule: Plugin = {
  name: 'commander-as-module',
  setup({ onLoad }) {
    onLoad({ filter: /commander\/lib\/command\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll("require('node:", "globalThis.process.getBuiltinModule('node:");
      return { contents: text, loader: 'js' };
    });
  },
};

/**
 * The programs, by their names in dist/. Dependencies stay outside and are loaded from node_modules when they are first needed. commander, tinyqueue
 * and pure-rand are needed at every start and are therefore bundled, which makes the start 8 ms shorter; being bundled, they are devDependencies.
 * Nothing is minified but syntax: it would save half a millisecond, and stack traces could no longer be read.
 */
async function programs(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { cli: 'cli.ts', index: 'mock/index.ts', control: 'mock/control/client.ts', vitest: 'conformance/vitest.ts' },
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
    plugins: [jsonAsText, commanderAsModule],
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, contents }) => [relative(dist, path).replaceAll('\\', '/'), contents]));
}

/** What is handed out as it is: documents, and the texts of the licences of what is bundled. */
function documents(): Map<string, Uint8Array> {
  const from = (path: string) => readFileSync(join(root, path));
  return new Map([
    ['openapi.json', from('openapi/generated/contract.json')],
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
  const sections = ['commander', 'openapi-fetch', 'tinyqueue', 'pure-rand', 'redoc'].map((name) => {
    const folder = join(root, 'node_modules', name);
    return `${name}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  const inRedoc = readFileSync(join(root, 'node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt'), 'utf8');
  const ofZones = readFileSync(join(root, 'mock/domain/windows-zones.licence.txt'), 'utf8');
  return [...sections, `Bundled in redoc\n\n${inRedoc}`, `Names of time zones, from the Unicode CLDR\n\n${ofZones}`].join('\n');
}

/**
 * Puts the files in place one by one, each whole, and only where something changed; so a mock that runs from dist/ while it is built again still
 * finds what it loads later. What is left over of an earlier build goes, apart from the types.
 */
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
    if (entry.isFile() && !name.startsWith('types/') && !files.has(name)) rmSync(join(dist, name), { force: true });
  }
}

const files = new Map([...(await programs()), ...documents()]);
const cli = Buffer.from(files.get('cli.js') ?? []);
files.set('cli.js', Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), cli]));
write(files);

// With --types also the declarations, without which the programs run as well; a start from a clone does not wait for them.
if (process.argv.includes('--types')) {
  rmSync(join(dist, 'types'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
