import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { allowedWords } from './lint/budgets.ts';
import { nameProblems } from './lint/names.ts';
import { lacksTest, pastBudget, projectFiles, sizes } from './lint/size.ts';
import { avoidedWords, isChecked } from './lint/words.ts';
import { table } from './table.ts';

const root = resolve(import.meta.dirname, '..');
const texts = projectFiles(root).map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }));
const rows = sizes(texts.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })));

if (process.argv.includes('--size')) {
  const shown = rows.map(({ what, size, budget }) => [what, String(size), String(budget)]);
  process.stdout.write(table([['', 'size', 'budget'], ...shown]));
} else {
  const words = texts
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, text }) =>
      avoidedWords(path, text, allowedWords).map(({ line, word, write }) => `${path}:${line} "${word}": write ${write}`),
    );
  const empty = texts.flatMap(({ path, text }) => (lacksTest(path, text) ? [`${path} contains no test; rename it.`] : []));
  const problems = [...pastBudget(rows), ...words, ...nameProblems(texts), ...empty];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
