import { resolve } from 'node:path';
import { allowedWords } from './lint/budgets.ts';
import { pastCeiling, projectFiles, sizes, table, textOf } from './lint/size.ts';
import { avoidedWords, isChecked } from './lint/words.ts';

const root = resolve(import.meta.dirname, '..');
const texts = projectFiles(root).flatMap((path) => {
  const text = textOf(root, path);
  return text === undefined ? [] : [{ path, text }];
});

const rows = sizes(texts.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })));

if (process.argv.includes('--size')) process.stdout.write(`${table(rows)}\n`);
else {
  const words = texts
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, text }) =>
      avoidedWords(path, text, allowedWords).map(({ line, word, write }) => `${path}:${line} "${word}": write ${write}`),
    );
  const problems = [...pastCeiling(rows), ...words];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
