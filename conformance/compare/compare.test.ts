import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Mock, startMock } from '../../mock/index.ts';
import { main } from '../main.ts';
import type { InProcessFetch } from '../target.ts';
import { comparing, comparisonOf, type Served } from './in-process.ts';
import { unexplainedTold } from './text.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-test-'));
const mocks: Mock[] = [];
afterAll(async () => {
  rmSync(folder, { recursive: true });
  for (const mock of mocks) await mock.close();
});

type Spoil = (answer: Response, request: Request) => Response | Promise<Response>;

/** A mock of its own, whose answers are changed on the way. */
async function serving(options: object = {}, spoil: Spoil = (answer) => answer): Promise<Served> {
  const mock = await startMock({ listen: false, rateLimit: 'off', ...options });
  mocks.push(mock);
  return {
    key: mock.apiKey,
    fetch: async (request) => spoil(await mock.fetch(request), request),
  };
}

/** The same with another property, or another value of one, in every object that has a balance. */
const withProperty =
  (name: string, value: () => unknown): Spoil =>
  async (answer) => {
    const text = await answer.text();
    const changed = text.startsWith('{"id"') && text.includes('"balance"') ? { ...JSON.parse(text), [name]: value() } : undefined;
    return new Response(changed ? JSON.stringify(changed) : text, { status: answer.status, headers: answer.headers });
  };

const few = ['adjustment.by-id.*', 'gift-card.void.*', 'gift-card.get-by-code.*'];
const clause = 'adjustment.by-id.refuses-overdraw';

test('the command that compares once more asks for the same clauses', async () => {
  const flags = ['--level', 'stated', '--skip', '*.may-go-negative', '--max-creates', '6'];
  const { again } = await comparisonOf(await serving(), await serving(), ...flags, 'adjustment.by-id.*', clause);
  expect(again).toBe(
    `npx giftcard-sandbox conformance compare --a http://127.0.0.1:1 --b http://127.0.0.1:2 --level stated --skip '*.may-go-negative' --max-creates 6 'adjustment.by-id.*' ${clause}`,
  );
});

test('two servers of one kind do not differ', async () => {
  const { code, out, err } = await comparing(await serving(), await serving(), ...few);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/The two do not differ · (\d+) of \1 clauses alike\nno difference · A is steady\n/);
});

describe('a server that admits what the other refuses, and answers a question otherwise', () => {
  let told: Awaited<ReturnType<typeof comparisonOf>>;
  let text: string;
  const page = join(folder, 'out');
  beforeAll(async () => {
    const lax: Spoil = async (answer, request) => {
      const isOverdraw = request.url.endsWith('ByGiftCardId') && answer.status === 409;
      return isOverdraw ? new Response('true', { headers: { 'content-type': 'application/json' } }) : answer;
    };
    const [a, b] = [await serving(), await serving({ facts: { facts: { 'adjustment.by-id.overdraw-status': '409' } } }, lax)];
    told = await comparisonOf(a, b, '--out', page, clause, 'gift-card.void.by-code-voids');
    text = readFileSync(join(page, 'comparison.txt'), 'utf8');
  });

  test('is told by the clause, with the step where the two part', () => {
    expect(told.code).toBe(1);
    expect(told.differences.map(({ name, level, kind, a, b }) => [name, level, kind, a.verdict, b.verdict])).toEqual([
      [clause, 'stated', 'violated', 'pass', 'fail'],
    ]);
    const [{ step } = {}] = told.differences;
    expect([step?.a?.status, step?.b?.status, step?.b?.body]).toEqual([400, 200, 'true']);
    expect(step?.a?.path).toBe(step?.b?.path);
  });

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
    expect(out.join('')).toContain(`worse    ${clause}`);
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
    withProperty('loyalty', () => 7),
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
  expect(unexplained.map(({ operation, place, a, b: other }) => [operation, place, a, other])).toEqual(
    expect.arrayContaining([
      ['', 'header x-served-by', '<b>one</b>', 'absent'],
      ['getGiftCardByCode', '/loyalty', 'absent', 'number'],
    ]),
  );
  expect(unexplained.every(({ exchanges, seen }) => exchanges > 0 && seen.step.number > 0)).toBe(true);
});

test('what a target sends is text in the page', async () => {
  const b = await serving(
    {},
    withProperty('loyalty', () => '</td><script>alert(1)</script>'),
  );
  const { out } = await comparing(await serving(), b, '--reporter', 'html', 'gift-card.get-by-code.returns-the-card');
  expect(out).toContain('&lt;script&gt;alert(1)');
  expect(out).not.toContain('<script>alert');
});

test('what changes on A each time is unsteady there and no difference', async () => {
  let count = 0;
  const flaky: Spoil = async (answer, request) => {
    const changed = await withProperty('mood', () => ++count * 1.5)(answer, request);
    changed.headers.set('x-request', String(count));
    return changed;
  };
  let isFirst = true;
  const moody: Spoil = async (answer, request) => {
    if (!isFirst || answer.status !== 400 || !request.url.endsWith('ByGiftCardId')) return flaky(answer, request);
    isFirst = false;
    return new Response('true', { headers: { 'content-type': 'application/json' } });
  };
  const steadily = withProperty('mood', () => 1);
  const { code, differences, unsteady, unexplained } = await comparisonOf(
    await serving({}, moody),
    await serving({}, async (answer, request) => {
      const changed = await steadily(answer, request);
      changed.headers.set('x-request', 'b');
      return changed;
    }),
    clause,
    'gift-card.get-by-code.returns-the-card',
  );
  expect([code, differences, unexplained]).toEqual([0, [], []]);
  expect(unsteady.map(({ name, first, second }) => [name, first.verdict, second.verdict])).toEqual([[clause, 'fail', 'pass']]);
});

test.each<[string, (onA: number, onB: number) => boolean]>([
  ['during the runs', (onA, onB) => onA + onB === 12],
  // The two are asked in turns, until B is done.
  ['during the second run on A', (onA, onB) => onA === onB + 20],
])('who breaks it off %s gets 130, with nothing left on either', async (_, isThen) => {
  const [a, b] = [await serving(), await serving()];
  const events = new EventEmitter();
  const told = { out: '', err: '' };
  const sent = { a: 0, b: 0 };
  const statuses: string[] = [];
  const fetch: InProcessFetch = (request, about) => {
    const [letter, served] = request.url.startsWith('http://127.0.0.1:1/') ? (['a', a] as const) : (['b', b] as const);
    sent[letter] += 1;
    if (isThen(sent.a, sent.b)) events.emit('SIGINT');
    return served.fetch(request, about);
  };
  const io = Object.assign(events, {
    stdout: { write: (text: string) => (told.out += text) },
    stderr: { write: (text: string) => (told.err += text) },
    fetch,
  });
  const env = { GIFTCARD_API_KEY_A: a.key, GIFTCARD_API_KEY_B: b.key, XDG_STATE_HOME: folder };
  const urls = ['--a', 'http://127.0.0.1:1', '--b', 'http://127.0.0.1:2'];
  const code = await main(['compare', ...urls, '--reporter', 'json', ...few], env, io);
  expect([code, events.eventNames()]).toEqual([130, []]);
  expect(told.err).toContain('Breaking off');
  const comparison = JSON.parse(told.out);
  expect(comparison.noiseUnknown).toBe('it was broken off');
  expect([comparison.a.leftBehind, comparison.b.leftBehind]).toEqual([[], []]);
  for (const served of [a, b]) {
    const list = await served.fetch(
      new Request('http://127.0.0.1:1/api/GiftCard/List?pageSize=50&includeAll=true', { headers: { 'x-api-key': served.key } }),
      { odd: false },
    );
    const { giftCards } = (await list.json()) as { giftCards: { code: string; status: string }[] };
    const ours = giftCards.filter(({ code: own }) => own.startsWith('GCS'));
    statuses.push(...ours.map(({ status }) => status));
  }
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set(['Voided']));
});

describe('what stands in the way', () => {
  const away: Served = { key: 'a-key', fetch: () => Promise.reject(new Error('connection refused')) };

  test('a target that is not there is named, and nothing is compared', async () => {
    const { code, out, err } = await comparing(await serving(), away, clause);
    expect([code, out]).toEqual([3, '']);
    expect(err).toBe(
      'The target http://127.0.0.1:2 could not be reached: GET /api/GiftCard/List?pageSize=1 got no answer: connection refused.\n',
    );
  });

  test('so is one that refuses the key', async () => {
    const { code, err } = await comparing({ ...(await serving()), key: 'wrong-key' }, await serving(), clause);
    expect(code).toBe(3);
    expect(err).toMatch(/^The target http:\/\/127\.0\.0\.1:1 refuses the key: .* answered 401\.\n$/);
    expect(err).not.toContain('wrong-key');
  });

  test('a card that B does not let go wins over every difference', async () => {
    const b = await serving();
    const keeping: Served = {
      ...b,
      fetch: async (request, about) =>
        request.method === 'DELETE' ? new Response('No.', { status: 400 }) : b.fetch(request, about),
    };
    const { code, out, err } = await comparing(await serving(), keeping, clause, 'gift-card.void.by-code-voids');
    expect(code).toBe(5);
    expect(out).toMatch(/^LEFT BEHIND {2}B: card#1/m);
    expect(out).toMatch(/^Exit code 5/m);
    expect(err).toMatch(/^B: LEFT BEHIND/m);
  });

  test('a clause that could not be judged on one side is told apart', async () => {
    const broken: Spoil = (answer, request) =>
      request.url.includes('AddAdjustmentByGiftCardId') ? new Response('', { status: 503 }) : answer;
    const { code, differences, uncompared } = await comparisonOf(
      await serving(),
      await serving({}, broken),
      clause,
      'gift-card.void.by-code-voids',
    );
    expect([code, differences]).toEqual([4, []]);
    expect(uncompared).toMatchObject([{ name: clause, a: { verdict: 'pass' }, needed: true }]);
  });

  test('where the budget has room for one run on A, whether A is steady is unknown', async () => {
    const flags = ['--mode', 'safe', '--max-creates', '1', clause];
    const { code, noiseUnknown, a } = await comparisonOf(await serving(), await serving(), ...flags);
    expect([code, noiseUnknown, a.runs, a.spent.creates]).toEqual([0, 'the budget of A has no room for a second run', 1, 1]);
  });

  test('a budget that is given is for both runs on A', async () => {
    const flags = ['--mode', 'safe', '--max-creates', '4', '--level', 'stated'];
    const { code, noiseUnknown, compared, a, b } = await comparisonOf(await serving(), await serving(), ...flags);
    expect([code, noiseUnknown, compared > 5]).toEqual([0, undefined, true]);
    expect([a.spent.creates <= 4, b.spent.creates <= 2]).toEqual([true, true]);
  });
});
