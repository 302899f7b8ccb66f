import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { allFiles, allLines, type Budget, lines, longestFile } from './budgets.ts';

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
}

const isCounted = (path: string) => /\.(ts|tsx|css|mjs)$/.test(path) && !/\.test\.tsx?$|(^|\/)generated\/|^recipes\//.test(path);

interface Row extends Budget {
  readonly what: string;
  readonly size: number;
}

/** Compares sizes with their budgets: one row per folder, then the project, its number of files, and each file past its budget. */
export function sizes(files: readonly SourceFile[]): Row[] {
  const counted = files.filter(({ path }) => isCounted(path));
  const sum = (some: readonly SourceFile[]) => some.reduce((total, file) => total + file.lines, 0);
  const folders = Object.entries(lines).map(([folder, budget]) => {
    return { what: folder, size: sum(counted.filter(({ path }) => path.startsWith(`${folder}/`))), ...budget };
  });
  const long = counted.filter((file) => file.lines > longestFile.budget);
  return [
    ...folders,
    { what: 'all lines', size: sum(counted), ...allLines },
    { what: 'all files', size: counted.length, ...allFiles },
    ...long.map(({ path, lines: size }) => ({ what: path, size, ...longestFile })),
  ];
}

export function pastCeiling(rows: readonly Row[]): string[] {
  const past = rows.filter(({ size, ceiling }) => size > ceiling);
  return past.map(({ what, size, ceiling }) => `${what} is ${size}; the ceiling is ${ceiling}.`);
}

/** Returns every file that git tracks or would add. A deleted file can still be in git's index. */
export function projectFiles(root: string): string[] {
  const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', ['ls-files', ...flags], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '' && existsSync(resolve(root, path)));
}
