import { expect, test } from 'vitest';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { formats } from './formats.ts';

const names = ['adjustment.answers-true', 'adjustment.answers-200'] as const;
const clauses = names.map((name) => clauseResult(name));
const whole = runResult(clauses);
const part = runResult(clauses, { interrupted: { after: 2, of: 495 } });
const says = 'Broken off after 2 of 495 clauses; what was not run is no verdict.';
const render = (name: keyof typeof formats, ...results: (typeof whole)[]) => formats[name].render(results, {});
const firstClause = (text: string) => text.search(/adjustment\.answers-true|Adjustment rules/);

test('a text of a run that was broken off says so first and last', () => {
  const lines = render('text', part).trimEnd().split('\n');
  expect([lines[0], lines.at(-1)]).toEqual([says, `Exit code 130: b${says.slice(1)}`]);
  const left = render('text', { ...part, cards: { created: 1, voided: 0, left: ['card#1'] } });
  expect(left.trimEnd().split('\n').slice(-2)).toEqual([says, expect.stringContaining('Exit code 5: 1 card')]);
});

test('so does a page, above its clauses and in its foot', () => {
  const page = render('html', part);
  expect(page).toContain('<h1 class="bad">Broken off after 2 of 495 clauses</h1>');
  expect(page.indexOf(`<p class="alarm">${says}</p>`)).toBeLessThan(page.indexOf('<section>'));
  expect(page).toContain(`<footer><p>${says} Written by`);
  const both = render('html', whole, part);
  expect(both).toContain(`<p class="alarm">B: ${says}</p>`);
  expect(both).toContain(`<footer><p>${part.target}: ${says} Written by`);
});

test('so does a summary, around its table', () => {
  const text = render('markdown', part);
  expect(text).toMatch(/^## ❌ Broken off after 2 of 495 clauses\n/);
  expect(text.indexOf(`**${says}**`)).toBeLessThan(firstClause(text));
  expect(text.endsWith(`**${says}**\n`)).toBe(true);
});

test('so do the test cases of CI, whose last one is an error', () => {
  const xml = render('junit', part);
  expect(xml).toContain('<testsuites name="giftcard-sandbox conformance, broken off" tests="4" failures="0" errors="1"');
  expect(xml.slice(firstClause(xml))).toContain(`name="came to its end" time="0.000"><error message="${says}">${says}</error>`);
});

test('results.json has it before the clauses', () => {
  const text = render('json', part);
  expect(JSON.parse(text).interrupted).toEqual({ after: 2, of: 495 });
  expect(text.indexOf('"interrupted"')).toBeLessThan(text.indexOf('"clauses"'));
});

test.each(Object.keys(formats) as (keyof typeof formats)[])('nothing of the kind where it came to its end: %s', (name) => {
  expect(render(name, whole)).not.toMatch(/broken off|interrupted|came to its end/i);
});

test('one that was broken off behind its last clause has judged them all', () => {
  const cleaning = runResult(clauses, { interrupted: { after: 2, of: 2 } });
  expect(render('text', cleaning)).toMatch(/^Broken off while cleaning up, after the last of 2 clauses\.\n/);
});
