import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import type { stranger } from './server.ts';

/** A piece of the stranger's source, which stands there once, and what stands there instead. */
export type Piece = readonly [find: string, replace: string];

const source = readFileSync(new URL('./server.ts', import.meta.url), 'utf8');

/** The stranger with other pieces. */
export async function strangerWith(...pieces: readonly Piece[]): Promise<ReturnType<typeof stranger>> {
  const text = pieces.reduce((left, [find, replace]) => {
    const parts = left.split(find);
    if (parts.length !== 2)
      throw new Error(`"${find}" stands ${parts.length - 1} times in the stranger; it must stand there once.`);
    return parts.join(replace);
  }, source);
  const { code } = transformSync(text, { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { stranger: typeof stranger };
  return module.stranger();
}
