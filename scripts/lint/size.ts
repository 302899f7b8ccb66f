import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { allFiles, allLines, lines, longestFile } from './budgets.ts';

interface SourceFile {
  /** The path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
}

const isCounted = (path: string) =>
  /\.(ts|tsx|css|mjs)$/.test(path) && !/\.test\.tsx?$|(^|\/)generated\/|^docs\/recipes\//.test(path);

interface Row {
  readonly what: string;
  readonly size: number;
  readonly budget: number;
}

/** Returns sizes and budgets: a row per folder, a row for the project, a row for its number of files, and a row per file that is too long. */
export function sizes(files: readonly SourceFile[]): Row[] {
  const counted = files.filter(({ path }) => isCounted(path));
  const sum = (some: readonly SourceFile[]) => some.reduce((total, file) => total + file.lines, 0);
  const ownerOf = ({ path }: SourceFile) => Object.keys(lines).findLast((folder) => path.startsWith(`${folder}/`));
  const sizeOf = (folder: string) => sum(counted.filter((file) => ownerOf(file) === folder));
  const folders = Object.entries(lines).map(([what, budget]) => ({ what, size: sizeOf(what), budget }));
  const long = counted.filter((file) => file.lines > longestFile);
  return [
    ...folders,
    { what: 'all lines', size: sum(counted), budget: allLines },
    { what: 'all files', size: counted.length, budget: allFiles },
    ...long.map(({ path, lines: size }) => ({ what: path, size, budget: longestFile })),
  ];
}

export function pastBudget(rows: readonly Row[]): string[] {
  const past = rows.filter(({ size, budget }) => size > budget);
  return past.map(({ what, size, budget }) => `${what} is ${size}; the budget is ${budget}.`);
}

/** Reports a file that has the name of a test, so that its lines do not count, but contains no test. */
export const lacksTest = (path: string, text: string): boolean =>
  /\.test\.tsx?$/.test(path) && !/^docs\/recipes\//.test(path) && !/^\s*(test|it)(\.\w+)*[(<]/m.test(text);

/** Returns every file that git tracks or would add. Skips deleted files that are still in git's index. */
export function projectFiles(root: string): string[] {
  const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', ['ls-files', ...flags], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '' && existsSync(resolve(root, path)));
}
