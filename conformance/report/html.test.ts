import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { everyVerdict, hostile, overdraw, ruleResult, runResult } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { builtFile, htmlReport } from './html.ts';
import type { PageData } from './page-data.ts';

// These tests need `npm run bundle`. The tests of ui/browser open the pages.
const page = htmlReport([buildDocument([everyVerdict])]);

const dataOf = (html: string): PageData => JSON.parse(/id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '');

const itemsOf = (html: string) => dataOf(html).documents.flatMap(({ groups }) => groups.flatMap(({ items }) => items));

test('the page loads nothing and allows only its own script and style', () => {
  expect(page).not.toMatch(/<(link|img|script|iframe)[^>]* (src|href)="(?!data:,)/);
  expect(page).not.toMatch(/@import|url\(/);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  for (const [element, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ]) {
    const [, text = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
    expect(policy).toContain(`${directive} 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
});

test('a file that is not built is refused with the command that builds it', () => {
  expect(() => builtFile('none.js')).toThrow(/dist\/ui\/none\.js.*npm run bundle/);
});

test('the target cannot inject elements', () => {
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain(hostile);
  expect(dataOf(page).exchanges.map(({ body }) => body)).toContain(hostile);
});

test('the page has every rule with its exchanges, and the line of curl of each', () => {
  expect(itemsOf(page).map(({ id }) => id)).toEqual(expect.arrayContaining(everyVerdict.rules.map(({ name }) => name)));
  expect(dataOf(page).exchanges.map(({ curl }) => curl)).toEqual([
    expect.stringContaining('--data-raw'),
    expect.stringContaining('$SECOND_KEY'),
  ]);
});

test('without its script, the page has the text report', () => {
  const text = /<pre id="text">([\s\S]*)<\/pre>/.exec(page)?.[1] ?? '';
  expect(text).toMatch(/^FAIL {2}adjustment\.by-id\.refuses-overdraw/m);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('an exchange of several rules is in the page once', () => {
  const shared = ruleResult('adjustment.returns-true', { exchanges: overdraw.exchanges.slice(0, 1) });
  const both = htmlReport([buildDocument([runResult([shared, overdraw])])]);
  expect(itemsOf(both).map(({ exchanges }) => exchanges)).toEqual(expect.arrayContaining([[0], [0, 1]]));
  expect(dataOf(both).exchanges).toHaveLength(2);
});

test('a comparison has the names of the results, and details only of failures and errors', () => {
  const other = { ...everyVerdict, target: 'http://127.0.0.1:9999' };
  const html = htmlReport([buildDocument([everyVerdict]), buildDocument([other])], ['node', 'go']);
  expect(dataOf(html).documents.map(({ name, target }) => [name, target])).toEqual([
    ['node', everyVerdict.target],
    ['go', other.target],
  ]);
  const detailed = itemsOf(html).filter(({ details }) => details.length > 0);
  expect(new Set(detailed.map(({ status }) => status))).toEqual(new Set(['fail', 'blocked', 'error']));
  expect(dataOf(html).exchanges).toHaveLength(4);
});
