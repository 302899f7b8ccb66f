import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { stranger } from './server.ts';

/**
 * A text that stands once in all files of the stranger together, and what stands there instead, which may name only what
 * its file imports.
 */
export type Piece = readonly [find: string, replace: string];

const here = import.meta.dirname;
const rooms = readdirSync(join(here, 'service')).sort();
const paths = [join(here, 'server.ts'), ...rooms.map((name) => join(here, 'service', name))];
/** What its files say, by path. */
const sources: ReadonlyMap<string, string> = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));

/** The stranger with other pieces. */
export async function strangerWith(...pieces: readonly Piece[]): Promise<ReturnType<typeof stranger>> {
  const code = await inOne(pieces.reduce(replaced, sources));
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { stranger: typeof stranger };
  return module.stranger();
}

function replaced(texts: ReadonlyMap<string, string>, [find, replace]: Piece): ReadonlyMap<string, string> {
  const places = [...texts].flatMap(([path, text]) => text.split(find).slice(1).fill(path));
  const [path] = places;
  if (path === undefined || places.length > 1) {
    const where = places.map((place) => relative(here, place)).join(', ');
    throw new Error(`"${find}" must stand once in the stranger; it stands ${where === '' ? 'nowhere' : `in ${where}`}.`);
  }
  return new Map([...texts, [path, String(texts.get(path)).split(find).join(replace)]]);
}

/** All files as one, which needs none beside it. */
async function inOne(texts: ReadonlyMap<string, string>): Promise<string> {
  const given: Plugin = {
    name: 'given',
    setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: texts.get(path) ?? '', loader: 'ts' })),
  };
  const { outputFiles } = await build({
    entryPoints: [join(here, 'server.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    // Otherwise it would look for a tsconfig in every folder.
    tsconfigRaw: {},
    plugins: [given],
  });
  return outputFiles.map(({ text }) => text).join('');
}
