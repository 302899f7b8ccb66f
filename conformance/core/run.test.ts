import { expect, test } from 'vitest';
import type { StatedClause } from '../../openapi/generated/clauses.ts';
import { card } from '../scenarios/cards.ts';
import { registration } from '../scenarios/webhooks.ts';
import { type Check, checks, clause, statement } from './clause.ts';
import '../clauses/index.ts';
import { documentOf } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import { exitCode } from './exit.ts';
import { runClauses } from './run.ts';
import type { InProcessFetch, Profile } from './target.ts';
import type { Trial } from './trial.ts';
import { mustSucceed } from './trial.ts';
import { Untested, Violation } from './verdict.ts';

const key = 'the-secret-key';
const name = 'gift-card.create.answers-200';
const look = (t: Trial, path = '/api/GiftCard/List') => t.send(`GET ${path}`, { method: 'GET', path });

let answers = 0;
const talkative: InProcessFetch = async (request) => {
  answers += 1;
  if (request.url.endsWith('/broken')) throw new Error('socket hang up');
  if (request.url.endsWith('/slow')) await new Promise((done) => setTimeout(done, 600));
  if (request.url.endsWith('/silent')) return new Promise(() => undefined);
  return new Response(`answer ${answers} to ${request.headers.get('x-api-key')}`, {
    status: request.url.endsWith('/none') ? 404 : 200,
  });
};

async function judge(
  run: (t: Trial) => Promise<void>,
  more: { needs?: Check['needs']; profile?: Profile; deadline?: number } = {},
) {
  const checks = [statement(name, more.needs ?? [], run)];
  const target = { url: 'http://127.0.0.1', key, profile: more.profile ?? {}, fetch: talkative };
  const result = await runClauses({ target, names: [name], checks, suite: 'test', deadline: more.deadline ?? 5_000 });
  const [only] = result.clauses;
  if (!only) throw new Error('no result');
  return { result, only, exit: exitCode(result) };
}

test('a check that returns passes', async () => {
  const { only, exit } = await judge(async (t) => void (await look(t)));
  expect(only).toMatchObject({ name, verdict: 'pass', level: 'stated', did: ['GET /api/GiftCard/List → 200'] });
  expect(only.from.length).toBeGreaterThan(0);
  expect(exit).toBe(0);
});

test('a check that sent nothing has shown nothing', async () => {
  const { only, exit } = await judge(async () => undefined);
  expect(only).toMatchObject({ verdict: 'untested', reason: 'all-answers-alike' });
  expect(exit).toBe(4);
});

test('a violation fails, with what was expected and what came', async () => {
  const { result, only, exit } = await judge(async (t) => {
    await look(t);
    throw new Violation('balance = 0.60', '-0.90');
  });
  expect(only).toMatchObject({ verdict: 'fail', expected: 'balance = 0.60', got: '-0.90' });
  expect(exit).toBe(1);
  const text = textReport(documentOf([result]));
  for (const part of [
    `FAIL  ${name.slice(0, 16)}`,
    'Did          GET',
    'Expected     balance',
    'Got          -0.90',
    `Again        npx giftcard-sandbox conformance run ${name}`,
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('0 pass, 1 fail of 1\n');
});

test('an arrangement that does not work blocks, and a control that does not hold leaves untested', async () => {
  const blocked = await judge(async (t) => void mustSucceed(await look(t, '/none'), 'looking'));
  expect(blocked.only).toMatchObject({ verdict: 'blocked', detail: expect.stringContaining('looking: GET /none answered 404') });
  expect(blocked.exit).toBe(4);
  const uncontrolled = await judge((t) => t.control('it works', async () => void mustSucceed(await look(t, '/none'), 'looking')));
  expect(uncontrolled.only).toMatchObject({ verdict: 'untested', reason: 'control-failed' });
  expect(uncontrolled.exit).toBe(4);
});

test('what the target does not offer is untested, and no reason to fail beside a verdict', async () => {
  const { only } = await judge(async () => undefined, { needs: ['secondKey'] });
  expect(only).toMatchObject({ verdict: 'untested', reason: 'no-second-key' });
  const fixture = await judge(async () => undefined, { needs: ['voucherCode'] });
  expect(fixture.only).toMatchObject({
    verdict: 'untested',
    reason: 'fixture-missing',
    detail: 'the profile gives no voucherCode',
  });
  expect(fixture.exit).toBe(4);
  const fact = await judge(async () => {
    throw new Untested('fact-missing', 'no name for it');
  });
  expect(fact.only).toMatchObject({ verdict: 'untested', reason: 'fact-missing' });
});

test('no answer is an error of transport, and a fault of the suite is told apart from it', async () => {
  const broken = await judge(async (t) => void (await look(t, '/broken')));
  expect(broken.only).toMatchObject({ verdict: 'error', fault: 'transport', detail: expect.stringContaining('socket hang up') });
  expect(broken.exit).toBe(4);
  const ours = await judge(async () => {
    throw new TypeError('undefined is not a function');
  });
  expect(ours.only).toMatchObject({ verdict: 'error', fault: 'suite' });
  expect(ours.exit).toBe(6);
});

test('a check that takes too long ends, and sends nothing afterwards', async () => {
  const { only, result } = await judge(async (t) => void (await look(t, '/silent')), { deadline: 50 });
  expect(only).toMatchObject({ verdict: 'error', fault: 'transport', detail: 'no verdict within 50 ms' });
  expect(result.requests).toBe(0);
});

test('what a check was making for others when its time was up makes nothing more, and is swept', async () => {
  const cards = new Set<string>();
  const slow: InProcessFetch = async (request) => {
    const code = (request.url.split('/').at(-1) ?? '').replace(/^id-/, '');
    if (request.method === 'DELETE') return new Response('', { status: cards.delete(code) ? 200 : 404 });
    if (request.method === 'GET') return Response.json({ status: cards.has(code) ? 'Active' : 'Voided' });
    await new Promise((done) => setTimeout(done, 60));
    const { code: asked } = (await request.json()) as { code: string };
    cards.add(asked);
    return Response.json({ id: `id-${asked}` });
  };
  let created = 0;
  const makeMany = (t: Trial) =>
    t.shared('many cards', async (shared) => {
      for (; created < 20; created += 1) await card(shared);
    });
  const checks = [statement(name, [], makeMany)];
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: slow };
  const result = await runClauses({ target, names: [name], checks, suite: 'test', deadline: 90 });
  expect(result.clauses[0]?.detail).toBe('no verdict within 90 ms');
  const { created: asked, voided, left } = result.cards;
  expect(asked).toBeLessThan(10);
  expect([voided, left]).toEqual([asked, []]);
  await new Promise((done) => setTimeout(done, 100));
  expect(cards).toEqual(new Set());
});

test('what is shared and used twice stands in the record once', async () => {
  const { only } = await judge(async (t) => {
    const make = () => t.shared('something', async (shared) => void (await look(shared, '/made')));
    await make();
    await look(t);
    await make();
  });
  expect(only.did).toEqual(['GET /made → 200', 'GET /api/GiftCard/List → 200']);
  expect(only.exchanges.map(({ path }) => path)).toEqual(['/made', '/api/GiftCard/List']);
});

test('what one check left half made, the next makes anew', async () => {
  let attempts = 0;
  const run = (t: Trial) =>
    t.shared('something', async (shared) => {
      attempts += 1;
      await look(shared, attempts === 1 ? '/silent' : '/fine');
    });
  const names = [name, 'gift-card.create.returns-the-card'] as const;
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: talkative };
  const checks: Check[] = names.map((each) => statement(each, [], run));
  const { clauses } = await runClauses({ target, names, checks, suite: 'test', deadline: 60 });
  expect(clauses.map(({ verdict }) => verdict)).toEqual(['error', 'pass']);
});

test('nor does a connection that broke once stand in the way of all that share something, and not for ever of each', async () => {
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
    .flatMap((each) => (/^gift-card\.create\./.test(each.name) ? [each.name as StatedClause] : []))
    .slice(0, 6);
  const judgedBy = async (times: number) => {
    attempts = 0;
    const target = { url: 'http://127.0.0.1', key, profile: {}, fetch: breaking(times) };
    const { clauses } = await runClauses({ target, names, checks: names.map((each) => statement(each, [], run)), suite: 'test' });
    return [attempts, ...clauses.map(({ verdict }) => verdict)];
  };
  expect(await judgedBy(1)).toEqual([2, 'error', 'pass', 'pass', 'pass', 'pass', 'pass']);
  expect(await judgedBy(9)).toEqual([3, ...names.map(() => 'error')]);
});

/** A target that keeps webhooks for whoever asks, and answers deletions with the given status. */
function webhookKeeper(deleteStatus: number) {
  const kept = new Map<string, string>([['7', 'https://example.com/of-somebody-else']]);
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
])('a webhook that a target lets in is deleted by its URL, and no other: deletion answered with %i', async (status, exit) => {
  const { kept, fetch } = webhookKeeper(status);
  const run = async (t: Trial) => {
    const { ask, entry } = registration(t);
    t.run.ledger.recordAnswer(entry, await t.send('register', ask));
  };
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch };
  const result = await runClauses({ target, names: [name], checks: [statement(name, [], run)], suite: 'test' });
  expect(kept.has('7')).toBe(true);
  expect(kept.has('8')).toBe(status !== 200);
  expect(exitCode(result)).toBe(exit);
  const told = textReport(documentOf([result]));
  expect(told.includes('LEFT BEHIND  webhook https://conformance.invalid/')).toBe(status !== 200);
});

test('the key stands in no result', async () => {
  const { result } = await judge(async (t) => {
    const answer = await look(t);
    throw new Violation('something else', answer.body);
  });
  expect(JSON.stringify(result)).not.toContain(key);
  expect(JSON.stringify(result)).toContain('«key»');
});

test('a clause has one test', () => {
  const [{ name: judged }] = checks() as [Check];
  expect(() => clause(judged as StatedClause, {}, async () => undefined)).toThrow('already has a test');
});

test('what a check that was given up is still told does not change its result', async () => {
  let tell = () => {};
  const told = new Promise<void>((done) => {
    tell = done;
  });
  const { only } = await judge(
    async (t) => {
      await look(t);
      await told;
      t.did.push('too late');
    },
    { deadline: 60 },
  );
  tell();
  await new Promise((done) => setImmediate(done));
  expect(only).toMatchObject({ verdict: 'error', did: ['GET /api/GiftCard/List → 200'] });
});

test('a target that takes long over each answer is judged, however long a check takes for that', async () => {
  const { only } = await judge(
    async (t) => {
      for (let count = 0; count < 4; count += 1) await look(t, '/slow');
    },
    { deadline: 1_500 },
  );
  expect(only).toMatchObject({ verdict: 'pass' });
});
