import { expect, test } from 'vitest';
import type { StatedRule } from '../../openapi/generated/rules.ts';
import { createCard } from '../scenarios/cards.ts';
import { registration } from '../scenarios/webhooks.ts';
import { type Check, checks, rule, ruleTest } from './rule.ts';
import '../rules/index.ts';
import type { InProcessFetch, Profile } from '../http/target.ts';
import { buildDocument } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import { Untested } from '../safety/policy.ts';
import { runRules } from './run.ts';
import { endingOfRun } from './run-ending.ts';
import { mustSucceed, type Trial } from './trial.ts';
import { Violation } from './verdict.ts';

const key = 'the-secret-key';
const name = 'gift-card.create.returns-200';
const look = (t: Trial, path = '/api/GiftCard/List') => t.send(`GET ${path}`, { method: 'GET', path });

let responses = 0;
const talkative: InProcessFetch = async (request) => {
  responses += 1;
  if (request.url.endsWith('/broken')) throw new Error('socket hang up');
  if (request.url.endsWith('/silent')) return new Promise(() => undefined);
  return new Response(`return ${responses} to ${request.headers.get('x-api-key')}`, {
    status: request.url.endsWith('/none') ? 404 : 200,
  });
};

async function runTest(
  run: (t: Trial) => Promise<void>,
  more: { needs?: Check['needs']; profile?: Profile; deadline?: number } = {},
) {
  const checks = [ruleTest(name, more.needs ?? [], run)];
  const target = { url: 'http://127.0.0.1', key, profile: more.profile ?? {}, fetch: talkative };
  const result = await runRules({ target, names: [name], checks, deadline: more.deadline ?? 5_000 });
  const [only] = result.rules;
  if (!only) throw new Error('no result');
  return { result, only, exit: endingOfRun(result).code };
}

test('a test that returns passes', async () => {
  const { only, exit } = await runTest(async (t) => void (await look(t)));
  expect(only).toMatchObject({ name, verdict: 'pass', level: 'stated', did: ['GET /api/GiftCard/List → 200'] });
  expect(only.from.length).toBeGreaterThan(0);
  expect(exit).toBe(0);
});

test('a test that sent nothing is untested', async () => {
  const { only, exit } = await runTest(async () => undefined);
  expect(only).toMatchObject({ verdict: 'untested', reason: 'all-responses-alike' });
  expect(exit).toBe(4);
});

test('a violation fails, with expected and got', async () => {
  const { result, only, exit } = await runTest(async (t) => {
    await look(t);
    throw new Violation('balance = 0.60', '-0.90');
  });
  expect(only).toMatchObject({ verdict: 'fail', expected: 'balance = 0.60', got: '-0.90' });
  expect(exit).toBe(1);
  const text = textReport(buildDocument([result]));
  for (const part of [
    `FAIL  ${name.slice(0, 16)}`,
    'Did          GET',
    'Expected     balance',
    'Got          -0.90',
    `Again        npx giftcard-sandbox conformance run ${name}`,
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('1 of 1 stated rule violated');
});

test('a failed preparation is blocked; a failed control is untested', async () => {
  const blocked = await runTest(async (t) => void mustSucceed(await look(t, '/none'), 'looking'));
  expect(blocked.only).toMatchObject({ verdict: 'blocked', detail: expect.stringContaining('looking: GET /none returned 404') });
  expect(blocked.exit).toBe(4);
  const uncontrolled = await runTest((t) =>
    t.control('it works', async () => void mustSucceed(await look(t, '/none'), 'looking')),
  );
  expect(uncontrolled.only).toMatchObject({ verdict: 'untested', reason: 'control-failed' });
  expect(uncontrolled.exit).toBe(4);
});

test('a rule that needs a missing profile entry is untested, with the reason', async () => {
  const { only } = await runTest(async () => undefined, { needs: ['secondKey'] });
  expect(only).toMatchObject({ verdict: 'untested', reason: 'no-second-key' });
  const fixture = await runTest(async () => undefined, { needs: ['voucherCode'] });
  expect(fixture.only).toMatchObject({
    verdict: 'untested',
    reason: 'fixture-missing',
    detail: expect.stringContaining('voucherCode'),
  });
  expect(fixture.exit).toBe(4);
  const fact = await runTest(async () => {
    throw new Untested('fact-missing', 'no name for it');
  });
  expect(fact.only).toMatchObject({ verdict: 'untested', reason: 'fact-missing' });
});

test('no response is a transport error; an exception in a test is a fault of the suite', async () => {
  const broken = await runTest(async (t) => void (await look(t, '/broken')));
  expect(broken.only).toMatchObject({ verdict: 'error', fault: 'transport', detail: expect.stringContaining('socket hang up') });
  expect(broken.exit).toBe(4);
  const ours = await runTest(async () => {
    throw new TypeError('undefined is not a function');
  });
  expect(ours.only).toMatchObject({ verdict: 'error', fault: 'suite' });
  expect(ours.exit).toBe(6);
});

test('a test ends at its deadline; two reads show that the target responds', async () => {
  const { only, result } = await runTest(async (t) => void (await look(t, '/silent')), { deadline: 50 });
  expect(only).toMatchObject({ verdict: 'error', fault: 'transport', detail: 'no verdict within 50 ms' });
  expect([only?.exchanges, result.requests, result.interrupted]).toEqual([[], 2, undefined]);
});

test('shared work ends at the deadline of its test, and its cards are voided', async () => {
  const cards = new Set<string>();
  const slow: InProcessFetch = async (request) => {
    const name = (request.url.split('/').at(-1) ?? '').replace(/^id-/, '');
    if (request.method === 'DELETE') return new Response('', { status: cards.delete(name) ? 200 : 404 });
    if (request.method === 'GET') return Response.json({ status: cards.has(name) ? 'Active' : 'Voided' });
    // The fourth response comes after the deadline.
    await new Promise((done) => setTimeout(done, cards.size === 3 ? 300 : 30));
    const { code } = (await request.json()) as { code: string };
    cards.add(code);
    return Response.json({ id: `id-${code}` });
  };
  let created = 0;
  const makeMany = (t: Trial) =>
    t.shared('many cards', async (shared) => {
      for (; created < 20; created += 1) await createCard(shared);
    });
  const checks = [ruleTest(name, [], makeMany)];
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: slow };
  const result = await runRules({ target, names: [name], checks, deadline: 90 });
  expect(result.rules[0]?.detail).toBe('no verdict within 90 ms');
  const { created: started, voided, left } = result.cards;
  expect(started).toBeLessThan(10);
  expect([voided, left]).toEqual([started, []]);
  await new Promise((done) => setTimeout(done, 300));
  expect(cards).toEqual(new Set());
});

test('requests with a response do not count toward the deadline, however many they are', async () => {
  const slow: InProcessFetch = async () => {
    await new Promise((done) => setTimeout(done, 30));
    return Response.json({ at: performance.now() });
  };
  const lookOften = async (t: Trial) => {
    for (let looks = 0; looks < 10; looks += 1) await look(t);
  };
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: slow };
  const result = await runRules({
    target,
    names: [name],
    checks: [ruleTest(name, [], lookOften)],
    deadline: 150,
  });
  expect(result.rules[0]).toMatchObject({ verdict: 'pass' });
});

test('a test that uses shared work twice records it once', async () => {
  const { only } = await runTest(async (t) => {
    const make = () => t.shared('something', async (shared) => void (await look(shared, '/made')));
    await make();
    await look(t);
    await make();
  });
  expect(only.did).toEqual(['GET /made → 200', 'GET /api/GiftCard/List → 200']);
  expect(only.exchanges.map(({ path }) => path)).toEqual(['/made', '/api/GiftCard/List']);
});

test('shared work that one test left unfinished is done again by the next', async () => {
  let attempts = 0;
  const run = (t: Trial) =>
    t.shared('something', async (shared) => {
      attempts += 1;
      await look(shared, attempts === 1 ? '/silent' : '/fine');
    });
  const names = [name, 'gift-card.create.returns-the-card'] as const;
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: talkative };
  const checks: Check[] = names.map((each) => ruleTest(each, [], run));
  const { rules } = await runRules({ target, names, checks, deadline: 60 });
  expect(rules.map(({ verdict }) => verdict)).toEqual(['error', 'pass']);
});

test('shared work is repeated after a broken connection, at most three times', async () => {
  let attempts = 0;
  const breaking =
    (times: number): InProcessFetch =>
    async (request, about) => {
      if (!request.url.endsWith('/made')) return talkative(request, about);
      attempts += 1;
      if (attempts <= times) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return talkative(request, about);
    };
  const run = async (t: Trial) => {
    await look(t);
    await t.shared('something', async (shared) => void (await look(shared, '/made')));
  };
  const names = checks()
    .flatMap((each) => (/^gift-card\.create\./.test(each.name) ? [each.name as StatedRule] : []))
    .slice(0, 6);
  const outcomeWith = async (times: number) => {
    attempts = 0;
    const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: breaking(times) };
    const { rules } = await runRules({ target, names, checks: names.map((each) => ruleTest(each, [], run)) });
    return [attempts, ...rules.map(({ verdict }) => verdict)];
  };
  expect(await outcomeWith(1)).toEqual([2, 'error', 'pass', 'pass', 'pass', 'pass', 'pass']);
  expect(await outcomeWith(9)).toEqual([3, ...names.map(() => 'error')]);
});

/** Returns a target that registers webhooks for any key, and returns `deleteStatus` to deletions. */
function webhookKeeper(deleteStatus: number) {
  const kept = new Map<string, string>([['7', 'https://example.com/of-another-client']]);
  const fetch: InProcessFetch = async (request) => {
    const path = new URL(request.url).pathname;
    if (request.method === 'POST') kept.set('8', ((await request.json()) as { url: string }).url);
    if (request.method === 'DELETE' && deleteStatus === 200) kept.delete(path.split('/').at(-1) ?? '');
    const hooks = [...kept].map(([webhookId, url]) => ({ webhookId, about: { url } }));
    if (path.endsWith('/List')) return Response.json({ hooks });
    return new Response('', { status: request.method === 'DELETE' ? deleteStatus : 200 });
  };
  return { kept, fetch };
}

test.each([
  [200, 0],
  [500, 5],
])('only the webhook with the URL of the run is deleted; the deletion returns %i', async (status, exit) => {
  const { kept, fetch } = webhookKeeper(status);
  const run = async (t: Trial) => {
    const request = registration(t);
    t.run.ledger.recordResponse(request.entry, await t.send('register', request));
  };
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch };
  const result = await runRules({ target, names: [name], checks: [ruleTest(name, [], run)] });
  expect(kept.has('7')).toBe(true);
  expect(kept.has('8')).toBe(status !== 200);
  expect(endingOfRun(result).code).toBe(exit);
  const outputText = textReport(buildDocument([result]));
  expect(outputText.includes('LEFT BEHIND  webhook https://conformance.invalid/')).toBe(status !== 200);
});

test('no result contains the key', async () => {
  const { result } = await runTest(async (t) => {
    const response = await look(t);
    throw new Violation('something else', response.body);
  });
  expect(JSON.stringify(result)).not.toContain(key);
  expect(JSON.stringify(result)).toContain('«key»');
});

test('a rule has one test', () => {
  const [{ name: known }] = checks() as [Check];
  expect(() => rule(known as StatedRule, {}, async () => undefined)).toThrow('already has a test');
});

test('a response after the deadline of its test does not change the result', async () => {
  let tell = () => {};
  const outputText = new Promise<void>((done) => {
    tell = done;
  });
  const { only } = await runTest(
    async (t) => {
      await look(t);
      await outputText;
      t.did.push('too late');
    },
    { deadline: 60 },
  );
  tell();
  await new Promise((done) => setImmediate(done));
  expect(only).toMatchObject({ verdict: 'error', did: ['GET /api/GiftCard/List → 200'] });
});
