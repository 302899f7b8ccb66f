import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, overdraw, runResult } from '../testing/result-fixture.ts';
import { documentOf } from './build-document.ts';
import { htmlReport } from './html.ts';

const page = htmlReport(documentOf([everyVerdict]));

test('the page loads nothing and allows only its own script and style', () => {
  expect(page).not.toMatch(/<(link|img|script|iframe)[^>]* (src|href)="(?!data:,)/);
  expect(page).not.toMatch(/@import|url\(/);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  for (const [element, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ]) {
    const [, text = ''] = new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
    expect(policy).toContain(`${directive} 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  expect(page).not.toMatch(/ style="| on\w+="/);
});

test('the target cannot inject elements', () => {
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('each clause has an anchor and its exchanges, and only failures are open', () => {
  for (const { name } of everyVerdict.clauses) expect(page).toContain(`id="${name}"`);
  expect(page).toContain('&quot;balance&quot;: 1.00,');
  expect(page).toContain('$GIFTCARD_API_KEY');
  const open = [...page.matchAll(/<details class="item \w+" id="([^"]*)"[^>]* open>/g)].map(([, id]) => id);
  expect(open).toEqual(['adjustment.by-id.refuses-overdraw']);
});

test('failures come first, and how the command was run is closed', () => {
  const headings = [...page.matchAll(/<h2>([^<]*)</g)].map(([, heading]) => heading);
  expect(headings[0]).toBe('Failures');
  expect(headings.filter((heading) => heading === 'Failures')).toHaveLength(1);
  const first = page.slice(page.indexOf('<main'), page.indexOf('</section>'));
  expect(first.match(/data-status="\w+"/g)).toEqual(['data-status="fail"', 'data-status="fail"']);
  expect(page).toContain('<details class="setup"><summary>How it was run</summary>');
});

test('an exchange of several clauses appears once', () => {
  const shared = clauseResult('adjustment.answers-true', { exchanges: overdraw.exchanges.slice(0, 1) });
  const both = htmlReport(documentOf([runResult([shared, overdraw])]));
  expect(both.split('&quot;balance&quot;: 1.00,')).toHaveLength(2);
  expect(both).toMatch(/<p class="exchange"><a href="#exchange-1">/);
});

test('tags nest', () => {
  const open: string[] = [];
  const body = page.slice(page.indexOf('<body>')).replace(/<script[\s\S]*<\/script>/, '');
  for (const [, closes, name = '', empty] of body.matchAll(/<(\/?)(\w+)(?:[^>"]|"[^"]*")*?(\/?)>/g)) {
    if (empty || name === 'input') continue;
    if (!closes) open.push(name);
    else if (name !== 'html') expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
});
