import { build } from 'esbuild';

/**
 * Generated code with everything that it imports put into it, as one ESM text. `folder` is where its imports lead from, `name` what it is called
 * when something is wrong. Throws where a module would still be loaded at run time.
 */
export async function selfContained(contents: string, folder: string, name: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: name },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    logLevel: 'error',
    preserveSymlinks: true, // or the text would name the place where the modules really are
  });
  const output = outputFiles[0]?.text ?? '';
  if (output.includes('__require') || Object.values(metafile.outputs).some(({ imports }) => imports.length > 0)) {
    throw new Error(`${name} would still load another module; bundle it in.`);
  }
  return output;
}
