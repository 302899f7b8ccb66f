import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** A text of a source file, and the text that takes its place. */
export type SourceChange = readonly [file: string, text: string, instead: string];

/** Builds the mock with changed sources in a temporary folder. Returns its program. Throws if a text is not in its file exactly once. */
export async function plantedProgram(changes: readonly SourceChange[]): Promise<string> {
  // Node finds the dependencies from here.
  const outdir = mkdtempSync(join(root, 'node_modules/.planted-'));
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }));
  const planted: Plugin = {
    name: 'planted',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const ofFile = changes.filter(([file]) => path === join(root, file));
        if (ofFile.length === 0) return undefined;
        return { contents: ofFile.reduce(replaced, await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
  await build({
    entryPoints: [join(root, 'cli/main.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins: [planted],
  });
  return join(outdir, 'main.mjs');
}

function replaced(source: string, [file, text, instead]: SourceChange): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${file} has this text ${parts.length - 1} times: ${text}`);
  return parts.join(instead);
}
