import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, overdraw, runResult } from '../../testing/result-fixture.ts';
import { htmlReport } from './page.ts';

const page = htmlReport([everyVerdict]);

test('the page loads nothing, and runs no script but its own', () => {
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

test('what a target sent is text', () => {
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  for (const steering of ['\u202e', '\x07', '\x1b']) expect(page).not.toContain(steering);
});

test('every clause can be linked to, and shows its exchanges as they were', () => {
  for (const { name } of everyVerdict.clauses) expect(page).toContain(`<details class="clause" id="${name}"`);
  expect(page).toContain('href="#adjustment.by-id.refuses-overdraw"');
  expect(page).toContain('&quot;balance&quot;: 1.00,');
  expect(page).toContain('the by-ID path uses the by-code rule');
  expect(page).toContain('$GIFTCARD_API_KEY');
});

test('what several clauses looked at stands once, under the one that failed, and the others link to it', () => {
  const shared = clauseResult('adjustment.answers-true', { exchanges: overdraw.exchanges.slice(0, 1) });
  const both = htmlReport([runResult([shared, overdraw])]);
  expect(both.split('&quot;balance&quot;: 1.00,')).toHaveLength(2);
  const [, id] = /<p class="exchange"><a href="#(exchange-\d+)"><code>POST \/api\/GiftCard\/Create/.exec(both) ?? [];
  expect(both.indexOf(`<details class="exchange" id="${id}">`)).toBeGreaterThan(
    both.indexOf('id="adjustment.by-id.refuses-overdraw"'),
  );
});

test('failures are open and everything else is folded', () => {
  const open = [...page.matchAll(/<details class="clause" id="([^"]*)"[^>]* open>/g)].map(([, id]) => id);
  expect(open).toEqual(['adjustment.by-id.refuses-overdraw', 'errors.malformed-input-is-no-server-fault']);
});

test('without a script nothing is hidden but the filters', () => {
  expect(page.match(/ hidden>/g)).toEqual([' hidden>']);
  expect(page).toContain('aria-label="Filter" hidden>');
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

test('several runs stand beside each other, and where they differ is marked', () => {
  const [one, two] = [{}, { verdict: 'fail', got: '201 true' } as const].map((more) =>
    runResult([clauseResult('adjustment.answers-200', more), clauseResult('adjustment.answers-true')]),
  );
  const matrix = htmlReport(
    [one, { ...two, target: 'http://localhost:1' }].flatMap((each) => (each ? [each as typeof everyVerdict] : [])),
  );
  expect(matrix).toContain('<span class="badge pass">A pass</span><span class="badge fail">B fail</span>');
  expect(matrix).toContain('data-verdicts="pass fail differs"');
  expect(matrix).toContain('data-verdicts="pass"');
  expect(matrix).toContain('data-show="differs"');
});
