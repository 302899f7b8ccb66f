import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** Sizes next to their budgets: one row per folder, then the project, its number of files, and each file past its budget. */
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

export const pastCeiling = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ size, ceiling }) => size > ceiling)
    .map(({ what, size, ceiling }) => `${what} is ${size}; the ceiling is ${ceiling}.`);

export function table(rows: readonly Row[]): string {
  const shown = [
    ['', 'size', 'budget', 'ceiling'],
    ...rows.map((row) => [row.what, row.size, row.budget, row.ceiling].map(String)),
  ];
  const width = Math.max(...shown.map(([what = '']) => what.length));
  return shown
    .map(([what = '', ...numbers]) => [what.padEnd(width), ...numbers.map((each) => each.padStart(9))].join(''))
    .join('\n');
}

/** Every file that git tracks or would add. */
export function projectFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '');
}

/** The text of a file; undefined for one that was deleted and is still in git's index. */
export function textOf(root: string, path: string): string | undefined {
  try {
    return readFileSync(resolve(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
