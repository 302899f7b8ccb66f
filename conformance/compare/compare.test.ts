import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparing, comparisonOf, few, Mocks, overdraw, type Spoil, withProperties } from '../../scripts/compare/in-process.ts';
import { main } from '../cli/main.ts';
import { unexplainedTold } from './remarks.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-test-'));
const mocks = new Mocks();
const { serving } = mocks;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mocks.end();
});

test('the command that compares once more asks for the same clauses', async () => {
  const flags = ['--level', 'stated', '--skip', '*.may-go-negative', '--max-creates', '6'];
  const { again } = await comparisonOf(await serving(), await serving(), ...flags, 'adjustment.by-id.*', overdraw);
  expect(again).toBe(
    `npx giftcard-sandbox conformance compare --a http://127.0.0.1:1 --b http://127.0.0.1:2 --level stated --skip '*.may-go-negative' --max-creates 6 'adjustment.by-id.*' ${overdraw}`,
  );
});

test('two servers of one kind do not differ', async () => {
  const { code, out, err } = await comparing(await serving(), await serving(), ...few);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/The two do not differ · (\d+) of \1 clauses alike\nno difference · A is steady\n/);
});

test.each([
  'gift-card.create.refuses-taken-code',
  'idempotency.adjustment.parallel-counts-once',
  'adjustment.parallel-all-count',
])('of requests that leave at once nothing is unexplained, since chance says which is answered how: %s', async (clause) => {
  let asked = 0;
  const moody: Spoil = async (answer, request) => {
    if (request.method !== 'POST') return answer;
    const headers = new Headers(answer.headers);
    headers.set('x-turn', String(++asked % 2));
    return new Response(answer.body, { status: answer.status, headers });
  };
  const [a, b] = [await serving(), await serving({}, moody)];
  expect((await comparisonOf(a, b, clause)).unexplained).toEqual([]);
  const [c, d] = [await serving(), await serving({}, moody)];
  expect((await comparisonOf(c, d, 'adjustment.answers-true')).unexplained.length).toBeGreaterThan(0);
});

describe('a server that admits what the other refuses, and answers a question otherwise', () => {
  let told: Awaited<ReturnType<typeof comparisonOf>>;
  let printed: string;
  let text: string;
  const page = join(folder, 'out');
  beforeAll(async () => {
    const lax: Spoil = async (answer, request) => {
      const isOverdraw = request.url.endsWith('ByGiftCardId') && answer.status === 409;
      return isOverdraw ? new Response('true', { headers: { 'content-type': 'application/json' } }) : answer;
    };
    const [a, b] = [await serving(), await serving({ facts: { facts: { 'adjustment.by-id.overdraw-status': '409' } } }, lax)];
    const { code, out } = await comparing(a, b, '--out', page, '--reporter', 'json', overdraw, 'gift-card.void.by-code-voids');
    told = { ...JSON.parse(readFileSync(join(page, 'comparison.json'), 'utf8')), code };
    printed = out;
    text = readFileSync(join(page, 'comparison.txt'), 'utf8');
  });

  test('is told by the clause, with the step where the two part', () => {
    expect(told.code).toBe(1);
    expect(told.differences.map(({ name, level, kind, a, b }) => [name, level, kind, a.verdict, b.verdict])).toEqual([
      [overdraw, 'stated', 'violated', 'pass', 'fail'],
    ]);
    const [{ step } = {}] = told.differences;
    expect([step?.a?.status, step?.b?.status, step?.b?.body]).toEqual([400, 200, 'true']);
    expect(step?.a?.path).toBe(step?.b?.path);
  });

  test('the text is what is printed, whatever else is written', () => expect(printed).toBe(text));

  test('both exchanges stand beside each other, with one symbol for what is the same', () => {
    expect(text).toMatch(/^VIOLATED {2}adjustment\.by-id\.refuses-overdraw +stated · Adjustment rules, 1$/m);
    expect(text).toMatch(/^ {4}"uniqueAdjustmentId": ("GCS-A«unique#\d+»") +│ {3}"uniqueAdjustmentId": \1$/m);
    expect(text).toMatch(/^ {2}400 text\/plain; charset=utf-8 +≠ 200 application\/json$/m);
    expect(text).toContain('The two differ in 1 statement · 1 of 2 clauses alike');
  });

  test('--out has every form, and what each run found for report and diff', async () => {
    expect(readdirSync(page).sort()).toEqual(['a.json', 'b.json', 'comparison.html', 'comparison.json', 'comparison.txt']);
    const out: string[] = [];
    const io = { stdout: { write: (each: string) => out.push(each) }, stderr: { write: () => 0 } };
    expect(await main(['diff', join(page, 'a.json'), join(page, 'b.json')], {}, io)).toBe(1);
    expect(out.join('')).toContain(`worse    ${overdraw}`);
  });

  test('the page loads nothing from elsewhere', () => {
    const html = readFileSync(join(page, 'comparison.html'), 'utf8');
    expect(html).toContain("default-src 'none'");
    expect(html.replaceAll(/href="(#|data:)[^"]*"/g, '')).not.toMatch(/\b(src|href)=/);
    expect(html).toContain('<mark>200 application/json</mark>');
  });
});

test('of what is open a difference is told and is no failure', async () => {
  const b = await serving({ facts: { facts: { 'adjustment.by-id.overdraw-status': '409', 'gift-card.void.body': 'empty' } } });
  const { code, differences, unexplained } = await comparisonOf(await serving(), b, ...few);
  expect(code).toBe(0);
  expect(differences.map(({ name, a, b: other }) => [name, a.told, other.told])).toEqual([
    ['adjustment.by-id.overdraw-status', '400', '409'],
    ['gift-card.void.body', 'the-card', 'empty'],
  ]);
  expect(differences.map(({ step }) => [step?.a?.status, step?.b?.status])).toEqual([
    [400, 409],
    [200, 200],
  ]);
  expect(unexplained).toEqual([]);
});

test('an answer that every reading excludes is a failure, and is called no statement', async () => {
  const silent: Spoil = (answer) => (answer.status === 400 ? new Response(null, { status: 400 }) : answer);
  const ambiguous = await comparing(await serving(), await serving({}, silent), 'errors.every-rejection-plain-text');
  expect(ambiguous.code).toBe(1);
  expect(ambiguous.out).toContain(
    'The two differ in 1 question that one alone answers against every reading · 0 of 1 clause alike\ndifferences: 1 ambiguous ·',
  );
  const both = ['errors.every-rejection-plain-text', 'errors.rejection-is-400-plain-text'];
  const { out } = await comparing(await serving(), await serving({}, silent), ...both);
  expect(out).toContain('The two differ in 1 statement and in 1 question that one alone answers against every reading · ');
});

test('a name that a question has told is not told again', async () => {
  const b = await serving({ facts: { facts: { 'adjustment.by-id.field': 'id' } } });
  const { differences, unexplained } = await comparisonOf(await serving(), b, ...few, 'gift-card.response.*');
  expect(differences.map(({ name }) => name)).toEqual(['adjustment.by-id.field']);
  expect(differences.map(({ step }) => [step?.a?.status, step?.b?.status])).toEqual([[200, 400]]);
  expect(unexplained).toEqual([]);
});

test('neither is a name, a place or a wrapper that nobody foresaw and a clause has told', async () => {
  const wire = [
    { rename: 'GiftCard.initialValue', to: 'openingValue' },
    { move: 'GiftCard.expiresAtUtc', to: 'validity.until' },
    { wrap: 'listWebhooks', in: 'page.items' },
    { rename: 'CompanyProfile.website', to: 'homepage' },
    { body: 'gift-card.not-found', to: { fault: { text: '{message}', number: '{status}' } } },
  ];
  const b = await serving({ facts: { wire } });
  const named = [
    'gift-card.response.initial-value-name',
    'gift-card.response.expiry-name',
    'webhook.list.shape',
    'company.*-name',
  ];
  const asked = [...few, 'gift-card.get-by-id.*', ...named, 'errors.body-of-404'];
  const { code, differences, unexplained } = await comparisonOf(await serving(), b, ...asked);
  expect(code).toBe(0);
  expect(Object.fromEntries(differences.map(({ name, b: other }) => [name, other.told]))).toEqual({
    'gift-card.response.initial-value-name': 'under openingValue',
    'gift-card.response.expiry-name': 'under validity.until',
    'webhook.list.shape': 'in page.items',
    'company.website-name': 'under homepage',
    'errors.body-of-404': expect.any(String),
  });
  const [name] = differences.filter((each) => each.name === 'gift-card.response.initial-value-name');
  expect([name?.step?.a?.body, name?.step?.b?.body].map((body) => /initialValue|openingValue/.exec(body ?? '')?.[0])).toEqual([
    'initialValue',
    'openingValue',
  ]);
  expect(unexplained.map(unexplainedTold)).toEqual([]);
});

test('where both have one reading, what it does not say and only rows tell is a difference', async () => {
  const b = await serving({ facts: { wire: [{ wrap: 'createWebhook', in: 'registered' }] } });
  const { differences, unexplained } = await comparisonOf(await serving(), b, 'webhook.create.body');
  expect(differences.map(({ name, a, b: other }) => [name, a.told, other.told])).toEqual([
    ['webhook.create.body', 'the-record and nothing beside it', 'the-record {"wrap":"createWebhook","in":"registered"}'],
  ]);
  expect(unexplained.map(unexplainedTold)).toEqual([]);
});

test('what no clause explains is told once, with how often it was seen', async () => {
  const b = await serving(
    {},
    withProperties(() => ({ loyalty: 7 })),
  );
  const header: Spoil = (answer) => {
    answer.headers.set('x-served-by', '<b>one</b>');
    return answer;
  };
  const { code, differences, unexplained } = await comparisonOf(
    await serving({}, header),
    b,
    'gift-card.get-by-code.returns-the-card',
  );
  expect([code, differences]).toEqual([0, []]);
  const told = unexplained.map(({ operation, place, a, b: other, exchanges, seen }) => [
    [operation, place, a, other],
    [exchanges, seen.step.number],
  ]);
  expect(told).toEqual([
    [
      ['', 'header x-served-by', '<b>one</b>', 'absent'],
      [5, 1],
    ],
    [
      ['createGiftCard', '/loyalty', 'absent', 'number'],
      [2, 1],
    ],
    [
      ['getGiftCardByCode', '/loyalty', 'absent', 'number'],
      [2, 4],
    ],
  ]);
});

test('what a target sends is text in the page', async () => {
  const b = await serving(
    {},
    withProperties(() => ({ loyalty: '</td><script>alert(1)</script>' })),
  );
  const { out } = await comparing(await serving(), b, '--reporter', 'html', 'gift-card.get-by-code.returns-the-card');
  expect(out).toContain('&lt;script&gt;alert(1)');
  expect(out).not.toContain('<script>alert');
});

test('what changes on A each time is unsteady there and no difference', async () => {
  let count = 0;
  const flaky: Spoil = async (answer, request) => {
    const changed = await withProperties(() => ({ mood: ++count * 1.5 }))(answer, request);
    changed.headers.set('x-request', String(count));
    return changed;
  };
  let isFirst = true;
  const moody: Spoil = async (answer, request) => {
    if (!isFirst || answer.status !== 400 || !request.url.endsWith('ByGiftCardId')) return flaky(answer, request);
    isFirst = false;
    return new Response('true', { headers: { 'content-type': 'application/json' } });
  };
  const steadily = withProperties(() => ({ mood: 1 }));
  const { code, differences, unsteady, unexplained } = await comparisonOf(
    await serving({}, moody),
    await serving({}, async (answer, request) => {
      const changed = await steadily(answer, request);
      changed.headers.set('x-request', 'b');
      return changed;
    }),
    overdraw,
    'gift-card.get-by-code.returns-the-card',
  );
  expect([code, differences, unexplained]).toEqual([0, [], []]);
  expect(unsteady.map(({ name, first, second }) => [name, first.verdict, second.verdict])).toEqual([[overdraw, 'fail', 'pass']]);
});
