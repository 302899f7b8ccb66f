import { expect, test } from 'vitest';
import { nameProblems } from './names.ts';

const file = (path: string, text: string) => ({ path, text });

test('a name that two files export is reported, however it is declared', () => {
  const files = [
    file('a.ts', 'export function read() {}\nexport type Row = 1;\nexport const own = 1;'),
    file('b.tsx', 'export async function read() {}\nexport interface Row {}'),
    file('c.test.ts', 'export const own = 2;'),
    file('generated/d.ts', 'export const own = 2;'),
  ];
  const reported = nameProblems(files, {}).map((sentence) => /"(\w+)"/.exec(sentence)?.[1]);
  expect(reported).toEqual(['read', 'Row']);
});

test('a name in the list is accepted, and must be needed', () => {
  const files = [file('a.ts', 'export class Clock {}\nexport class Once {}'), file('b.ts', 'export interface Clock {}')];
  expect(nameProblems(files, { Clock: 'x' })).toEqual([]);
  expect(nameProblems(files, { Clock: 'x', Once: 'y' })).toEqual([expect.stringContaining('"Once" is exported once')]);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`Name${index}`, 'x']));
  expect(nameProblems([], many)).toContain('scripts/lint/names.ts lists more than 20 names.');
});
