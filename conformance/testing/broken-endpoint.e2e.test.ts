import { describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { applyBaseline, buildBaseline } from '../core/baseline.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import { ruleTexts } from '../core/contract.ts';
import '../questions/index.ts';
import { neverSucceeded } from '../core/endpoints.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { buildDocument } from '../report/build-document.ts';
import { likely } from '../report/likely.ts';
import { textReport } from '../report/text.ts';

/** Runs rules against the mock. One endpoint responds to every request with the same status and text. */
async function without(endpoint: string, status: number, wanted: RegExp) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) =>
    request.url.includes(`/${endpoint}`) ? new Response('no', { status }) : mock.fetch(request);
  const able = new Map(checks().map((check) => [check.name, check]));
  const isWanted = (name: RuleName) => wanted.test(name) && able.has(name) && !able.get(name)?.inputs && !able.get(name)?.burst;
  const names = [...ruleTexts.keys()].filter(isWanted);
  const target = { url: mock.url, key: mock.apiKey, profile: { noRateLimit: true }, fetch };
  const result = await runRules({ target, names, checks: checks() });
  await mock.close();
  const of = (name: RuleName) => result.rules.find((rule) => rule.name === name);
  return { result, of };
}

describe('adjusting by ID always returns 500', async () => {
  const { result, of } = await without('AddAdjustmentByGiftCardId', 500, /^adjustment\.by-(id|code)\./);

  test('its rules are blocked, and no others', () => {
    const byId = result.rules.filter(({ level, name }) => level === 'stated' && name.includes('by-id'));
    expect(byId.length).toBeGreaterThan(4);
    for (const { detail } of byId) expect(detail).toMatch(/AddAdjustmentByGiftCardId returned 500/);
    expect(byId.some(({ verdict }) => verdict === 'blocked')).toBe(true);
    expect(of('adjustment.by-code.may-go-negative')).toMatchObject({ verdict: 'pass' });
    expect(result.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  test('the report gives the reason at its start and end', () => {
    expect(endingOfRun(result).code).toBe(4);
    const report = textReport(buildDocument([result]));
    expect(report).toMatch(/NEVER SUCCEEDED .*\n {4}POST .*AddAdjustmentByGiftCardId: 500 \(\d+ rules\)\n/);
    expect(report).toMatch(/^INCOMPLETE {2}.*\n +Exit code 4: .* rules blocked/m);
    expect(report.match(/^ +\d+ rules: .*ByGiftCardId never succeeded: 500\n/gm)).toHaveLength(1);
  });
});

describe('adjusting by ID is missing, or uses another name for the card', async () => {
  const { result, of } = await without(
    'AddAdjustmentByGiftCardId',
    404,
    /^adjustment\.(by-id\.refuses-overdraw|negative-redeems)$/,
  );
  const wayOut = /--variant FILE: overrides: \[\{ rename: AddAdjustmentByGiftCardIdRequest\.giftCardId, to: NAME \}\]/;

  test('the reason has its status and the remedy', () => {
    const { reason, detail } = of('adjustment.by-id.refuses-overdraw') ?? {};
    expect(reason).toBe('fact-missing');
    expect(detail).toMatch(/returned 404/);
    expect(detail).toMatch(wayOut);
  });

  test('the report begins with the untested rules and ends with the remedy', () => {
    expect(endingOfRun(result).code).toBe(4);
    const report = textReport(buildDocument([result]));
    expect(report).toMatch(/NEVER SUCCEEDED [\s\S]*AddAdjustmentByGiftCardId: 404[\s\S]*adjustment\.by-id\.refuses-overdraw\n/);
    const [last] = /^ +Exit code 4.*$/m.exec(report) ?? [];
    expect(last).toMatch(/^ +Exit code 4: 1 rule .*ByGiftCardId never succeeded \(404\)/);
    expect(last).toMatch(wayOut);
  });

  test('a baseline accepts it', () => {
    const baseline = buildBaseline(result, new Map());
    expect([...baseline.keys()]).toEqual(['POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardId']);
    expect(endingOfRun(applyBaseline(result, baseline)).code).toBe(0);
  });
});

test.each([
  ['ListAdjustmentsByGiftCardCode', 500, /^adjustment\./],
  ['ListAdjustmentsByGiftCardCode', 404, /^adjustment\./],
  ['GiftCard/List', 500, /^list\./],
  ['GiftCard/List', 404, /^list\./],
])('%s that returns %i gives no wrong observation', async (endpoint, status, wanted) => {
  const { result } = await without(endpoint, status, wanted);
  const questions = result.rules.filter(({ level }) => level === 'open' || level === 'ambiguous');
  expect(questions.filter(({ verdict }) => verdict === 'fail').map(({ name, got }) => `${name}: ${got}`)).toEqual([]);
  expect(questions.some(({ verdict }) => verdict === 'blocked')).toBe(true);
  expect(result.rules.some(({ level, verdict }) => level === 'stated' && verdict === 'fail')).toBe(true);
  expect(result.rules.map(likely).filter((said) => said !== undefined)).toEqual([]);
});

test('a missing lookup violates its own rules, and blocks those about all responses', async () => {
  const { of } = await without('GiftCard/GetById', 404, /^(http\.(json|camel)|gift-card\.(response|get-by-id)\.)/);
  expect(of('gift-card.get-by-id.returns-the-card')).toMatchObject({ verdict: 'fail' });
  for (const name of ['gift-card.response.has-named-fields', 'http.json-bodies', 'http.camel-case-names'] as const)
    expect(of(name)).toMatchObject({ name, verdict: 'blocked' });
});

test('without a list, authentication is tested with other operations', async () => {
  const { result, of } = await without(
    'GiftCard/List',
    404,
    /^(authentication\.(missing|wrong)-key|authentication\.key-is-in|list\.)/,
  );
  expect(of('authentication.missing-key-is-401')).toMatchObject({
    verdict: 'pass',
    notChecked: expect.stringContaining('/List'),
  });
  expect(of('authentication.key-is-in-header')).toMatchObject({ verdict: 'pass' });
  expect(of('list.wraps-cards-and-total')).toMatchObject({ verdict: 'fail' });
  const others = result.rules.filter(({ name }) => name.startsWith('list.') && name !== 'list.wraps-cards-and-total');
  expect(others.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name)).toEqual([]);
});

test('without voiding by ID, voiding by code is tested', async () => {
  const { result } = await without('VoidById', 500, /^gift-card\.void\.(zeroes|still|is-final|by-)/);
  expect(result.rules.filter(({ verdict }) => verdict !== 'pass').map(({ name }) => name)).toEqual([
    'gift-card.void.by-id-voids',
  ]);
});

test('without a history, rules about its entries are blocked', async () => {
  const { result } = await without('ListAdjustmentsByGiftCardCode', 500, /^adjustment\.(keeps|recorded|history)/);
  const failed = result.rules.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
  expect(failed).toEqual(['adjustment.history.by-code-shows-card-and-entries']);
});

test('an endpoint that rightly rejects everything does not count as broken', async () => {
  const { result } = await without('nothing', 500, /^(gift-card\.get-by-source|webhook\.delete|gift-card\.void)\./);
  expect(neverSucceeded(result)).toEqual([]);
  expect(endingOfRun(result).because).toEqual([]);
});

test('nothing is observed at an endpoint that may be missing', async () => {
  const { of } = await without('AutomationTriggerEvents', 404, /^automation\./);
  for (const name of ['automation.properties-required', 'automation.no-match'] as const) {
    expect(of(name)).toMatchObject({
      verdict: 'untested',
      reason: 'fact-missing',
      detail: expect.stringMatching(/AutomationTriggerEvents .*404/),
    });
    expect(of(name)).not.toHaveProperty('fact');
  }
  const there = await without('nothing', 404, /^automation\./);
  expect(there.of('automation.properties-required')).toMatchObject({ verdict: 'observed', observation: { option: 'optional' } });
});

test('an accepted overdraw has no status of a refusal', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) => {
    const isOverdraw = request.url.endsWith('ByGiftCardId') && (await request.clone().text()).includes('-1.5');
    return isOverdraw ? Response.json(true) : mock.fetch(request);
  };
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const { rules } = await runRules({ target, names: ['adjustment.by-id.overdraw-status'], checks: checks() });
  await mock.close();
  expect(rules).toMatchObject([{ verdict: 'blocked', detail: expect.stringContaining('accepted an overdraw') }]);
});

test('a wrong second key shows nothing about other accounts', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = (request: Request) => mock.fetch(request);
  const target = { url: mock.url, key: mock.apiKey, profile: { secondKey: 'no-key-at-all' }, fetch };
  const names: RuleName[] = ['authentication.key-of-other-account'];
  const { rules } = await runRules({ target, names, checks: checks() });
  await mock.close();
  expect(rules).toMatchObject([{ verdict: 'untested', reason: 'no-second-key' }]);
});

test('a webhook that could not be registered is not reported as registered', async () => {
  const { of } = await without('Webhook/Create', 404, /^webhook\.create\.body$/);
  expect(of('webhook.create.body')).toMatchObject({
    verdict: 'blocked',
    detail: expect.stringMatching(/^registering a webhook: .* 404/),
  });
});
