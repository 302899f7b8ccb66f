import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, runResult } from '../testing/result-fixture.ts';
import { junitReport } from './junit.ts';

/** The elements in order with their attributes; throws where tags do not nest or something is not escaped. */
function elements(xml: string): { name: string; attributes: Record<string, string> }[] {
  const open: string[] = [];
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const rest = xml
    .replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '')
    .replace(
      /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g,
      (_, closes: string, name: string, attributes: string, empty: string) => {
        if (closes) expect(open.pop()).toBe(name);
        else {
          found.push({
            name,
            attributes: Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, k, v]) => [k, v])),
          });
          if (!empty) open.push(name);
        }
        return '';
      },
    );
  expect(open).toEqual([]);
  expect(rest.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<&]|\]\]>|[^\P{Cc}\n]/u);
  return found;
}

test('a run that judged nothing is an error, and not a green one', () => {
  const nothing = runResult([clauseResult('adjustment.answers-true', { verdict: 'untested', reason: 'budget' })]);
  expect(elements(junitReport([nothing]))[0]?.attributes).toMatchObject({ errors: '1', skipped: '1' });
});

test('several runs have suites of their own, by target', () => {
  const other = { ...everyVerdict, target: 'http://localhost:1' };
  const names = elements(junitReport([everyVerdict, other])).flatMap(({ name, attributes }) =>
    name === 'testsuite' ? [attributes.name] : [],
  );
  expect(names).toContain('http://localhost:1 · Adjustment rules');
  expect(new Set(names).size).toBe(names.length);
});
