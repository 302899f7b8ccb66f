import { afterAll, expect, test } from 'vitest';
import { comparing, comparisonOf, few, Mocks, overdrawRule, type Spoil } from '../../scripts/compare/in-process.ts';
import type { Exchange } from '../http/exchange.ts';
import { redactExchange } from '../http/redact-exchange.ts';
import { Redactor } from '../http/redactor.ts';
import { ruleResult, runResult } from '../testing/result-fixture.ts';
import { compareRuns } from './compare-runs.ts';
import { decidingStep, parsedBody, usualDifferences, withPlaceholders } from './steps.ts';

/** Sets properties of every object with a balance. */
const withProperties =
  (properties: () => object): Spoil =>
  async (response) => {
    const text = await response.text();
    const changed = text.startsWith('{"id"') && text.includes('"balance"') ? { ...JSON.parse(text), ...properties() } : undefined;
    return new Response(changed ? JSON.stringify(changed) : text, { status: response.status, headers: response.headers });
  };

const mocks = new Mocks();
const { serving } = mocks;
afterAll(() => mocks.end());

test('two servers of one kind do not differ', async () => {
  const { code, out } = await comparing(await serving(), await serving(), ...few);
  expect(code).toBe(0);
  expect(out).toMatch(/(\d+) of \1 rules alike · differences: none .* 0 unsteady on A/);
});

test('the command that compares again has the same words', async () => {
  const { again } = await comparisonOf(await serving(), await serving(), '--level', 'stated', '--max-creates', '6', overdrawRule);
  expect(again).toMatch(
    /^npx giftcard-sandbox conformance compare .*--level stated.* http:\/\/127\.0\.0\.1:1 http:\/\/127\.0\.0\.1:2 adjustment/,
  );
});

test('a violation on one side and another option of a question are differences', async () => {
  const lax: Spoil = async (response, request) => {
    const isOverdraw = request.url.endsWith('ByGiftCardId') && response.status >= 400;
    return isOverdraw ? new Response('true', { headers: { 'content-type': 'application/json' } }) : response;
  };
  const { code, differences } = await comparisonOf(
    await serving(),
    await serving({}, lax),
    overdrawRule,
    'gift-card.void.by-code-voids',
  );
  expect([code, differences.map(({ name, kind, a, b }) => [name, kind, a.verdict, b.verdict])]).toEqual([
    1,
    [[overdrawRule, 'violated', 'pass', 'fail']],
  ]);
  expect(differences[0]?.step?.differs[0]).toMatch(/^status: 4\d\d on A, 200 on B$/);
  expect(differences[0]?.step?.what).toMatch(/^adjust .* by ID \(-0\.61\)$/);
  const other: Spoil = async (response, request) =>
    request.url.endsWith('ByGiftCardId') && response.status >= 400 ? new Response('No.', { status: 422 }) : response;
  const open = await comparisonOf(await serving(), await serving({}, other), 'adjustment.by-id.overdraw-status');
  expect([open.code, open.differences.map(({ level, kind }) => [level, kind])]).toEqual([0, [['open', 'observation']]]);
});

test('a rule that differs in two runs on A is unsteady, and not a difference', async () => {
  let requests = 0;
  const moody: Spoil = async (response, request) => {
    const isOverdraw = request.url.endsWith('ByGiftCardId') && response.status >= 400;
    requests += isOverdraw ? 1 : 0;
    return isOverdraw && requests === 1 ? new Response('true', { headers: { 'content-type': 'application/json' } }) : response;
  };
  const { differences, unsteady } = await comparisonOf(await serving({}, moody), await serving(), overdrawRule);
  expect([differences, unsteady.map(({ name }) => name)]).toEqual([[], [overdrawRule]]);
});

test('generated values are not differences', async () => {
  let number = 0;
  const numbered = () =>
    withProperties(() => ({ reference: `r4nd0m-${number++}-abcdef`, id: number, seenAt: new Date(number * 1e9).toISOString() }));
  const { code, differences } = await comparisonOf(
    await serving({}, numbered()),
    await serving({}, numbered()),
    'gift-card.get-by-code.returns-the-card',
  );
  expect([code, differences]).toEqual([0, []]);
});

test('placeholders replace times, IDs, codes and ports', () => {
  expect(withPlaceholders('card#12 at 2026-01-02T03:04:05.6Z on 127.0.0.1:8460, «run»0002')).toBe(
    'card# at «time»Z on 127.0.0.1:«port», «run»',
  );
  expect(parsedBody('{"id":7,"giftCardId":card#12.id,"balance":12.0,"paid":true,"items":[{"token":"a1b2c3d4e5f6"}]}')).toEqual({
    id: '«id»',
    giftCardId: '«id»',
    balance: 12,
    paid: true,
    items: [{ token: '«id»' }],
  });
});

const exchange = (body: string, more: Partial<Exchange> = {}): Exchange => ({
  at: '',
  ms: 1,
  method: 'GET',
  path: '/api/Company/Profile',
  requestHeaders: {},
  status: 200,
  contentType: 'application/json',
  body,
  ...more,
});
const steps = (decidedBy: number, ...exchanges: Exchange[]) => ({
  verdict: 'pass' as const,
  did: exchanges.map(() => 'read → 200'),
  exchanges,
  decidedBy,
});
const placesOf = (a: Exchange, b: Exchange) =>
  decidingStep(steps(0, a), steps(0, b))?.differs.map((text) => text.split(':')[0]) ?? [];

test.each<[string, Exchange, Exchange]>([
  ['the order of properties', exchange('{"a":1,"b":{"c":2,"d":3}}'), exchange('{ "b": {"d":3,"c":2}, "a":1 }')],
  ['the form of a number', exchange('{"balance":1,"rate":0.5}'), exchange('{"balance":1.00,"rate":5e-1}')],
  ['the charset', exchange('true'), exchange('true', { contentType: 'Application/JSON; charset=UTF-8' })],
  ['a numeric ID', exchange('{"id":"card#1.id"}'), exchange('{"id":card#2.id}')],
  ['a mask and a value', exchange('{"paid":"«boolean»","code":"card#1"}'), exchange('{"paid":true,"code":"«string»"}')],
  ['masks of two types', exchange('["«string»"]'), exchange('["«number»"]')],
])('%s is not a difference', (_, a, b) => {
  expect(placesOf(a, b)).toEqual([]);
});

test.each<[string, Exchange, Exchange]>([
  ['body.type', exchange('{"type":"boolean"}'), exchange('{"type":"string"}')],
  ['body.paid', exchange('{"paid":"true"}'), exchange('{"paid":true}')],
  ['content-type', exchange('"No."', { status: 400 }), exchange('"No."', { status: 400, contentType: 'text/plain' })],
  ['body.name', exchange('{"name":"«string»"}'), exchange('{}')],
  ['status', exchange('', { status: 400 }), exchange('', { status: 422 })],
])('%s is a difference', (place, a, b) => {
  expect(placesOf(a, b)).toEqual([place]);
});

test('the deciding step is the step that a test read last; differences of rules that are alike come last', () => {
  const [usualA, usualB] = [exchange('{"plan":"Pro","tax":1}'), exchange('{"plan":"Pro"}')];
  const usual = new Set(usualDifferences(steps(0, usualA), steps(0, usualB)));
  const a = steps(1, usualA, exchange('{"plan":"Free","tax":1}'), exchange('{"plan":"Pro","tax":1}'));
  const b = steps(1, usualB, exchange('{"plan":"Plus"}'));
  const step = decidingStep(a, b, usual);
  expect([step?.a?.n, step?.b?.n, step?.differs]).toEqual([
    2,
    2,
    ['body.plan: "Free" on A, "Plus" on B', 'body.tax: 1 on A, absent on B'],
  ]);
});

test('if the responses that were read last are equal, the last step with another response decided', () => {
  const read = exchange('{"plan":"Pro"}');
  const step = decidingStep(steps(2, exchange('1'), exchange('2'), read), steps(2, exchange('3'), exchange('4'), read));
  expect([step?.a?.n, step?.differs]).toEqual([2, ['body: 2 on A, 4 on B']]);
});

test('bodies of which a result has only a part are not compared', () => {
  const [a, b] = [exchange('{"a… (5000 characters)'), exchange('{"b… (6000 characters)')];
  expect(decidingStep(steps(0, a), steps(0, b))?.differs).toEqual(['body: too long to compare']);
});

test('times differ by their zone only', () => {
  const [a, b] = ['2026-01-02T03:04:05.6Z', '2026-02-03T04:05:06'].map((at) => exchange(JSON.stringify({ at })));
  if (a && b) expect(decidingStep(steps(0, a), steps(0, b))?.differs).toEqual(['body.at: "«time»Z" on A, "«time»" on B']);
});

test('if the responses that were read last decide nothing, the refusal of one side does', () => {
  const read = exchange('{"plan":"Pro"}');
  const step = decidingStep(steps(1, exchange('true'), read), steps(1, exchange('No.', { status: 400 }), read));
  expect([step?.a?.n, step?.differs[0]]).toEqual([1, 'status: 200 on A, 400 on B']);
});

test('steps that only one side took do not shift the others', () => {
  const other = { verdict: 'pass' as const, did: ['try', 'read'], decidedBy: 1 };
  const a = { ...other, exchanges: [exchange('1', { path: '/api/Webhook/List' }), exchange('{"plan":"Pro"}')] };
  const b = { verdict: 'pass' as const, did: ['read'], decidedBy: 0, exchanges: [exchange('{"plan":"Plus"}')] };
  const step = decidingStep(a, b);
  expect([step?.a?.n, step?.b?.n]).toEqual([2, 1]);
});

const delivered = (topic: string, payload: object = {}, code = 'card#1'): Exchange =>
  exchange('', {
    method: 'POST',
    path: '',
    status: 0,
    contentType: '',
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: JSON.stringify({ ...payload, RequestId: crypto.randomUUID(), Code: code, WebhookTopic: topic }),
  });
const deliveries = (received: readonly Exchange[], ...sentences: string[]) => ({
  ...{ verdict: 'pass' as const, did: [], exchanges: [] },
  ...(received.length > 0 ? { received: [...received] } : {}),
  deliveries: sentences,
});

test('a violation is decided by its own step, although the other side went on', () => {
  const [created, other] = [exchange('{"id":1}'), exchange('{"id":1,"url":"u"}')];
  const usual = new Set(usualDifferences(steps(0, created), steps(0, other)));
  const read = { path: '/api/GiftCard/GetById/1' };
  const a = steps(0, created, exchange('No.', { ...read, status: 404, contentType: 'text/plain' }));
  const b = steps(1, other, exchange('{}', read));
  const step = (verdict: 'pass' | 'fail') => decidingStep({ ...a, verdict }, b, usual)?.a?.n;
  expect([step('fail'), step('pass')]).toEqual([1, 2]);
});

test('if deliveries decided, the deliveries of the same event are compared', () => {
  const first = delivered('giftcard/gifted');
  const step = decidingStep(
    deliveries([first, delivered('giftcard/voided', { Balance: 0 })]),
    deliveries([delivered('giftcard/voided', { Balance: 0.5 }), first]),
  );
  expect([step?.what, step?.a?.n, step?.b?.n]).toEqual(['giftcard/voided of card#1', 2, 1]);
  expect(step?.differs).toEqual(['body.Balance: 0 on A, 0.5 on B']);
});

test('if one side has no delivery, the missing delivery decided', () => {
  const missing = 'giftcard/voided of card#1 arrived at 0 of 1 webhooks, missing at signed';
  const voided = delivered('giftcard/voided');
  const step = decidingStep(deliveries([voided]), deliveries([], 'giftcard/gifted of card#1 arrived', missing));
  expect([step?.a?.n, step?.b, step?.differs]).toEqual([1, undefined, [`on A: arrived; on B: ${missing}`]]);
  const neither = decidingStep(deliveries([], missing), deliveries([]));
  expect(neither?.differs).toEqual([`on A: ${missing}; on B: no such delivery`]);
  expect(decidingStep(deliveries([]), deliveries([]))).toBeUndefined();
});

test('a page of 50 cards with 30 fields is compared whole', () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, index]));
  const read = (last: number): Exchange => {
    const body = JSON.stringify([...Array.from({ length: 50 }, () => fields), last]);
    const sent = { method: 'GET', path: '/api/GiftCard/List', headers: {}, text: undefined } as const;
    const response = { status: 200, headers: {}, contentType: 'application/json', body, json: undefined };
    return exchange('', redactExchange(sent, { ...response, status: 400 }, new Redactor()));
  };
  expect(read(1).body.length).toBeGreaterThan(15_000);
  expect(decidingStep(steps(0, read(1)), steps(0, read(2)))?.differs).toEqual(['body.*: 1 on A, 2 on B']);
});

test('a known failure on one side is still a difference', () => {
  const passed = runResult([ruleResult('adjustment.returns-200')]);
  const known = runResult([ruleResult('adjustment.returns-200', { verdict: 'known-fail', got: '201' })]);
  expect(compareRuns(passed, known).differences).toMatchObject([{ kind: 'violated' }]);
});
