import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, runResult } from '../testing/result-fixture.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';

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

test('a section of the specification is a suite, and only what fails the run is a failure', () => {
  const found = elements(junitReport([everyVerdict]));
  const suites = found.filter(({ name }) => name === 'testsuite').map(({ attributes }) => attributes);
  expect(suites).toMatchObject([
    { name: 'List parameters', tests: '1', failures: '0', errors: '0', skipped: '1' },
    { name: 'Adjustment rules', tests: '9', failures: '1', errors: '2', skipped: '4', timestamp: '2026-03-01T10:00:00' },
    { name: 'The run', tests: '1', failures: '0', errors: '0', skipped: '0' },
  ]);
  expect(found[0]).toMatchObject({ name: 'testsuites', attributes: { tests: '11', failures: '1', errors: '2', skipped: '5' } });
  const failure = found.find(({ name }) => name === 'failure');
  expect(failure?.attributes.message).toBe('expected redeeming 1.50 of 0.60 by ID refused; got 200 true');
  const skipped = found.filter(({ name }) => name === 'skipped').map(({ attributes }) => attributes.message);
  expect(skipped).toEqual([
    'fixture-missing: the profile gives no cards',
    'known failure: ticket 12',
    'inapplicable',
    expect.stringMatching(/^observed: answers 418 &lt;script&gt;/),
    'robustness: 500',
  ]);
});

test('what is left behind and what is stale fail, since they fail the run', () => {
  const result = runResult([clauseResult('adjustment.answers-true')], {
    cards: { created: 1, voided: 0, left: ['card#1 (GCS1)'] },
    staleBaseline: ['adjustment.answers-true'],
  });
  const messages = elements(junitReport([result])).filter(({ name }) => name === 'failure');
  expect(messages.map(({ attributes }) => attributes.message)).toEqual([
    expect.stringContaining('card#1 (GCS1)'),
    expect.stringContaining('take it out'),
  ]);
});

test('facts that changed or were not seen again are told, and fail nothing', () => {
  const fact = { reading: '409', told: '409', since: 'changed', was: '400' } as const;
  const result = runResult(
    [
      clauseResult('adjustment.by-id.overdraw-status', { level: 'open', verdict: 'observed', fact }),
      clauseResult('gift-card.void.again', { level: 'open', verdict: 'observed', fact: { ...fact, since: 'same' } }),
    ],
    { stale: [{ name: 'http.head', was: 'like-get', at: '2026-01-02T00:00:00Z', why: 'not-seen' }] },
  );
  const found = elements(junitReport([result]));
  expect(found[0]?.attributes).toMatchObject({ failures: '0', errors: '0', skipped: '4' });
  const told = found.flatMap(({ name, attributes }, at) => {
    const skipped = found[at + 1]?.name === 'skipped' ? found[at + 1]?.attributes.message : undefined;
    return name === 'testcase' && / fact: /.test(attributes.name ?? '') ? [[attributes.name, skipped]] : [];
  });
  expect(told).toEqual([
    ['changed fact: adjustment.by-id.overdraw-status', '409  (changed, was 400)'],
    ['stale fact: http.head', 'http.head  was like-get on 2026-01-02, and did not show itself now'],
  ]);
  const summary = markdownReport([result]);
  expect(summary).toContain('- `adjustment.by-id.overdraw-status  409  (changed, was 400)`\n');
});

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
