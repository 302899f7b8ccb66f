import { expect, test } from 'vitest';
import { allLines, lines, longestFile } from './budgets.ts';
import { lacksTest, pastBudget, sizes } from './size.ts';
import { avoidedWords, isChecked } from './words.ts';

test('a folder, the project and a file past their budgets are reported; tests and generated files do not count', () => {
  const counted = [
    { path: 'openapi/a.ts', lines: (lines.openapi as number) + 1 },
    { path: 'mock/b.css', lines: allLines },
  ];
  const others = ['openapi/a.test.ts', 'openapi/generated/a.ts', 'openapi/a.yaml'].map((path) => ({ path, lines: 1_000_000 }));
  const reported = pastBudget(sizes([...counted, ...others])).map((sentence) => sentence.split(' is ')[0]);
  expect(reported).toEqual(['openapi', 'mock', 'all lines', 'openapi/a.ts', 'mock/b.css']);
  expect(pastBudget(sizes([{ path: 'openapi/a.ts', lines: longestFile }]))).toEqual([]);
});

test.each([
  ['a.ts', '// Nobody reads it.', 'Nobody'],
  ['a.ts', '/** The card stands here. */', 'stands'],
  ['a.ts', ' * It is no number.', 'is no number'],
  ['a.ts', "const text = 'what it tells';", 'tells'],
  ['a.ts', `const text = \`a card is held against the contract \${beside}\`;`, 'held against'],
  ['a.tsx', '<p>Nobody reads it.</p>', 'Nobody'],
  ['a.css', '/* The card stands here. */', 'stands'],
  ['a.md', 'The card beside it', 'beside'],
  ['a.yaml', 'text: after a while', 'a while'],
])('%s: %s', (path, line, word) => {
  expect(avoidedWords(path, `\n${line}`, [])).toEqual([{ line: 2, word, write: expect.any(String) }]);
  expect(avoidedWords(path, line, [line.trim()])).toEqual([]);
});

test.each([
  ['a.ts', 'const told = stand(beside);'],
  ['a.ts', "const sentence = 'There is no card with this code.';"],
  ['a.ts', '// It is no longer enabled, and standard.'],
])('not in %s: %s', (path, line) => {
  expect(avoidedWords(path, line, [])).toEqual([]);
});

test.each([
  ['a.test.ts', 'export class Load {\n  readonly isRight = /a/.test(text);\n}', true],
  ['a.test.tsx', "import { test } from 'vitest';", true],
  ['a.slow.test.ts', "test.concurrent.each(cases)('%s', () => {});", false],
  ['a.test.ts', "describe('a', () => {\n  it('b', () => {});\n});", false],
  ['a.ts', 'export class Load {}', false],
])('%s with %j lacks a test: %s', (path, text, lacks) => {
  expect(lacksTest(path, text)).toBe(lacks);
});

test('generated files and fixtures are not checked', () => {
  expect(['mock/a.ts', 'README.md', 'openapi/rules/a.yaml'].every(isChecked)).toBe(true);
  expect(['openapi/generated/a.ts', 'a.json'].some(isChecked)).toBe(false);
});
