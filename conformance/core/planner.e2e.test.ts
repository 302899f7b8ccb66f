import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from './rule.ts';
import '../rules/index.ts';
import '../questions/index.ts';
import type { Target } from '../http/target.ts';
import { LedgerFolder } from '../safety/ledger-folder.ts';
import { type Policy, policyOf, policyWithWebhooks, safeBudget } from '../safety/policy.ts';
import { isCanaryVoided } from '../scenarios/cards.ts';
import { referenceServer } from '../testing/reference-server/server.ts';
import { levelOf } from './contract.ts';
import { costOf, planRun } from './planner.ts';
import { preflight, webhooksPresent } from './preflight.ts';
import { runRules } from './run.ts';
import { endingOfRun } from './run-ending.ts';
import { openSession } from './session.ts';
import { testableRules } from './untestable.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const all = checks().map(({ name }) => name);

async function receipt(policy: Policy) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = (request: Request) => mock.fetch(request);
  const session = openSession({ url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch }, undefined, policy);
  await preflight(session);
  if (policy.mode === 'safe') session.gate.policy = policyWithWebhooks(policy, await webhooksPresent(session));
  const plan = planRun(testableRules(all, checks(), defaultWorldProfile), session.gate.policy);
  const ledger = new LedgerFolder(join(folder, `${policy.mode}-ledger`), mock.url);
  const result = await runRules({
    target: session.target,
    names: all,
    checks: checks(),
    session,
    ledger,
    canary: policy.canary ? isCanaryVoided : undefined,
  });
  await mock.close();
  return { plan, result };
}

test.each([false, true])('a safe run (first card: %s) costs what its plan says, and tests all planned rules', async (canary) => {
  const { plan, result } = await receipt({ ...policyOf('safe', [], {}), canary });
  const { creates, faceValue, adjustments, emails, webhooks, events } = plan.total;
  expect(result.spent).toMatchObject({ creates, adjustments, emails, webhooks, events });
  expect(result.spent.faceValue).toBeCloseTo(faceValue);
  // Cleanup does not void the two cards that the tests of voids have voided. An event without a key is not sent.
  expect([0, 1, 2, 3, 4, 5]).toContain(plan.requests - result.spent.requests);
  expect([result.heldBack, result.cards.left, emails, webhooks, events]).toEqual([[], [], 0, 0, 0]);
  expect(creates).toBeLessThanOrEqual(5);
  expect(plan.requests).toBeLessThanOrEqual(150);
  const tested = result.rules.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').map(({ name }) => name);
  expect(tested).toEqual(expect.arrayContaining([...plan.chosen]));
  expect(plan.chosen.length).toBeGreaterThan(46);
  expect(endingOfRun(result).code).toBe(0);
});

test.each<[string, Policy]>([
  ['with every allowance', policyOf('safe', ['email', 'webhooks', 'automation'], {})],
  ['with a small budget', policyOf('safe', [], { maxCreates: 2, maxRequests: 60, maxFaceValue: 1.5 })],
  ['without cards', policyOf('safe', [], { maxCreates: 0 })],
  ['in full, with a budget', policyOf('full', [], { maxCreates: 20, maxRequests: 400 })],
])('a run %s costs at most its plan, and tests all planned rules', async (_, policy) => {
  const { plan, result } = await receipt(policy);
  for (const each of ['creates', 'faceValue', 'emails', 'webhooks', 'events'] as const)
    expect(result.spent[each], each).toBeLessThanOrEqual(plan.total[each] + 1e-9);
  expect(result.spent.requests).toBeLessThanOrEqual(plan.requests);
  expect([result.heldBack, result.cards.left, result.recordsLeft]).toEqual([[], [], []]);
  const tested = result.rules.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').map(({ name }) => name);
  expect(tested).toEqual(expect.arrayContaining([...plan.chosen]));
});

test('stated rules come before questions', () => {
  const { chosen, leftOut } = planRun(testableRules(all, checks(), {}), policyOf('safe', [], {}));
  const stated = chosen.filter((name) => levelOf(name) === 'stated');
  expect(stated.length).toBeGreaterThan(40);
  const questions = [...leftOut].filter(([name, { reason }]) => reason === 'budget' && levelOf(name) === 'open');
  expect(questions.length).toBeGreaterThan(40);
});

test('a read-only run changes nothing and tests the other rules', async () => {
  const { plan, result } = await receipt(policyOf('read-only', [], {}));
  expect(result.spent).toEqual({
    requests: plan.requests,
    creates: 0,
    faceValue: 0,
    voids: 0,
    adjustments: 0,
    emails: 0,
    webhooks: 0,
    events: 0,
  });
  expect(plan.chosen.length).toBeGreaterThan(10);
  expect([...plan.leftOut.values()].map(({ reason }) => reason)).toContain('mode');
});

/** The first rules of a safe run, the greatest harm first. */
const harmful = [
  ...['idempotency.create.refuses-repeat', 'idempotency.adjustment.refuses-repeat'],
  ...['adjustment.by-id.refuses-overdraw', 'adjustment.by-code.may-go-negative'],
  ...['gift-card.void.by-code-voids', 'gift-card.void.by-id-voids', 'gift-card.void.zeroes-balance'],
  'gift-card.create.refuses-taken-code',
  ...['authentication.missing-key-is-401', 'authentication.wrong-key-is-401'],
  ...['gift-card.get-by-code.unknown-is-404', 'gift-card.amounts-exact', 'adjustment.history.newest-first'],
];

/** Runs all rules without a profile. Returns the names of the stated rules that pass, and the result. */
async function passed(target: Pick<Target, 'url' | 'key' | 'fetch'>, policy: Policy) {
  const session = openSession({ ...target, profile: {} }, undefined, policy);
  await preflight(session);
  const canary = policy.canary ? isCanaryVoided : undefined;
  const common = { target: session.target, names: all, checks: checks() };
  const order: string[] = [];
  const result = await runRules({ ...common, session, canary, onResult: ({ name }) => order.push(name) });
  const verdicts = result.rules.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name);
  return { result, order, passed: verdicts, stated: verdicts.filter((name) => levelOf(name) === 'stated').length };
}

test.each(['the mock', 'the reference server'])(
  'without a profile, a safe and a read-only run cover stated rules of %s',
  async (name) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const { key, fetch } = referenceServer({ perMinute: 10_000 });
    const target =
      name === 'the mock'
        ? { url: mock.url, key: mock.apiKey, fetch: (request: Request) => mock.fetch(request) }
        : { url: 'http://127.0.0.1', key, fetch };
    // A run against a target that is not the mock spends one of its cards on the first card.
    const safe = await passed(target, { ...policyOf('safe', [], {}), canary: name !== 'the mock' });
    expect(safe.result.spent.creates).toBeLessThanOrEqual(5);
    expect(safe.result.cards.left).toEqual([]);
    expect(safe.stated).toBeGreaterThanOrEqual(44);
    expect(safe.passed).toEqual(expect.arrayContaining(harmful));
    // A card that the plan does not expect is then missing for the last rules, not for these.
    expect(safe.order.slice(0, 4)).toEqual(harmful.slice(0, 4));
    const reading = await passed(target, policyOf('read-only', [], {}));
    expect(reading.stated).toBeGreaterThanOrEqual(20);
    expect([endingOfRun(safe.result).code, endingOfRun(reading.result).code]).toEqual([0, 0]);
    await mock.close();
  },
);

test.each([3, 5, 17, 29, 32, 40])(
  'a safe run covers the harmful rules of a lawful server that accepts more creates than planned: seed %s',
  async (seed) => {
    const mock = await startMock({ listen: false, rateLimit: 'off', control: false, vary: true, seed });
    const target = { url: mock.url, key: mock.apiKey, fetch: (request: Request) => mock.fetch(request) };
    const { result, ...safe } = await passed(target, { ...policyOf('safe', [], {}), canary: true });
    await mock.close();
    expect(safe.passed).toEqual(expect.arrayContaining(harmful));
    expect(safe.stated).toBeGreaterThanOrEqual(42);
    expect([endingOfRun(result).code, result.heldBack, result.cards.left]).toEqual([0, [], []]);
    expect(result.spent.creates).toBeLessThanOrEqual(5);
  },
);

test('a target that refuses the shared card needs more cards: the harmful rules keep theirs, and the reason names the others', async () => {
  const server = referenceServer({ perMinute: 10_000 });
  const fetch = async (request: Request) => {
    const isSmall = request.url.endsWith('/Create') && /"balance":1\.15/.test(await request.clone().text());
    return isSmall ? new Response('No.', { status: 400 }) : server.fetch(request);
  };
  const target = { url: 'http://127.0.0.1', key: server.key, fetch };
  const { result, ...safe } = await passed(target, { ...policyOf('safe', [], {}), canary: true });
  expect(safe.passed).toEqual(expect.arrayContaining(harmful));
  expect(result.heldBack.length).toBeGreaterThan(0);
  for (const name of result.heldBack) expect(harmful).not.toContain(name);
  expect(endingOfRun(result)).toMatchObject({ code: 4, because: [expect.stringContaining(result.heldBack.join(', '))] });
});

test('the limits that a plan names cover all rules, and no smaller limit is named', () => {
  const limits = { 'max-creates': 'maxCreates', 'max-requests': 'maxRequests', 'max-face-value': 'maxFaceValue' } as const;
  const names = testableRules(all, checks(), {});
  const detailOf = (policy: Policy) =>
    [...planRun(names, policy).leftOut.values()].find(({ reason }) => reason === 'budget')?.detail;
  const policy = policyOf('full', [], { ...safeBudget, maxFaceValue: 1e6 });
  const flags = Array.from(detailOf(policy)?.matchAll(/--([a-z-]+) (\d+)/g) ?? [], ([, flag, number]) => [flag, number]);
  expect(flags.map(([flag]) => flag)).toEqual(['max-creates', 'max-requests']);
  const raised = flags.map(([flag, number]) => [limits[flag as keyof typeof limits], Number(number)]);
  expect(detailOf({ ...policy, ...Object.fromEntries(raised) })).toBeUndefined();
});

test('the cost of every test was measured', () => {
  expect(testableRules(all, checks(), defaultWorldProfile).filter((name) => costOf(name) === undefined)).toEqual([]);
});

test('with webhooks on the account, creates are planned only with the allowance', () => {
  const creating = (allow: Parameters<typeof policyOf>[1]) =>
    planRun(all, policyWithWebhooks(policyOf('safe', allow, {}), 2)).total.creates;
  expect([creating([]), creating(['webhooks'])]).toEqual([0, 0]);
  expect(creating(['void-deliveries'])).toBeGreaterThan(0);
});

test('a small budget is not exceeded, and rules that share a card come first', () => {
  // Most other rules need no card.
  const names = all.filter((name) => /^(adjustment|gift-card|list)\./.test(name));
  const { chosen, total, requests, leftOut } = planRun(names, policyOf('safe', [], { maxCreates: 2, maxRequests: 100 }));
  expect([1, 2]).toContain(total.creates);
  expect(requests).toBeLessThanOrEqual(100);
  expect(chosen.length).toBeGreaterThan(20);
  expect(new Set([...leftOut.values()].map(({ reason }) => reason))).toContain('budget');
});

test('a run that uses up its budget is incomplete, and cleans up', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = (request: Request) => mock.fetch(request);
  const policy = policyOf('full', [], {});
  const session = openSession({ url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch }, undefined, policy);
  const onResult = () => {
    session.gate.policy = { ...policy, maxRequests: 40 };
  };
  const result = await runRules({ target: session.target, names: all, checks: checks(), session, onResult });
  await mock.close();
  expect(result.rules.filter(({ reason }) => reason === 'budget').length).toBeGreaterThan(10);
  expect([endingOfRun(result).code, result.cards.left]).toEqual([4, []]);
  expect(result.spent.requests).toBeLessThanOrEqual(40);
});
