import { resolve } from 'node:path';
import { allowedWords, words } from './lint/budgets.ts';
import { pastCeiling, projectFiles, sizes, table, textOf } from './lint/size.ts';
import { avoidedWords, isChecked } from './lint/words.ts';

const root = resolve(import.meta.dirname, '..');
const texts = projectFiles(root).flatMap((path) => {
  const text = textOf(root, path);
  return text === undefined ? [] : [{ path, text }];
});

if (process.argv.includes('--size')) {
  process.stdout.write(`${table(sizes(texts.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))))}\n`);
} else {
  const problems = [
    ...pastCeiling(sizes(texts.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })))),
    ...pastWords(),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

/** The words to avoid of each folder that has more of them than its ceiling. */
function pastWords(): string[] {
  const found = texts
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, text }) => avoidedWords(path, text, allowedWords).map((word) => ({ path, ...word })));
  const folders = new Set(found.map(({ path }) => folderOf(path)));
  return [...folders].sort().flatMap((folder) => {
    const inFolder = found.filter(({ path }) => folderOf(path) === folder);
    const ceiling = words[folder] ?? 0;
    if (inFolder.length <= ceiling) return [];
    const places = inFolder.map(({ path, line, word, write }) => `  ${path}:${line} "${word}": write ${write}`);
    return [`${folder} has ${inFolder.length} words to avoid; the ceiling is ${ceiling}.`, ...places];
  });
}

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/', 1)[0] as string) : '.';
}
