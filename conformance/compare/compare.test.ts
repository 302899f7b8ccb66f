import { afterAll, expect, test } from 'vitest';
import { comparing, comparisonOf, few, Mocks, overdraw, type Spoil } from '../../scripts/compare/in-process.ts';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { compareRuns } from './compare-runs.ts';
import { jsonWithPlaceholders, withPlaceholders } from './placeholders.ts';
import { firstDifferingStep } from './steps.ts';

/** Sets properties of every object with a balance. */
const withProperties =
  (properties: () => object): Spoil =>
  async (answer) => {
    const text = await answer.text();
    const changed = text.startsWith('{"id"') && text.includes('"balance"') ? { ...JSON.parse(text), ...properties() } : undefined;
    return new Response(changed ? JSON.stringify(changed) : text, { status: answer.status, headers: answer.headers });
  };

const mocks = new Mocks();
const { serving } = mocks;
afterAll(() => mocks.end());

test('two servers of one kind do not differ', async () => {
  const { code, out } = await comparing(await serving(), await serving(), ...few);
  expect(code).toBe(0);
  expect(out).toMatch(/(\d+) of \1 clauses alike · differences: none .* 0 unsteady on A/);
});

test('the command that compares again has the same words', async () => {
  const { again } = await comparisonOf(await serving(), await serving(), '--level', 'stated', '--max-creates', '6', overdraw);
  expect(again).toMatch(
    /^npx giftcard-sandbox conformance compare .*--level stated.* http:\/\/127\.0\.0\.1:1 http:\/\/127\.0\.0\.1:2 adjustment/,
  );
});

test('a violation on one side and another option of an open clause are differences', async () => {
  const lax: Spoil = async (answer, request) => {
    const isOverdraw = request.url.endsWith('ByGiftCardId') && answer.status >= 400;
    return isOverdraw ? new Response('true', { headers: { 'content-type': 'application/json' } }) : answer;
  };
  const { code, differences } = await comparisonOf(
    await serving(),
    await serving({}, lax),
    overdraw,
    'gift-card.void.by-code-voids',
  );
  expect([code, differences.map(({ name, kind, a, b }) => [name, kind, a.verdict, b.verdict])]).toEqual([
    1,
    [[overdraw, 'violated', 'pass', 'fail']],
  ]);
  expect(differences[0]?.step?.differs).toContainEqual(expect.stringMatching(/^status: 4\d\d on A, 200 on B$/));
  const other: Spoil = async (answer, request) =>
    request.url.endsWith('ByGiftCardId') && answer.status >= 400 ? new Response('No.', { status: 422 }) : answer;
  const open = await comparisonOf(await serving(), await serving({}, other), 'adjustment.by-id.overdraw-status');
  expect([open.code, open.differences.map(({ level, kind }) => [level, kind])]).toEqual([0, [['open', 'observation']]]);
});

test('a clause that differs in two runs on A is unsteady, and not a difference', async () => {
  let requests = 0;
  const moody: Spoil = async (answer, request) => {
    const isOverdraw = request.url.endsWith('ByGiftCardId') && answer.status >= 400;
    requests += isOverdraw ? 1 : 0;
    return isOverdraw && requests === 1 ? new Response('true', { headers: { 'content-type': 'application/json' } }) : answer;
  };
  const { differences, unsteady } = await comparisonOf(await serving({}, moody), await serving(), overdraw);
  expect([differences, unsteady.map(({ name }) => name)]).toEqual([[], [overdraw]]);
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
    'card# at «time» on 127.0.0.1:«port», «run»',
  );
  expect(jsonWithPlaceholders({ id: 7, giftCardId: 'x', balance: 12, paid: true, items: [{ token: 'a1b2c3d4e5f6' }] })).toEqual({
    id: '«id»',
    giftCardId: '«id»',
    balance: 12,
    paid: true,
    items: [{ token: '«id»' }],
  });
});

test('the first differing step names the place and both values, without unsteady places', () => {
  const exchange = (body: object) => ({
    at: '',
    ms: 1,
    method: 'GET',
    path: '/api/Company/Profile',
    requestHeaders: {},
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(body),
  });
  const [a, b] = [[exchange({ plan: 'Pro', visits: 1 })], [exchange({ plan: 'Plus', visits: 2 })]];
  const unsteady = new Set(['GET /api/Company/Profile body.visits']);
  expect(firstDifferingStep(a, b, unsteady)?.differs).toEqual(['body.plan: "Pro" on A, "Plus" on B']);
  expect(firstDifferingStep(a, [], unsteady)).toMatchObject({ number: 1, differs: ['only A took this step'] });
});

test('a known failure on one side is still a difference', () => {
  const passed = runResult([clauseResult('adjustment.answers-200')]);
  const known = runResult([clauseResult('adjustment.answers-200', { verdict: 'known-fail', got: '201' })]);
  expect(compareRuns(passed, known).differences).toMatchObject([{ kind: 'violated' }]);
});
