import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { breaksIn } from './borders/rules.ts';
import type { Source } from './borders/syntax.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function sources(): Source[] {
  const inFolders = ['openapi', 'mock', 'conformance']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => {
      const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
      return paths.map((path) => `${folder}/${path.replaceAll('\\', '/')}`).filter((path) => /(?<!\.d)\.[jt]s$/.test(path));
    });
  return ['cli.ts', ...inFolders].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const breaks = breaksIn(sources());
for (const sentence of breaks) process.stderr.write(`${sentence}\n`);
if (breaks.length > 0) process.exitCode = 1;
